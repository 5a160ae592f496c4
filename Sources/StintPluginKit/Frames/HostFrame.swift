public import StintModel
public import StintUnits

/// A message from the host to a plugin.
public enum HostFrame: Hashable, Sendable {
  /// The first message: the host's protocol version and its time. `steady` is the time of the steady clock
  /// (CLOCK_BOOTTIME) at `now`, in nanoseconds, so that a plugin can compute the host's time itself.
  case hello(major: UInt16, minor: UInt16, now: Instant, steady: Int64)
  /// Start to serve, with everything switched off. The settings come from the site file.
  case open([PluginSettingEntry], at: Instant)
  /// Apply the setting and answer with `applied` or `refused`, and the same token.
  case apply(UInt32, Setting, at: Instant)
  /// Deliver the stored samples, and answer with `drained` and the same token.
  case drain(UInt32, at: Instant)
  /// Read the facts of a source, publish them, and answer with `published` and the same token.
  case read(UInt32, at: Instant)
  /// The plugin may work now; see `PluginFrame.wakeAt`.
  case wake(at: Instant)
  /// Offers a ring of `capacity` bytes for batches; the process inherited the descriptors of the ring. A
  /// plugin that uses the ring answers with `mapped` before `opened`.
  case ring(capacity: Int, at: Instant)
  /// Perform a transfer after the transfers in progress. The plugin answers once, with `carried`
  /// or `abandoned`.
  case startTransfer(AssignedTransfer, at: Instant)
  /// Stop a transfer and answer with `abandoned`. A plugin that has already answered `carried` ignores this
  /// message.
  case cancelTransfer(DemandID, at: Instant)
  /// An order to a carrier, as JSON.
  case order(TransferOrder, at: Instant)
  /// A draft message, whose format may still change; this version ignores it.
  case draft(UInt16)
  /// Turn everything off, deliver the stored samples, answer with `closed`, and exit.
  case close(at: Instant)

  /// The number of the message kind; even.
  var kind: UInt16 {
    switch self {
    case .hello: 0
    case .open: 2
    case .apply: 4
    case .drain: 6
    case .close: 8
    case .ring: 10
    case .startTransfer: 12
    case .cancelTransfer: 14
    case .order: 16
    case .read: 20
    case .wake: 22
    case .draft(let kind): kind
    }
  }

  /// Encodes the message as a frame with this sequence number.
  public func frame(_ sequence: UInt64) -> Frame {
    var writer = ByteWriter()
    switch self {
    case .hello(let major, let minor, let now, let steady):
      writer.append(major)
      writer.append(minor)
      writer.append(UInt32(FrameLayout.largest))
      writer.append(now.nanoseconds)
      writer.append(steady)
    case .open(let settings, let instant):
      writer.append(instant.nanoseconds)
      writer.append(UInt16(settings.count))
      for setting in settings { setting.write(to: &writer) }
    case .apply(let token, let setting, let instant):
      writer.append(token)
      writer.append(Self.flags(of: setting))
      writer.append(instant.nanoseconds)
      writer.append(setting.accuracy ?? 0)
      writer.append(setting.period?.nanoseconds ?? 0)
      writer.append(setting.activity ?? "")
      if !setting.attributes.isEmpty { Self.append(setting.attributes, to: &writer) }
    case .drain(let token, let instant), .read(let token, let instant):
      writer.append(token)
      writer.append(UInt32(0))
      writer.append(instant.nanoseconds)
    case .close(let instant), .wake(let instant): writer.append(instant.nanoseconds)
    case .ring(let capacity, let instant):
      writer.append(instant.nanoseconds)
      writer.append(UInt32(capacity))
      writer.append(UInt32(0))
    case .startTransfer(let transfer, let instant):
      writer.append(instant.nanoseconds)
      writer.append(transfer.demand.number)
      writer.append(transfer.transfer.bytesUp)
      writer.append(transfer.transfer.bytesDown)
    case .cancelTransfer(let demand, let instant):
      writer.append(instant.nanoseconds)
      writer.append(demand.number)
    case .order(let order, let instant):
      writer.append(instant.nanoseconds)
      writer.append(json: order)
    case .draft: break
    }
    return Frame(kind: kind, sequence: sequence, body: writer.bytes)
  }

