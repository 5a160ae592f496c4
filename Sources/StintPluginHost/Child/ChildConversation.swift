public import StintModel
public import StintPluginKit
public import StintUnits

/// The host's side of the protocol with one process of a plugin: encodes requests and validates answers.
///
/// Answers are checked against the protocol, the manifest and the clock. The type is a pure state machine.
public struct ChildConversation: Sendable {
  private enum Phase {
    case greeting, describing, opening, serving, closing, closed
  }

  /// The maximum time by which a plugin's clock may be ahead of the host's clock.
  private static let tolerance = TimeSpan.seconds(1)
  /// The maximum number of unanswered requests.
  private static let maxUnanswered = 64

  private enum Request {
    case setting(UInt32, Setting)
    case drain(UInt32, DeliveryReason)
  }

  private let manifest: Manifest
  /// The manifest with the plugin's own name of the device.
  private let ownManifest: Manifest
  private var merge = FrameMerge()
  private var budget: FrameBudget
  /// The rate limit for the faults that the plugin reports.
  private(set) var faults: FaultBudget
  private var watch: DeliveryWatch
  private var phase = Phase.greeting
  private var scales: [Double] = []
  private var nextSequence: UInt64 = 0
  private var nextToken: UInt32 = 0
  /// The requests without an answer, oldest first.
  private var unanswered: [Request] = []
  private var transfers = TransferTable()
  private var minor: UInt16 = 0
  private var offersRing = false
  private var setting = Setting.off
  private var holding: HeldEstimate
  /// True while the next batch may have gaps, because the plugin may have overwritten its oldest samples.
  private var mayOverwrite = false
  private var state: Int
  /// The latest instant that a frame contained; the start of the conversation before the first frame.
  private var latest: Instant
  private var numbering: SampleNumbering

  /// The expected sequence number of the next sample.
  var nextSample: UInt64 { numbering.next }
  /// The number of lost samples, counted from gaps in the sequence numbers.
  var lostSamples: UInt64 { numbering.lost }

  /// Begins a conversation with the first process of a plugin.
  ///
  /// - Parameter firstSample: the sequence number of the first sample.
  public init(_ manifest: Manifest, firstSample: UInt64, at now: Instant) {
    self.init(ProgramDevice(manifest), firstSample: firstSample, faults: FaultBudget(at: now), at: now)
  }

  /// Begins a conversation with a later process of a plugin.
  ///
  /// - Parameters:
  ///   - firstSample: the sequence number of the first sample.
  ///   - faults: the rate limit for faults, which already counts the faults of the earlier processes.
  init(_ device: ProgramDevice, firstSample: UInt64, faults: FaultBudget, at now: Instant) {
    let manifest = device.manifest
    self.manifest = manifest
    ownManifest = device.ownManifest
    numbering = SampleNumbering(first: firstSample)
    state = manifest.initial
    latest = now
    budget = FrameBudget(manifest, at: now)
    self.faults = faults
    watch = DeliveryWatch(manifest)
    holding = HeldEstimate(capacity: manifest.fifo)
  }

  /// True when the plugin's protocol version contains the flag to overwrite the oldest samples.
  private var knowsOverwriting: Bool { minor >= FrameLayout.minorWithTransfers }
  /// True when the plugin may overwrite its oldest samples with its present setting.
  private var overwrites: Bool { setting.keepsNewest && knowsOverwriting }

  /// True while a drain is unanswered.
  var isDraining: Bool {
    unanswered.contains { request in if case .drain = request { true } else { false } }
  }

  /// Returns an estimate of the number of samples that the plugin has measured and not delivered. The host
  /// counts these samples as lost when the process has ended. The next call does not count them again.
  mutating func takeHeld(at now: Instant) -> Int {
    phase == .closed ? 0 : holding.take(at: now)
  }

  /// The number of requests that the plugin has not answered.
  var unansweredCount: Int { unanswered.count }

  // MARK: Messages to the plugin

  /// Encodes the first message. `steady` is the time of CLOCK_BOOTTIME, in nanoseconds, at the start of
  /// the conversation.
  public mutating func hello(steady: Int64) -> [UInt8] {
    encode(.hello(major: FrameLayout.major, minor: FrameLayout.minor, now: latest, steady: steady))
  }

  /// True when the plugin's protocol version supports rings.
  var supportsRing: Bool { minor >= FrameLayout.minorWithRing }

  /// Encodes an offer of a ring of `capacity` bytes for batches. Must be called before `open`.
  public mutating func offerRing(_ capacity: Int, at now: Instant) -> [UInt8] {
    offersRing = true
    return encode(.ring(capacity: capacity, at: now))
  }

  /// Encodes the request to open the device with these settings of the plugin.
  public mutating func open(_ settings: [PluginSettingEntry], at now: Instant) -> [UInt8] {
    phase = .opening
    return encode(.open(settings, at: now))
  }

