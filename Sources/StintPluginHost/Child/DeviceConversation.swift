import StintModel
import StintPluginKit
import StintUnits

/// The host's side of the conversation about one device of a plugin's process: makes requests and validates
/// the device's messages against its manifest.
///
/// The conversation with the process contains one such value for each device. The type is a pure state
/// machine.
struct DeviceConversation: Sendable {
  /// The maximum number of unanswered requests.
  private static let maxUnanswered = 64

  private enum Request {
    case setting(UInt32, Setting)
    case drain(UInt32, DeliveryReason)
    case read(UInt32)
  }

  let manifest: Manifest
  /// The manifest with the plugin's own names.
  private let ownManifest: Manifest
  private var budget: FrameBudget
  private var watch: DeliveryWatch
  private var scales: [Double] = []
  private var nextToken: UInt32 = 0
  /// The requests without an answer, oldest first.
  private var unanswered: [Request] = []
  /// The instant since which the host waits for the next answer of the device; nil when no request is
  /// unanswered.
  private(set) var waitingSince: Instant?
  private var transfers = TransferTable()
  private var setting = Setting.off
  private var holding: HeldEstimate
  /// True while the next batch may have gaps, because the plugin may have overwritten its oldest samples.
  private var mayOverwrite = false
  private var state: Int
  /// False after the process has reported that the device is gone, until it reports that the device is back.
  private(set) var isPresent = true
  /// False from the return of an absent device until it has answered its first setting.
  private var hasSetting = true
  private var numbering: SampleNumbering
  /// The facts of the reading in progress, at most one value for each fact. They are passed on together, so
  /// that no decision is made with only some of them.
  private var found: [ReadFact] = []

  /// The expected sequence number of the next sample.
  var nextSample: UInt64 { numbering.next }
  /// The number of lost samples, counted from gaps in the sequence numbers.
  var lostSamples: UInt64 { numbering.lost }

  /// - Parameter firstSample: the sequence number of the first sample.
  init(_ device: ProgramDevice, firstSample: UInt64, at now: Instant) {
    manifest = device.manifest
    ownManifest = device.ownManifest
    numbering = SampleNumbering(first: firstSample)
    state = manifest.initial
    budget = FrameBudget(manifest, at: now)
    watch = DeliveryWatch(manifest)
    holding = HeldEstimate(capacity: manifest.fifo)
  }

  var isDraining: Bool {
    unanswered.contains { request in if case .drain = request { true } else { false } }
  }

  /// True while a request to read the facts is unanswered.
  var isReading: Bool {
    unanswered.contains { request in if case .read = request { true } else { false } }
  }

  /// The number of requests that the device has not answered.
  var unansweredCount: Int { unanswered.count }

  /// Returns an estimate of the number of samples that the device has measured and not delivered. The next
  /// call does not count these samples again.
  mutating func takeHeld(at now: Instant) -> Int {
    let held = holding.take(at: now)
    if !isPresent { holding.enter(isHolding: false, period: nil, at: now) }
    return held
  }

  // MARK: Requests

  /// Returns the message that applies a setting to a plugin with this minor version of the protocol. Nil when
  /// too many requests are unanswered.
  mutating func apply(_ setting: Setting, minor: UInt16, at now: Instant) -> HostFrame? {
    guard let token = nextToken(at: now) else { return nil }
    unanswered.append(.setting(token, setting))
    var sent = setting
    if !Self.knowsOverwriting(minor) { sent.keepsNewest = false }
    if minor < FrameLayout.minorWithAttributes { sent.attributes = AttributeValues() }
    return .apply(token, sent, at: now)
  }

  /// Returns the message that requests the stored samples. Nil when too many requests are unanswered.
  mutating func drain(_ reason: DeliveryReason, at now: Instant) -> HostFrame? {
    guard let token = nextToken(at: now) else { return nil }
    unanswered.append(.drain(token, reason))
    return .drain(token, at: now)
  }

  /// Returns the message that requests the facts of a source. Nil when too many requests are unanswered.
  mutating func read(at now: Instant) -> HostFrame? {
    guard let token = nextToken(at: now) else { return nil }
    unanswered.append(.read(token))
    return .read(token, at: now)
  }

  private mutating func nextToken(at now: Instant) -> UInt32? {
    guard unanswered.count < Self.maxUnanswered else { return nil }
    nextToken &+= 1
    waitingSince = waitingSince ?? now
    return nextToken
  }

  /// Returns the message that starts a transfer. Nil when too many transfers are unanswered.
  mutating func startTransfer(_ transfer: AssignedTransfer, at now: Instant) -> HostFrame? {
    guard let number = transfers.begin(transfer.demand) else { return nil }
    return .startTransfer(AssignedTransfer(demand: number, transfer: transfer.transfer), at: now)
  }

  /// Returns the message that stops a transfer; nil when the transfer is not in progress.
  mutating func cancelTransfer(_ demand: DemandID, at now: Instant) -> HostFrame? {
    transfers.cancelTransfer(demand).map { .cancelTransfer($0, at: now) }
  }

  // MARK: Messages of the device

