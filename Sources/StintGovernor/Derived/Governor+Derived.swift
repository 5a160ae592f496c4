public import StintModel
import StintUnits

/// How the governor gives derived facts what they read, and sets what they publish.
extension Governor {
  /// What derived facts are computed from now.
  @inline(__always) func derivedContext() -> DerivedContext {
    DerivedContext(
      facts: facts, devices: devices, demands: demands, leases: services.leases,
      vocabulary: vocabulary,
      timeZone: timeZone, now: now)
  }

  /// Sets the derived facts that changed; true where one did.
  @discardableResult
  mutating func publishDerived() -> Bool {
    guard !derived.publications.isEmpty else { return false }
    var hasChanged = false
    for index in derived.publications.indices {
      let publication = derived.publications[index]
      guard facts.value(publication.fact) != publication.value else { continue }
      setFact(publication.fact, publication.value)
      hasChanged = true
    }
    derived.endPublishing()
    return hasChanged
  }

  /// Computes derived facts again where something changed.
  mutating func updateDerived() {
    guard derived.mustUpdate(at: now) else { return }
    derived.update(derivedContext(), &energy)
    publishDerived()
  }

  /// Moves state machines that rules lead out of their states; true where one moved.
  mutating func advanceStateMachines() -> Bool {
    guard derived.advance(rules.isHeld, at: now, &effects) else { return false }
    publishDerived()
    return true
  }

  /// Ends what is true for one evaluation only; true where something was.
  mutating func endPulses() -> Bool {
    if derived.endZonePulses() {
      publishDerived()
      return true
    }
    guard derived.observations.hasPulses else { return false }
    derived.endObservedPulses(derivedContext(), energy)
    publishDerived()
    return true
  }

  /// Publishes which rules hold, where a test asks; true where one changed.
  mutating func publishRules() -> Bool {
    guard derived.hasRules else { return false }
    derived.updateRules(&rules)
    return publishDerived()
  }

  /// Publishes what demands are granted, where a test asks: only the test's own rules read it.
  mutating func publishGrants() {
    guard derived.hasGrants else { return }
    derived.updateGrants(derivedContext())
    if publishDerived() { evaluateRules() }
  }

  /// The wall clock of the host was set, or its time zone changed.
  ///
  /// What counts spans of time goes on: holds, deadlines, lingers, `for`, `every`. Schedules and periods of budgets go by
  /// the new local time.
  mutating func follow(_ rules: TimeZoneRules) {
    guard rules != timeZone else { return }
    let former = timeZone
    timeZone = rules
    self.rules.set(timeZone: rules, at: now)
    derived.follow(from: former, derivedContext(), &energy)
  }

  /// The grant of the first of a client's demands on a device; nil where the client has none there.
  public func grant(of client: ClientID, on device: DeviceID) -> Grant? {
    vocabulary.device(device).flatMap { demands.first(of: client, among: devices[$0].requested)?.grant }
  }
}
