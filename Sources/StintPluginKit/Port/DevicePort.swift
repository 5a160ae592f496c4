public import StintModel
public import StintUnits

/// The only channel from a plugin to the host: a queue of events that the host empties.
///
/// May be used from any thread. The port checks every event. An event that does not fit the manifest is not
/// forwarded; the port counts it and reports a fault. A number outside the manifest's range is not forwarded
/// and is counted in `droppedReadings`. An event whose instant precedes that of the previous event counts as
/// a fault and gets the instant of the previous event. An event that costs energy and exceeds the rate limit
/// of `RateBudget.events(of:at:)` is replaced by a fault. When samples contradict the off-state that a sensor
/// has reported, the port queues an on-state and a fault before these samples (see `DeliveryWatch`). A port
/// accepts no event while `capacity` events wait. Such events are dropped, counted in `dropped`, and reported
/// as one fault at the next drain.
public final class DevicePort: Sendable {
  /// While this number of events wait, further events are dropped.
  public static let capacity = 65_536

  /// The manifest of the device, with the names that the site gives to the device.
  public let manifest: Manifest
  /// The manifest with the plugin's own names. The plugin may use both kinds of names.
  let own: Manifest
  private let state: Locked<State>
  private let onReady: (@Sendable () -> Void)?
  /// The number of channels after the fourth channel. Computing it for each batch would add 3 % to the time
  /// that one sample takes.
  private let wideWidth: Int
  private let hasBytes: Bool
  /// False in a plugin's own process. There, the port forwards finite numbers out of range, because the port
  /// of the host drops and counts them.
  let checksRanges: Bool
  private let gates: [FactGate]
  private let channelGates: [ChannelGate]

  private struct State {
    var budget: RateBudget
    var watch: DeliveryWatch
    /// True when the sequence numbers of the last batch were invalid. The same fault of the next batch is
    /// then not reported again.
    var hasInvalidSequence = false
    var events: [PortEvent] = []
    var alarm: Instant?
    var latest = Instant(nanoseconds: .min)
    var faults = 0
    var droppedReadings = DroppedReadings()
    var dropped = 0
    var unreportedDrops = 0
    var loop: (any PluginLoop)?
    /// The known keys of each family of facts, by index into the manifest's `facts`.
    var keys: [Int: FactKeys] = [:]
  }

  /// Makes the port of one device.
  ///
  /// - Parameters:
  ///   - manifest: the manifest of the device.
  ///   - own: the manifest as the plugin has it; nil when the site does not rename the device.
  ///   - onReady: called when the queue becomes non-empty, the alarm changes, or the first value or sample is
  ///     dropped. The call is outside every lock and on the plugin's thread, so the function must only record
  ///     the call and return.
  ///   - loop: the event loop of the program; nil for a program without a loop.
  ///   - checksRanges: false to forward numbers outside the manifest's ranges to another port.
  public init(
    manifest: Manifest, own: Manifest? = nil, on loop: (any PluginLoop)? = nil, checksRanges: Bool = true,
    onReady: (@Sendable () -> Void)? = nil
  ) {
    self.manifest = manifest
    self.checksRanges = checksRanges
    self.own = own ?? manifest
    self.onReady = onReady
    let budget = RateBudget.events(of: manifest, at: Instant(nanoseconds: .min))
    state = Locked(State(budget: budget, watch: DeliveryWatch(manifest), loop: loop))
    wideWidth = manifest.wideWidth
    hasBytes = !manifest.byteChannels.isEmpty
    self.gates = manifest.facts.map { FactGate($0) }
    self.channelGates = ChannelGate.gates(of: manifest)
  }

  // MARK: For the plugin

  /// The event loop of the program, valid from `open` on. In a plugin's own process, it is the loop of that
  /// process. Nil in a program without a loop, such as a simulation without real devices.
  public var loop: (any PluginLoop)? { state.withLock { $0.loop } }