  /// Decodes a frame, as a plugin does.
  ///
  /// - Throws: a fault when the kind is unknown or the body is malformed.
  package init(_ frame: Frame) throws(FrameFault) {
    var bytes = ByteReader(frame.body)
    switch frame.kind {
    case 0:
      let major = try bytes.integer(UInt16.self)
      let minor = try bytes.integer(UInt16.self)
      guard try bytes.integer(UInt32.self) == UInt32(FrameLayout.largest) else {
        throw FrameFault(.form, "sent a maximum frame size other than \(FrameLayout.largest)")
      }
      self = .hello(
        major: major, minor: minor, now: Instant(nanoseconds: try bytes.integer()),
        steady: try bytes.integer())
    case 2:
      let instant = Instant(nanoseconds: try bytes.integer())
      var settings: [PluginSettingEntry] = []
      for _ in 0..<Int(try bytes.integer(UInt16.self)) { settings.append(try PluginSettingEntry(&bytes)) }
      self = .open(settings, at: instant)
    case 4:
      self = try Self.apply(&bytes)
    case 6, 20:
      let token = try bytes.integer(UInt32.self)
      try bytes.zero(4)
      let instant = Instant(nanoseconds: try bytes.integer())
      self = frame.kind == 6 ? .drain(token, at: instant) : .read(token, at: instant)
    case 8: self = .close(at: Instant(nanoseconds: try bytes.integer()))
    case 22: self = .wake(at: Instant(nanoseconds: try bytes.integer()))
    case 10:
      let instant = Instant(nanoseconds: try bytes.integer())
      let capacity = Int(try bytes.integer(UInt32.self))
      try bytes.zero(4)
      guard capacity >= 4096, capacity & (capacity - 1) == 0 else {
        throw FrameFault(.value, "offered a ring of \(capacity) bytes")
      }
      self = .ring(capacity: capacity, at: instant)
    case 12:
      let instant = Instant(nanoseconds: try bytes.integer())
      let demand = DemandID(try bytes.integer(Int64.self))
      let (up, down) = (try bytes.integer(Int64.self), try bytes.integer(Int64.self))
      guard up >= 0, down >= 0 else { throw FrameFault(.value, "sent a transfer of a negative size") }
      self = .startTransfer(
        AssignedTransfer(demand: demand, transfer: Transfer(bytesUp: up, bytesDown: down, deadline: nil)),
        at: instant)
    case 14:
      let instant = Instant(nanoseconds: try bytes.integer())
      self = .cancelTransfer(DemandID(try bytes.integer(Int64.self)), at: instant)
    case 16:
      let instant = Instant(nanoseconds: try bytes.integer())
      self = .order(try bytes.json(), at: instant)
    case FrameLayout.firstDraft...:
      self = .draft(frame.kind)
      return
    case let other: throw FrameFault(.form, "sent a frame of kind \(other)")
    }
    try bytes.end()
  }

  /// Returns the flags of a setting. Bit 0: on. 1: holding. 2: has an accuracy. 3: has a period. 4: has an
  /// activity. 5: keeps the newest samples when the store is full. 6: has attributes.
  private static func flags(of setting: Setting) -> UInt32 {
    let parts = [
      setting.isOn, setting.isHolding, setting.accuracy != nil, setting.period != nil,
      setting.activity != nil, setting.keepsNewest, !setting.attributes.isEmpty,
    ]
    return parts.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt32($1.offset) : 0) }
  }

  /// Writes each attribute as its name, a word and a number. For a quantity, the word is empty and the number
  /// is in base units. For other values, the number is 0.
  private static func append(_ attributes: AttributeValues, to writer: inout ByteWriter) {
    writer.append(UInt16(clamping: attributes.sorted.count))
    for entry in attributes.sorted {
      let (name, value) = (entry.name, entry.value)
      writer.append(name)
      switch value {
      case .quantity(let quantity):
        writer.append("")
        writer.append(quantity.value)
      case .word, .truth:
        writer.append(value.description)
        writer.append(0.0)
      }
    }
  }

  private static func attributes(_ bytes: inout ByteReader) throws(FrameFault) -> AttributeValues {
    var attributes = AttributeValues()
    for _ in 0..<Int(try bytes.integer(UInt16.self)) {
      let name = try bytes.text()
      let word = try bytes.text()
      let number = try bytes.number()
      attributes[name] =
        word.isEmpty ? .quantity(Quantity(number, .none)) : AttributeValue(text: word)
    }
    return attributes
  }

  private static func apply(_ bytes: inout ByteReader) throws(FrameFault) -> HostFrame {
    let token = try bytes.integer(UInt32.self)
    let flags = try bytes.integer(UInt32.self)
    guard flags < 128 else { throw FrameFault(.form, "sent a setting with unknown flags") }
    let instant = Instant(nanoseconds: try bytes.integer())
    let accuracy = try bytes.number()
    let period = try bytes.integer(Int64.self)
    let activity = try bytes.text()
    var setting = Setting(
      isOn: flags & 1 != 0, accuracy: flags & 4 != 0 ? accuracy : nil,
      period: flags & 8 != 0 ? TimeSpan(nanoseconds: period) : nil, isHolding: flags & 2 != 0,
      keepsNewest: flags & 32 != 0,
      activity: flags & 16 != 0 ? activity : nil)
    if flags & 64 != 0 { setting.attributes = try attributes(&bytes) }
    return .apply(token, setting, at: instant)
  }
}
