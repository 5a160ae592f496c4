import StintModel
import StintUnits

extension PluginFrame {
  /// Decodes a frame, as the host does.
  ///
  /// - Throws: a fault for every deviation from the protocol.
  package init(_ frame: Frame) throws(FrameFault) {
    var bytes = ByteReader(frame.body)
    switch frame.kind {
    case 1: self = .welcome(major: try bytes.integer(), minor: try bytes.integer())
    case 3: self = .manifest(try Self.manifest(&bytes))
    case FrameLayout.firstDraft...:
      self = .draft(frame.kind)
      return
    default: self = try Self.timedFrame(frame.kind, at: Instant(nanoseconds: try bytes.integer()), &bytes)
    }
    try bytes.end()
  }

  /// Decodes the kinds whose body begins with an instant.
  private static func timedFrame(
    _ kind: UInt16, at instant: Instant, _ bytes: inout ByteReader
  ) throws(FrameFault) -> PluginFrame {
    switch kind {
    case 5: return .opened(at: instant)
    case 7:
      let token = try bytes.integer(UInt32.self)
      let (state, period) = try stateAndPeriod(&bytes)
      return .applied(token, state: state, period: period, at: instant)
    case 9: return .refused(try bytes.integer(), try bytes.text(), at: instant)
    case 11: return .drained(try bytes.integer(), at: instant)
    case 13: return .closed(at: instant)
    case 15: return try batch(&bytes, at: instant)
    case 17:
      let (fact, value) = try fact(&bytes)
      return .fact(fact, value, at: instant)
    case 19:
      let (state, period) = try stateAndPeriod(&bytes)
      return .state(state, period: period, at: instant)
    case 21:
      let event = Int(try bytes.integer(UInt32.self))
      return .event(event, count: Int(try bytes.integer(UInt32.self)), at: instant)
    case 23: return .available(try bytes.flag(), at: instant)
    case 25: return .fault(try bytes.text(), at: instant)
    case 27: return .mapped(at: instant)
    case 29: return .carried(DemandID(try bytes.integer()), at: instant)
    case 31:
      let demand = DemandID(try bytes.integer(Int64.self))
      let count = try bytes.integer(Int64.self)
      guard count >= 0 else { throw FrameFault(.value, "reported \(count) transferred bytes") }
      return .abandoned(demand, bytes: count, at: instant)
    case 35: return try wideBatch(&bytes, at: instant)
    case 45: return try byteBatch(&bytes, at: instant)
    case 41:
      let (earliest, latest) = (try bytes.integer(Int64.self), try bytes.integer(Int64.self))
      guard earliest <= latest else {
        throw FrameFault(.value, "requested a wake-up that ends before it begins")
      }
      return .wakeAt(
        earliest: Instant(nanoseconds: earliest), latest: Instant(nanoseconds: latest), at: instant)
    case 43:
      let (family, value) = try fact(&bytes)
      return .keyedFact(family, key: try bytes.text(), value, at: instant)
    case 39: return .published(try bytes.integer(), at: instant)
    case 33: return .report(try bytes.json(), at: instant)
    case let other: throw FrameFault(.form, "sent a frame of kind \(other)")
    }
  }

  /// Reads the index of a power state and the sample period. A period of 0 in the frame means nil.
  private static func stateAndPeriod(_ bytes: inout ByteReader) throws(FrameFault) -> (Int, TimeSpan?) {
    let state = Int(try bytes.integer(UInt32.self))
    let period = try bytes.integer(Int64.self)
    guard period >= 0 else { throw FrameFault(.value, "reported a period of \(period) ns") }
    return (state, period == 0 ? nil : TimeSpan(nanoseconds: period))
  }

  private static func batch(
    _ bytes: inout ByteReader, at instant: Instant
  ) throws(FrameFault) -> PluginFrame {
    let reason = try deliveryReason(Int(try bytes.integer(UInt32.self)))
    let count = Int(try bytes.integer(UInt32.self))
    guard count > 0, count <= FrameLayout.maxSamples, bytes.remaining == count * FrameLayout.sampleSize
    else {
      throw FrameFault(
        .size, "sent a batch whose \(bytes.remaining) bytes do not fit its number of samples, \(count)")
    }
    let samples = try bytes.samples(count)
    return .batch(samples, reason, at: instant)
  }