  /// Reports a power state, an event or a fault of the device.
  public func report(_ outcome: Outcome, at instant: Instant) {
    guard let rejectionReason = rejectionReason(for: outcome) else {
      append(.outcome(outcome, at: instant), at: instant)
      return
    }
    fault(rejectionReason, at: instant)
  }

  /// Finds a fact by its full path in the manifest, or by its name relative to the device.
  ///
  /// - Returns: a handle with a negative index when the manifest does not declare the fact.
  public func handle(_ name: String) -> FactHandle {
    FactHandle(index: Self.index(of: name, in: own) ?? Self.index(of: name, in: manifest) ?? -1)
  }

  private static func index(of name: String, in manifest: Manifest) -> Int? {
    let path = manifest.device.path + "." + name
    return manifest.facts.firstIndex { $0.path == name || $0.path == path }
  }

  /// Publishes a fact by name. To look up the name only once, call `handle(_:)` and publish with the handle.
  /// The name of a fact of a family contains its key: `tag.4711`.
  public func publish(_ name: String, _ value: FactValue, at instant: Instant) {
    let fact = handle(name)
    if fact.index < 0, let (family, key) = family(of: name) {
      return publish(family, key: key, value, at: instant)
    }
    guard fact.index >= 0 else {
      fault("published “\(name)”, which its manifest does not declare", at: instant)
      return
    }
    publish(fact, value, at: instant)
  }

  /// Publishes a fact. A number outside the manifest's range is dropped and counted. Any other value that the
  /// manifest does not allow becomes a fault.
  public func publish(_ fact: FactHandle, _ value: FactValue, at instant: Instant) {
    guard gates.indices.contains(fact.index) else {
      fault("published a fact that its manifest does not declare", at: instant)
      return
    }
    guard !manifest.facts[fact.index].isFamily else { return withdrawKeys(of: fact, value, at: instant) }
    guard !gates[fact.index].admits(value),
      checksRanges || !manifest.facts[fact.index].isOutOfRange(value)
    else {
      append(.fact(fact.index, value, at: instant), at: instant)
      return
    }
    let schema = manifest.facts[fact.index]
    let rejectionReason =
      schema.rejectionReason(for: value) ?? "published a value that its manifest does not allow"
    if schema.isOutOfRange(value) { drop(rejectionReason) } else { fault(rejectionReason, at: instant) }
  }

  /// Delivers samples. Samples with a number outside the manifest's range are dropped and counted.
  ///
  /// - Parameters:
  ///   - batch: the samples, oldest first.
  ///   - instant: the instant of the delivery, not before the last sample.
  public func deliver(_ batch: Batch, at instant: Instant) {
    var batch = batch
    if batch.device == own.device { batch.device = manifest.device }
    guard batch.device == manifest.device else {
      fault("delivered samples of \(batch.device)", at: instant)
      return
    }
    if let wideFault = wideFault(of: batch) {
      fault(wideFault, at: instant)
      return
    }
    guard let batch = checksRanges ? samplesInRange(of: batch) : finiteSamples(of: batch, at: instant) else {
      append(.rejectedBatch(at: instant), at: instant)
      return
    }
    append(.batch(batch, at: instant), at: instant)
  }

  /// Returns the fault in the values of the channels after the fourth channel, or in the bytes. Nil when
  /// these values are valid.
  private func wideFault(of batch: Batch) -> String? {
    let width = batch.wide?.width ?? 0
    if width != wideWidth {
      return "delivered samples with \(width) values after the fourth, but its manifest has \(wideWidth)"
    }
    if hasBytes || batch.wide?.bytes != nil, let byteFault = manifest.byteFault(of: batch.wide?.bytes) {
      return "delivered \(byteFault)"
    }
    guard let wide = batch.wide else { return nil }
    if !batch.samples.allSatisfy({ wide.hasRow(of: $0) }) {
      return "delivered a sample without the values of the channels after the fourth, or without its bytes"
    }
    return wide.values.contains { !$0.isFinite } ? "delivered a value that is not a finite number" : nil
  }

