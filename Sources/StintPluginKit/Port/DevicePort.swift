public import StintModel
public import StintUnits

/// A plugin's only way to the host: what it says waits here, in order, until the host takes it.
///
/// A port may be used from any thread. It believes nothing: what does not fit the manifest is not passed on
/// but counted and told as a fault outcome; an instant before an earlier one is counted and taken as that one.
/// Events beyond `RateBudget.events(of:at:)` are faults, and a sensor that delivers while it says that it is off is
/// booked as on (see `DeliveryWatch`). A port holds at most `capacity` events; what comes on top is dropped, counted in
/// `dropped`, and told as one fault when the host takes the rest.
public final class DevicePort: Sendable {
  /// How many events may wait before new ones are dropped.
  public static let capacity = 65_536

  public let manifest: Manifest
  private let state: Locked<State>
  private let onReady: (@Sendable () -> Void)?
  private let gates: [FactGate]

  private struct State {
    var budget: RateBudget
    var watch: DeliveryWatch
    /// Whether a fault of the numbers of samples is reported already.
    var misnumbers = false
    var events: [PortEvent] = []
    var alarm: Instant?
    var latest = Instant(nanoseconds: .min)
    var faults = 0
    var dropped = 0
    var unreportedDrops = 0
  }

  /// Makes the port of one device.
  ///
  /// - Parameter onReady: called, outside every lock and on the thread of the plugin, when the first event
  ///   waits or the alarm moves; for hosts in real time. It must only note that and return.
  public init(manifest: Manifest, onReady: (@Sendable () -> Void)? = nil) {
    self.manifest = manifest
    self.onReady = onReady
    let budget = RateBudget.events(of: manifest, at: Instant(nanoseconds: .min))
    state = Locked(State(budget: budget, watch: DeliveryWatch(manifest)))
    self.gates = manifest.facts.map { FactGate($0) }
  }

  // MARK: For the plugin

  /// Says what the device does now, has done, or could not do.
  public func report(_ outcome: Outcome, at instant: Instant) {
    guard let rejectionReason = rejectionReason(for: outcome) else {
      append(.outcome(outcome, at: instant), at: instant)
      return
    }
    fault(rejectionReason, at: instant)
  }

  /// Looks a fact up by its path or by its name behind the device's, as manifests spell it.
  public func handle(_ name: String) -> FactHandle {
    let path = manifest.device.path + "." + name
    return FactHandle(index: manifest.facts.firstIndex { $0.path == name || $0.path == path } ?? -1)
  }

  /// Publishes a fact by name; `handle(_:)` and the other form save the search.
  public func publish(_ name: String, _ value: FactValue, at instant: Instant) {
    let fact = handle(name)
    guard fact.index >= 0 else {
      fault("published “\(name)”, which its manifest does not declare", at: instant)
      return
    }
    publish(fact, value, at: instant)
  }

  /// Publishes a fact.
  public func publish(_ fact: FactHandle, _ value: FactValue, at instant: Instant) {
    guard gates.indices.contains(fact.index) else {
      fault("published a fact that its manifest does not declare", at: instant)
      return
    }
    if gates[fact.index].admits(value) {
      append(.fact(fact.index, value, at: instant), at: instant)
    } else {
      let rejectionReason = manifest.facts[fact.index].rejectionReason(for: value)
      fault(rejectionReason ?? "published a value that its manifest does not allow", at: instant)
    }
  }

  /// Hands samples over.
  ///
  /// - Parameter instant: the moment of handing over, not before the last sample.
  public func deliver(_ batch: Batch, at instant: Instant) {
    guard batch.device == manifest.device else {
      fault("delivered samples of \(batch.device)", at: instant)
      return
    }
    append(.batch(batch, at: instant), at: instant)
  }

  /// Says that a transfer is through.
  public func carried(_ demand: DemandID, at instant: Instant) {
    append(.carried(demand, at: instant), at: instant)
  }

  /// Says that the device came or went; a device is taken to be there once it is open.
  public func available(_ isThere: Bool, at instant: Instant) {
    append(.available(isThere, at: instant), at: instant)
  }