  private static func wideBatch(
    _ bytes: inout ByteReader, at instant: Instant
  ) throws(FrameFault) -> PluginFrame {
    let reason = try deliveryReason(Int(try bytes.integer(UInt32.self)))
    let count = Int(try bytes.integer(UInt32.self))
    let width = Int(try bytes.integer(UInt16.self))
    try bytes.zero(2)
    guard width > 0, width <= InputBounds.channels - Channel.inlineCount else {
      throw FrameFault(.size, "sent a wide batch with \(width) values after the fourth")
    }
    guard count > 0, count <= FrameLayout.maxSamples(width: width),
      bytes.remaining == count * (FrameLayout.sampleSize + 8 * width)
    else {
      throw FrameFault(
        .size, "sent a wide batch whose \(bytes.remaining) bytes do not fit its number of samples, \(count)")
    }
    var samples: [Sample] = []
    var values: [Double] = []
    samples.reserveCapacity(count)
    values.reserveCapacity(count * width)
    for _ in 0..<count {
      samples += try bytes.samples(1)
      for _ in 0..<width { values.append(try bytes.number()) }
    }
    return .wideBatch(
      samples, WideValues(width: width, samples: samples, values: values), reason, at: instant)
  }

  /// Reads a batch whose samples have a length and that number of bytes for each channel of bytes.
  private static func byteBatch(
    _ bytes: inout ByteReader, at instant: Instant
  ) throws(FrameFault) -> PluginFrame {
    let reason = try deliveryReason(Int(try bytes.integer(UInt32.self)))
    let count = Int(try bytes.integer(UInt32.self))
    let (width, channels) = (Int(try bytes.integer(UInt16.self)), Int(try bytes.integer(UInt16.self)))
    guard width <= InputBounds.channels - Channel.inlineCount,
      (1...InputBounds.byteChannels).contains(channels)
    else {
      throw FrameFault(
        .size, "sent a byte batch with \(width) values after the fourth and \(channels) channels of bytes")
    }
    guard count > 0, count <= FrameLayout.maxSamples(width: width, bytes: channels) else {
      throw FrameFault(.size, "sent a byte batch with an impossible number of samples, \(count)")
    }
    var samples: [Sample] = []
    var values: [Double] = []
    var contents = SampleBytes(channels: channels)
    samples.reserveCapacity(count)
    for _ in 0..<count {
      guard bytes.remaining >= FrameLayout.sampleSize else {
        throw FrameFault(.size, "sent a byte batch that ends inside a sample")
      }
      samples += try bytes.samples(1)
      for _ in 0..<width { values.append(try bytes.number()) }
      for _ in 0..<channels {
        guard let content = bytes.readBytes(Int(try bytes.integer(UInt8.self))) else {
          throw FrameFault(.size, "sent a byte batch that ends inside a value")
        }
        contents.append(content)
      }
    }
    return .wideBatch(
      samples, WideValues(width: width, samples: samples, values: values, bytes: contents), reason,
      at: instant)
  }

  /// Reads the index of a fact or a family, and a value.
  private static func fact(_ bytes: inout ByteReader) throws(FrameFault) -> (Int, FactValue) {
    let fact = Int(try bytes.integer(UInt32.self))
    let kind = try bytes.integer(UInt32.self)
    switch kind {
    case 0:
      try bytes.zero(8)
      return (fact, .unknown)
    case 1:
      let truth = try bytes.flag()
      try bytes.zero(7)
      return (fact, .boolean(truth))
    case 2: return (fact, .number(try bytes.number()))
    case 3:
      let word = try bytes.integer(UInt64.self)
      guard let place = Int(exactly: word) else { throw FrameFault(.value, "sent word number \(word)") }
      return (fact, .symbol(place))
    default: throw FrameFault(.form, "sent a value of kind \(kind)")
    }
  }

  private static func manifest(_ bytes: inout ByteReader) throws(FrameFault) -> FrameManifest {
    let device = try bytes.text()
    var lists: [[FrameManifest.Entry]] = []
    for hasUnits in [false, false, true, true] {
      let count = Int(try bytes.integer(UInt16.self))
      var list: [FrameManifest.Entry] = []
      for _ in 0..<count {
        list.append(FrameManifest.Entry(try bytes.text(), unit: hasUnits ? try bytes.text() : ""))
      }
      lists.append(list)
    }
    return FrameManifest(
      device: device, states: lists[0].map(\.name), events: lists[1].map(\.name), channels: lists[2],
      facts: lists[3])
  }

  private static func deliveryReason(_ number: Int) throws(FrameFault) -> DeliveryReason {
    guard deliveryReasons.indices.contains(number) else {
      throw FrameFault(.form, "delivered samples with the unknown reason \(number)")
    }
    return deliveryReasons[number]
  }

  /// The delivery reasons that a plugin may state, by their number in a frame.
  static let deliveryReasons: [DeliveryReason] = [.immediate, .full, .ended]
}