  /// Returns the batch without the samples that have a number that is not finite, and reports a fault for
  /// them; nil when no sample is left. A frame cannot contain such a number.
  private func finiteSamples(of batch: Batch, at instant: Instant) -> Batch? {
    func isFinite(_ sample: Sample) -> Bool {
      [sample.first, sample.second, sample.third, sample.fourth].allSatisfy(\.isFinite)
    }
    guard !batch.samples.allSatisfy(isFinite) else { return batch }
    fault("delivered a value that is not a finite number", at: instant)
    var remaining = batch
    remaining.samples.removeAll { !isFinite($0) }
    return remaining.samples.isEmpty ? nil : remaining
  }

  /// Returns the batch without the samples that are out of range; nil when no sample is left.
  private func samplesInRange(of batch: Batch) -> Batch? {
    func reason(_ sample: Sample) -> String? {
      for gate in channelGates {
        if let reason = gate.rejectionReason(for: sample, batch.wide) { return reason }
      }
      return nil
    }
    guard !channelGates.isEmpty, batch.samples.contains(where: { reason($0) != nil }) else { return batch }
    var remaining = batch
    remaining.samples.removeAll { sample in
      guard let reason = reason(sample) else { return false }
      drop(reason)
      return true
    }
    return remaining.samples.isEmpty ? nil : remaining
  }

  /// Reports that a transfer is complete.
  public func carried(_ demand: DemandID, at instant: Instant) {
    append(.carried(demand, at: instant), at: instant)
  }

  /// Sends a carrier's report about one attempt of a transfer task. The host ignores further reports about
  /// the attempt after `finished` or `failed`.
  public func report(_ report: TransferReport, about exchange: TransferExchange, at instant: Instant) {
    transferred(AttemptReport(report, key: exchange.key, attempt: exchange.attempt), at: instant)
  }

  /// Forwards a report of a carrier in another process or in a library.
  package func transferred(_ report: AttemptReport, at instant: Instant) {
    guard manifest.provides.contains(.carrier) else {
      fault("reported about a transfer, but its manifest does not provide “carrier”", at: instant)
      return
    }
    append(.transferred(report, at: instant), at: instant)
  }

  /// Reports whether the device is available. A device counts as available once it is open.
  public func available(_ isThere: Bool, at instant: Instant) {
    append(.available(isThere, at: instant), at: instant)
  }

  /// Requests a call of `DevicePlugin.wake` at this instant. Each device has one alarm; nil cancels the
  /// alarm.
  public func setAlarm(at instant: Instant?) {
    let isChanged = state.withLock { state in
      guard state.alarm != instant else { return false }
      state.alarm = instant
      return true
    }
    if isChanged { onReady?() }
  }

  // MARK: For the host

  /// Sets the loop of the program. Must be called before the plugin is opened.
  package func attach(_ loop: (any PluginLoop)?) { state.withLock { $0.loop = loop } }

  /// Moves the waiting events to the end of `events`, oldest first. Returns the instant of the alarm; nil
  /// without an alarm.
  @discardableResult
  public func drainEvents(into events: inout [PortEvent]) -> Instant? {
    state.withLock { state in
      if events.isEmpty {
        swap(&events, &state.events)
      } else {
        events.append(contentsOf: state.events)
        state.events.removeAll(keepingCapacity: true)
      }
      if state.unreportedDrops > 0 {
        let text = "sent too many events at once; dropped events: \(state.unreportedDrops)"
        events.append(.outcome(.fault(text), at: state.latest))
        state.unreportedDrops = 0
      }
      return state.alarm
    }
  }

  /// The instant of the requested wake-up; nil without a request.
  public var alarm: Instant? { state.withLock { $0.alarm } }

  /// Cancels the alarm because the host is about to call `wake`. Otherwise the expired alarm would stay set,
  /// and the host would call `wake` again without end.
  public func clearAlarm() { state.withLock { $0.alarm = nil } }

  /// The number of faults that the port detected in the events of the plugin. Faults that the plugin itself
  /// reported are not counted.
  public var faults: Int { state.withLock { $0.faults } }