  /// Asks for `wake` at this instant; there is one alarm for each device, and nil cancels it.
  public func setAlarm(at instant: Instant?) {
    let moved = state.withLock { state in
      guard state.alarm != instant else { return false }
      state.alarm = instant
      return true
    }
    if moved { onReady?() }
  }

  // MARK: For the host

  /// Moves what waits behind the end of `events`, oldest first, and returns the alarm that stands.
  @discardableResult
  public func drainEvents(into events: inout [PortEvent]) -> Instant? {
    state.withLock { state in
      if !state.events.isEmpty {
        events.append(contentsOf: state.events)
        state.events.removeAll(keepingCapacity: true)
      }
      if state.unreportedDrops > 0 {
        let text = "said too much at once: \(state.unreportedDrops) events were dropped"
        events.append(.outcome(.fault(text), at: state.latest))
        state.unreportedDrops = 0
      }
      return state.alarm
    }
  }

  /// When the plugin wants to be woken; nil for never.
  public var alarm: Instant? { state.withLock { $0.alarm } }

  /// Takes the alarm away because it is about to be answered, so that a plugin which sets none is not woken
  /// for ever.
  public func clearAlarm() { state.withLock { $0.alarm = nil } }

  /// How many times the plugin said something that does not fit its manifest.
  public var faults: Int { state.withLock { $0.faults } }

  /// How many events did not find room.
  public var dropped: Int { state.withLock { $0.dropped } }

  // MARK: Inside

  private func rejectionReason(for outcome: Outcome) -> String? {
    switch outcome {
    case .state(let index, let period):
      if !manifest.states.indices.contains(index) {
        return "reported state number \(index), of which there is none"
      }
      return period.flatMap { InputBounds.rejectionReason(forPeriod: $0) }.map { "reported \($0)" }
    case .event(let index, let count):
      if !manifest.events.indices.contains(index) {
        return "reported event number \(index), of which there is none"
      }
      return count < 0 ? "reported an event \(count) times" : nil
    case .fault: return nil
    }
  }

  private func fault(_ text: String, at instant: Instant) {
    state.withLock { $0.faults += 1 }
    append(.outcome(.fault(text), at: instant), at: instant)
  }

  private func append(_ event: PortEvent, at instant: Instant) {
    let first = state.withLock { state in
      guard state.events.count < Self.capacity else {
        state.dropped += 1
        state.unreportedDrops += 1
        return false
      }
      let wasEmpty = state.events.isEmpty
      if instant < state.latest {
        state.faults += 1
        let text = "spoke of \(state.latest - instant) ago after what came later"
        state.events.append(.outcome(.fault(text), at: state.latest))
      } else {
        state.latest = instant
      }
      judge(event.moved(to: state.latest), &state)
      return wasEmpty
    }
    if first { onReady?() }
  }

  /// Keeps an event, with a fault where it contradicts what the device said before or counts too much.
  private func judge(_ event: PortEvent, _ state: inout State) {
    var faults: [String] = []
    switch event {
    case .outcome(.event(let index, let count), let instant) where !state.budget.spend(count, at: instant):
      let most = Int(state.budget.perSecond)
      state.faults += 1
      let name = manifest.events[index].name
      let text = "reported “\(name)” \(count) times; at most \(most) a second are booked"
      state.events.append(.outcome(.fault(text), at: instant))
      return
    case .outcome(.state(let index, _), let instant): state.watch.enter(index, at: instant)
    case .batch(let batch, let instant):
      if let rejectionReason = state.watch.rejectionReason(for: batch.samples),
        let real = state.watch.accountedState
      {
        // What it draws is booked as if it were on, until it says again that it is off.
        state.watch.enter(real, at: instant)
        state.events.append(.outcome(.state(real, period: nil), at: instant))
        faults.append("\(rejectionReason); booked as “\(manifest.states[real].name)”")
      }
      let rejectionReason = state.watch.numberObjection(to: batch.samples)
      if let rejectionReason, !state.misnumbers { faults.append(rejectionReason) }
      state.misnumbers = rejectionReason != nil
    default: break
    }
    state.faults += faults.count
    state.events += faults.map { .outcome(.fault($0), at: event.instant) }
    state.events.append(event)
  }
}