  /// Encodes a setting for the device.
  ///
  /// - Returns: nil when too many requests are unanswered.
  public mutating func apply(_ setting: Setting, at now: Instant) -> [UInt8]? {
    guard unanswered.count < Self.maxUnanswered else { return nil }
    nextToken &+= 1
    unanswered.append(.setting(nextToken, setting))
    var sent = setting
    if !knowsOverwriting { sent.keepsNewest = false }
    if minor < FrameLayout.minorWithAttributes { sent.attributes = AttributeValues() }
    return encode(.apply(nextToken, sent, at: now))
  }

  /// Encodes the request to start a transfer.
  ///
  /// - Returns: nil when too many transfers are unanswered.
  public mutating func startTransfer(_ transfer: AssignedTransfer, at now: Instant) -> [UInt8]? {
    guard let number = transfers.begin(transfer.demand) else { return nil }
    return encode(.startTransfer(AssignedTransfer(demand: number, transfer: transfer.transfer), at: now))
  }

  /// Encodes the request to stop a transfer; nil when the transfer is not in progress.
  public mutating func cancelTransfer(_ demand: DemandID, at now: Instant) -> [UInt8]? {
    transfers.cancelTransfer(demand).map { encode(.cancelTransfer($0, at: now)) }
  }

  /// Encodes an order to a carrier.
  public mutating func handle(_ order: TransferOrder, at now: Instant) -> [UInt8] {
    var order = order
    if case .start(let exchange, manifest.device) = order { order = .start(exchange, on: ownManifest.device) }
    return encode(.order(order, at: now))
  }

  /// Encodes a request to deliver the samples that the plugin has stored.
  ///
  /// - Returns: nil when too many requests are unanswered.
  public mutating func drain(_ reason: DeliveryReason, at now: Instant) -> [UInt8]? {
    guard unanswered.count < Self.maxUnanswered else { return nil }
    nextToken &+= 1
    unanswered.append(.drain(nextToken, reason))
    return encode(.drain(nextToken, at: now))
  }

  /// Encodes the last message to a plugin.
  public mutating func close(at now: Instant) -> [UInt8] {
    phase = .closing
    return encode(.close(at: now))
  }

  private mutating func encode(_ frame: HostFrame) -> [UInt8] {
    defer { nextSequence += 1 }
    return frame.frame(nextSequence).bytes
  }

  // MARK: Messages from the plugin

  /// Appends bytes that arrived through the channel.
  public mutating func receive(_ bytes: ArraySlice<UInt8>) { merge.receive(bytes) }

  /// True when the ring is in use and its next frame can be passed to `receive(ring:)`.
  public var wantsFromRing: Bool { merge.wantsFromRing }

  /// True when the ring is in use.
  var hasRing: Bool { merge.hasRing }

  /// True when a frame from the ring waits for an earlier frame. The earlier frame must be in the channel.
  var needsChannel: Bool { merge.needsChannel }

  /// Accepts a frame from the ring.
  ///
  /// - Precondition: `wantsFromRing` is true.
  public mutating func receive(ring bytes: [UInt8]) { merge.receive(ring: bytes) }

  /// Counts one wake-up of the host against the plugin's rate limit.
  mutating func wake(at now: Instant) throws(FrameFault) { try budget.wake(at: now) }

  /// Checks for a missing frame. May be called only when the channel and the ring are empty.
  ///
  /// - Throws: a fault when a frame has arrived and an earlier frame is missing.
  package func missing() throws(FrameFault) { try merge.missing() }

  /// Decodes and validates the next complete frame. Must not be called again after it has thrown a fault.
  ///
  /// - Returns: nil when no complete frame has arrived.
  package mutating func next(at now: Instant) throws(FrameFault) -> PluginMessage? {
    while let (raw, isFromRing) = try merge.next() {
      let frame = try PluginFrame(raw)
      var (samples, events) = (0, 0)
      switch frame {
      case .batch(let batch, _, _), .wideBatch(let batch, _, _, _): samples = batch.count
      case .event(_, let count, _): events = count
      default: break
      }
      if isFromRing, samples == 0 {
        throw FrameFault(.order, "sent \(frame.name) through its ring, which is for batches")
      }
      try budget.spend(samples: samples, events: events, at: now)
      let instant = try hostInstant(frame.instant, now)
      switch (phase, frame) {
      case (.greeting, .welcome(let major, let minor)): try greet(major, minor)
      case (.describing, .manifest(let description)):
        scales = try description.scales(for: ownManifest)
        return .described
      case (.opening, .mapped):
        guard offersRing, !merge.hasRing else {
          throw FrameFault(.order, "accepted a ring that was not offered")
        }
        merge.openRing()
      case (.opening, .opened):
        phase = .serving
        return .opened
      case (.describing, .draft), (.opening, .draft), (.serving, .draft), (.closing, .draft): break
      case (.serving, _), (.closing, _): return try serve(frame, at: instant)
      default: throw FrameFault(.order, "sent \(frame.name) where \(expectedFrame) is expected")
      }
    }
    return nil
  }