  /// The published values and samples that were dropped because they were outside the manifest's ranges.
  public var droppedReadings: DroppedReadings { state.withLock { $0.droppedReadings } }

  /// The number of events that were dropped because the queue was full.
  public var dropped: Int { state.withLock { $0.dropped } }

  // MARK: Implementation

  private func rejectionReason(for outcome: Outcome) -> String? {
    switch outcome {
    case .state(let index, let period):
      if !manifest.states.indices.contains(index) {
        return "reported state \(index), which its manifest does not declare"
      }
      return period.flatMap { InputBounds.rejectionReason(forPeriod: $0) }.map { "reported \($0)" }
    case .event(let index, let count):
      if !manifest.events.indices.contains(index) {
        return "reported event \(index), which its manifest does not declare"
      }
      return count < 0 ? "reported an event \(count) times" : nil
    case .fault: return nil
    }
  }

  /// Returns whether the family has room for the key, and records the key.
  func admits(
    _ family: Int, _ key: String, _ value: FactValue, _ schema: FactSchema, at instant: Instant
  ) -> Bool {
    state.withLock { state in
      let now = max(instant, state.latest)
      return state.keys[family, default: FactKeys()].set(key, value, of: schema, at: now)
    }
  }

  /// Returns the known keys of a family, sorted.
  func knownKeys(of family: Int) -> [String] {
    state.withLock { $0.keys[family]?.entries.map(\.key) ?? [] }
  }

  /// Counts a dropped value or sample, and wakes the host for the first of them.
  func drop(_ reason: String) {
    let isFirst = state.withLock { state in
      state.droppedReadings.note(reason)
      return state.droppedReadings.count == 1
    }
    if isFirst { onReady?() }
  }

  func fault(_ text: String, at instant: Instant) {
    state.withLock { $0.faults += 1 }
    append(.outcome(.fault(text), at: instant), at: instant)
  }

  func append(_ event: PortEvent, at instant: Instant) {
    let isFirst = state.withLock { state in
      guard state.events.count < Self.capacity else {
        state.dropped += 1
        state.unreportedDrops += 1
        return false
      }
      let wasEmpty = state.events.isEmpty
      if instant < state.latest {
        state.faults += 1
        let text = "reported an event dated \(state.latest - instant) before the previous one"
        state.events.append(.outcome(.fault(text), at: state.latest))
        enqueue(event.moved(to: state.latest), &state)
      } else {
        state.latest = instant
        enqueue(event, &state)
      }
      return wasEmpty
    }
    if isFirst { onReady?() }
  }

  /// Queues an event. When the event contradicts earlier reports, a fault is queued before it. When the event
  /// exceeds the rate limit, a fault is queued in its place.
  private func enqueue(_ event: PortEvent, _ state: inout State) {
    var faults: [String] = []
    switch event {
    case .outcome(.event(let index, let count), let instant) where !state.budget.spend(count, at: instant):
      let most = Int(state.budget.perSecond)
      state.faults += 1
      let name = manifest.events[index].name
      let text = "reported “\(name)” too often (\(count)); at most \(most) a second are charged"
      state.events.append(.outcome(.fault(text), at: instant))
      return
    case .outcome(.state(let index, _), let instant): state.watch.enter(index, at: instant)
    case .batch(let batch, let instant):
      if let stateFault = state.watch.stateFault(in: batch.samples),
        let accounted = state.watch.accountedState
      {
        // The device is accounted as on until it reports off again.
        state.watch.enter(accounted, at: instant)
        state.events.append(.outcome(.state(accounted, period: nil), at: instant))
        faults.append("\(stateFault); charged as “\(manifest.states[accounted].name)”")
      }
      let sequenceFault = state.watch.sequenceFault(in: batch.samples)
      if let sequenceFault, !state.hasInvalidSequence { faults.append(sequenceFault) }
      state.hasInvalidSequence = sequenceFault != nil
    default: break
    }
    if !faults.isEmpty {
      state.faults += faults.count
      state.events += faults.map { .outcome(.fault($0), at: event.instant) }
    }
    state.events.append(event)
  }
}