  mutating func describe(_ description: FrameManifest) throws(FrameFault) {
    scales = try description.scales(for: ownManifest)
  }

  /// Charges a frame with `count` samples, or with an event that occurred `times` times.
  mutating func spend(samples count: Int, events times: Int, at now: Instant) throws(FrameFault) {
    try budget.spend(samples: count, events: times, at: now)
  }

  /// Validates a message about the device.
  ///
  /// - Parameters:
  ///   - instant: the instant of the frame in the host's time.
  ///   - latest: the instant of the frame in the plugin's time.
  ///   - minor: the minor version of the plugin's protocol.
  ///   - faults: the rate limit for the faults that the plugin reports.
  /// - Returns: nil for a message that only the whole process may send.
  mutating func serve(
    _ frame: PluginFrame, at instant: Instant, latest: Instant, minor: UInt16, faults: inout FaultBudget,
    now: Instant
  ) throws(FrameFault) -> PluginMessage? {
    switch frame {
    case .fact where !isPresent, .keyedFact where !isPresent, .state where !isPresent,
      .event where !isPresent:
      return .ignored
    case .applied(let token, let state, let period, _):
      guard case .setting(token, let setting)? = unanswered.first else {
        throw FrameFault(.order, "answered setting \(token); \(expectedAnswer)")
      }
      endRequest(at: now)
      guard isPresent else { return .ignored }
      hasSetting = true
      self.setting = setting
      mayOverwrite = mayOverwrite || overwrites(minor)
      return try enter(state, period, at: instant)
    case .refused(let token, let text, _):
      guard case .setting(token, _)? = unanswered.first else {
        throw FrameFault(.order, "refused setting \(token); \(expectedAnswer)")
      }
      endRequest(at: now)
      return .outcome(.fault("refuses its setting: \(text)"), at: instant)
    case .drained(let token, _):
      guard case .drain(token, _)? = unanswered.first else {
        throw FrameFault(.order, "answered drain \(token); \(expectedAnswer)")
      }
      endRequest(at: now)
      holding.empty(at: instant)
      return .answered
    case .published(let token, _):
      guard case .read(token)? = unanswered.first else {
        throw FrameFault(.order, "answered reading \(token); \(expectedAnswer)")
      }
      endRequest(at: now)
      defer { found = [] }
      return .read(found)
    case .batch(let samples, let reason, _):
      return try batch(samples, nil, reason, at: instant, latest: latest, minor: minor)
    case .wideBatch(let samples, let wide, let reason, _):
      return try batch(samples, wide, reason, at: instant, latest: latest, minor: minor)
    case .fact(let fact, let value, _):
      let message = try self.fact(fact, value, at: instant)
      guard case .fact(_, let value, _) = message, isReading, manifest.facts[fact].reading != nil else {
        return message
      }
      found.removeAll { $0.fact == fact }
      found.append(ReadFact(fact: fact, value: value, instant: instant))
      return .ignored
    case .keyedFact(let family, let key, let value, _):
      return try keyed(family, key, value, at: instant)
    case .state(let state, let period, _): return try enter(state, period, at: instant)
    case .event(let event, let count, _):
      guard manifest.events.indices.contains(event) else {
        throw FrameFault(.value, "reported event \(event), which its manifest does not declare")
      }
      return .outcome(.event(event, count: count), at: instant)
    case .available(let isThere, _):
      if minor >= FrameLayout.minorWithAbsence { note(isPresent: isThere, at: instant) }
      return .available(isThere, at: instant)
    case .fault(let text, _):
      return faults.spend(at: instant) ? .outcome(.fault(text), at: instant) : .dropped
    case .carried(let number, _):
      return try transfers.complete(number).map { .carried($0, at: instant) } ?? .abandoned
    case .abandoned(let number, _, _):
      try transfers.confirmAbandonment(of: number)
      return .abandoned
    case .report(let report, _):
      guard manifest.provides.contains(.carrier) else {
        throw FrameFault(.value, "sent a report, but its manifest does not provide “carrier”")
      }
      return .transferred(report, at: instant)
    case .welcome, .manifest, .opened, .mapped, .closed, .wakeAt, .draft: return nil
    }
  }

  /// Records that the device is gone or is back. A device that is back is in its initial state, without a
  /// setting and without transfers.
  private mutating func note(isPresent: Bool, at instant: Instant) {
    guard self.isPresent != isPresent else { return }
    self.isPresent = isPresent
    hasSetting = false
    setting = .off
    mayOverwrite = false
    state = manifest.initial
    if manifest.states.indices.contains(state) { watch.enter(state, at: instant) }
    transfers.forget()
    found = []
  }

  /// The next answer that the host expects, as the end of a fault's sentence.
  private var expectedAnswer: String {
    switch unanswered.first {
    case nil: "expected no answer"
    case .setting(let token, _)?: "expected setting \(token)"
    case .drain(let token, _)?: "expected drain \(token)"
    case .read(let token)?: "expected reading \(token)"
    }
  }

  private mutating func endRequest(at now: Instant) {
    unanswered.removeFirst()
    waitingSince = unanswered.isEmpty ? nil : now
  }