  private mutating func greet(_ major: UInt16, _ minor: UInt16) throws(FrameFault) {
    if let fault = manifest.versionFault(major, minor) { throw fault }
    self.minor = minor
    phase = .describing
  }

  private var expectedFrame: String {
    switch phase {
    case .greeting: "welcome"
    case .describing: "manifest"
    case .opening: "opened"
    case .serving, .closing: "another message"
    case .closed: "nothing"
    }
  }

  /// Returns the instant of a frame in the host's time. Successive results never decrease and are never in
  /// the future.
  private mutating func hostInstant(_ instant: Instant?, _ now: Instant) throws(FrameFault) -> Instant {
    guard let instant else { return now }
    guard instant <= now + Self.tolerance else {
      throw FrameFault(.time, "sent an instant \(Instant.span(from: now, to: instant)) in the future")
    }
    guard instant >= latest else {
      throw FrameFault(
        .time, "sent an instant \(Instant.span(from: instant, to: latest)) before the previous one")
    }
    latest = instant
    return min(instant, now)
  }

  private mutating func serve(_ frame: PluginFrame, at instant: Instant) throws(FrameFault) -> PluginMessage {
    switch frame {
    case .applied(let token, let state, let period, _):
      guard case .setting(token, let setting)? = unanswered.first else {
        throw FrameFault(.order, "answered setting \(token), which is not the next one")
      }
      unanswered.removeFirst()
      self.setting = setting
      mayOverwrite = mayOverwrite || overwrites
      return try enter(state, period, at: instant)
    case .refused(let token, let text, _):
      guard case .setting(token, _)? = unanswered.first else {
        throw FrameFault(.order, "refused setting \(token), which is not the next one")
      }
      unanswered.removeFirst()
      return .outcome(.fault("refuses its setting: \(text)"), at: instant)
    case .drained(let token, _):
      guard case .drain(token, _)? = unanswered.first else {
        throw FrameFault(.order, "answered drain \(token), which is not the next one")
      }
      unanswered.removeFirst()
      holding.empty(at: instant)
      return .answered
    case .closed:
      guard phase == .closing else { throw FrameFault(.order, "closed without a request") }
      phase = .closed
      return .closed
    case .batch(let samples, let reason, _): return try batch(samples, nil, reason, at: instant)
    case .wideBatch(let samples, let wide, let reason, _):
      return try batch(samples, wide, reason, at: instant)
    case .fact(let fact, let value, _): return try self.fact(fact, value, at: instant)
    case .state(let state, let period, _): return try enter(state, period, at: instant)
    case .event(let event, let count, _):
      guard manifest.events.indices.contains(event) else {
        throw FrameFault(.value, "reported event \(event), which its manifest does not declare")
      }
      return .outcome(.event(event, count: count), at: instant)
    case .available(let isThere, _): return .available(isThere, at: instant)
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
    case .welcome, .manifest, .opened, .mapped, .draft:
      throw FrameFault(.order, "sent \(frame.name) a second time")
    }
  }

  private mutating func enter(
    _ state: Int, _ period: TimeSpan?, at instant: Instant
  ) throws(FrameFault) -> PluginMessage {
    guard manifest.states.indices.contains(state) else {
      throw FrameFault(.value, "reported state \(state), which its manifest does not declare")
    }
    let (old, new) = (manifest.states[self.state], manifest.states[state])
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
    return .fact(fact, value, at: instant)
  }

  private mutating func batch(
    _ samples: [Sample], _ wide: WideValues?, _ reason: DeliveryReason, at instant: Instant
  ) throws(FrameFault) -> PluginMessage {
    guard wide?.width ?? 0 == manifest.wideWidth else {
      throw FrameFault(
        .value,
        "sent samples with \(Channel.inlineCount + (wide?.width ?? 0)) values, but its manifest has "
          + "\(manifest.channels.count) channels")
    }
    let samples = try numbering.numbered(
      samples, channels: manifest.channels.count, notAfter: latest, gapsAreLosses: !mayOverwrite)
    if let last = samples.last { holding.empty(at: last.instant) }
    mayOverwrite = overwrites
    if let fault = watch.stateFault(in: samples) { throw FrameFault(.state, fault) }
    var reason = reason
    if reason == .ended, case .drain(_, let requested)? = unanswered.first { reason = requested }
    // The rows of wide values get the sequence numbers of the device, like the samples.
    let rows = wide.map { WideValues(width: $0.width, samples: samples, values: $0.values) }
    return .batch(Batch(device: manifest.device, samples: samples, reason: reason, wide: rows), at: instant)
  }
}