  /// True when the plugin's protocol version contains the flag to overwrite the oldest samples.
  private static func knowsOverwriting(_ minor: UInt16) -> Bool { minor >= FrameLayout.minorWithTransfers }

  /// True when the plugin may overwrite its oldest samples with its present setting.
  private func overwrites(_ minor: UInt16) -> Bool { setting.keepsNewest && Self.knowsOverwriting(minor) }

  private mutating func enter(
    _ state: Int, _ period: TimeSpan?, at instant: Instant
  ) throws(FrameFault) -> PluginMessage {
    guard manifest.states.indices.contains(state) else {
      throw FrameFault(.value, "reported state \(state), which its manifest does not declare")
    }
    let (old, new) = (manifest.states[self.state], manifest.states[state])
    // A device that is back may still be on with its former setting. Its on-states are ignored until the host
    // has sent it the present setting.
    if !hasSetting, new.isOn, manifest.kind != .radio { return .ignored }
    guard manifest.permits(from: self.state, to: state) else {
      throw FrameFault(.state, "went from “\(old.name)” to “\(new.name)”, which its manifest does not permit")
    }
    // An unanswered setting may turn the device on.
    let mayBeOn =
      setting.isOn
      || unanswered.contains {
        if case .setting(_, let setting) = $0 { setting.isOn } else { false }
      }
    // A radio switches on for its transfers, and stays on for a while after them.
    guard mayBeOn || !new.isOn || manifest.kind == .radio else {
      throw FrameFault(.state, "is in “\(new.name)”, and its setting is off")
    }
    if let rejectionReason = period.flatMap({ InputBounds.rejectionReason(forPeriod: $0) }) {
      throw FrameFault(.value, "reported \(rejectionReason)")
    }
    self.state = state
    watch.enter(state, at: instant)
    let isHolding = setting.isOn && setting.isHolding && new.isOn
    holding.enter(isHolding: isHolding, period: period ?? setting.period, at: instant)
    return .outcome(.state(state, period: period), at: instant)
  }

  private func fact(_ fact: Int, _ value: FactValue, at instant: Instant) throws(FrameFault) -> PluginMessage
  {
    guard manifest.facts.indices.contains(fact) else {
      throw FrameFault(.value, "published fact \(fact), which its manifest does not declare")
    }
    var value = value
    if case .number(let number) = value { value = .number(number * scales[fact]) }
    // The port drops and counts numbers out of range: a sensor may give a wrong value without a defect of
    // its plugin.
    let schema = manifest.facts[fact]
    if !schema.isOutOfRange(value), let rejectionReason = schema.rejectionReason(for: value) {
      throw FrameFault(.value, "published an invalid value: \(rejectionReason)")
    }
    if schema.isFamily, value != .unknown {
      throw FrameFault(.value, "published “\(schema.path)” without a key")
    }
    return .fact(fact, value, at: instant)
  }

  private func keyed(
    _ family: Int, _ key: String, _ value: FactValue, at instant: Instant
  ) throws(FrameFault) -> PluginMessage {
    guard manifest.facts.indices.contains(family), manifest.facts[family].isFamily else {
      throw FrameFault(.value, "published family \(family), which its manifest does not declare")
    }
    guard FactSchema.isKey(key) else {
      throw FrameFault(.value, "published an invalid key of “\(manifest.facts[family].path)”")
    }
    var value = value
    if case .number(let number) = value { value = .number(number * scales[family]) }
    let schema = manifest.facts[family].keyed(key)
    if !schema.isOutOfRange(value), let rejectionReason = schema.rejectionReason(for: value) {
      throw FrameFault(.value, "published an invalid value: \(rejectionReason)")
    }
    return .keyed(family, key: key, value, at: instant)
  }

  private mutating func batch(
    _ samples: [Sample], _ wide: WideValues?, _ reason: DeliveryReason, at instant: Instant, latest: Instant,
    minor: UInt16
  ) throws(FrameFault) -> PluginMessage {
    guard wide?.width ?? 0 == manifest.wideWidth else {
      throw FrameFault(
        .value,
        "sent samples with \(Channel.inlineCount + (wide?.width ?? 0)) values, but its manifest has "
          + "\(manifest.plainChannels.count) channels")
    }
    if let byteFault = manifest.byteFault(of: wide?.bytes) { throw FrameFault(.value, "sent \(byteFault)") }
    let samples = try numbering.numbered(
      samples, channels: manifest.plainChannels.count, notAfter: latest, gapsAreLosses: !mayOverwrite)
    if let last = samples.last { holding.empty(at: last.instant) }
    mayOverwrite = overwrites(minor)
    if let fault = watch.stateFault(in: samples) { throw FrameFault(.state, fault) }
    var reason = reason
    if reason == .ended, case .drain(_, let requested)? = unanswered.first { reason = requested }
    // The rows of wide values get the sequence numbers of the device, like the samples.
    let rows = wide.map { $0.numbered(as: samples) }
    return .batch(Batch(device: manifest.device, samples: samples, reason: reason, wide: rows), at: instant)
  }
}
