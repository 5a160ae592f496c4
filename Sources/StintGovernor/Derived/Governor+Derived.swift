public import StintModel
import StintUnits

/// Provides the inputs of derived facts and sets their values.
extension Governor {
  /// Returns the present inputs of derived facts.
  @inline(__always) func derivedContext() -> DerivedContext {
    DerivedContext(
      facts: facts, devices: devices, demands: demands, ruleServices: services.running,
      vocabulary: vocabulary,
      timeZone: timeZone, now: now)
  }

  /// Sets the derived facts that changed. Returns true when at least one changed.
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

  /// Computes the derived facts if their inputs changed or their timer expired.
  mutating func updateDerived() {
    guard derived.mustUpdate(at: now) else { return }
    derived.update(derivedContext(), &energy)
    publishDerived()
  }

  /// Performs the transitions of state machines whose rules are in force. Returns true when a state changed.
  mutating func advanceStateMachines() -> Bool {
    guard derived.advance(rules.isActive, at: now, &effects) else { return false }
    publishDerived()
    return true
  }

  /// Resets the facts that are true for one evaluation only. Returns true when there was such a fact.
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

  /// Publishes which rules are in force, for policy tests that refer to rules. Returns true when a value
  /// changed.
  mutating func publishRules() -> Bool {
    guard derived.hasRules else { return false }
    derived.updateRules(rules.isActive)
    return publishDerived()
  }

  /// Publishes the grants, for policy tests that refer to grants. Only the rules of the test read these
  /// facts.
  mutating func publishGrants() {
    guard derived.hasGrants else { return }
    derived.updateGrants(derivedContext())
    if publishDerived() { evaluateRules() }
  }

  /// Applies new time zone rules after a change of the host's wall clock or time zone.
  ///
  /// Time spans are not affected: holds, deadlines, lingers, `for`, `every`. Schedules and periods of budgets
  /// follow the new local time.
  mutating func follow(_ rules: TimeZoneRules) {
    guard rules != timeZone else { return }
    let former = timeZone
    timeZone = rules
    self.rules.set(timeZone: rules, at: now)
    derived.follow(from: former, derivedContext(), &energy)
  }

  /// Returns the grant of a client's first demand on a device; nil when the client has no demand there.
  public func grant(of client: ClientID, on device: DeviceID) -> Grant? {
    vocabulary.device(device).flatMap { demands.first(of: client, among: devices[$0].requested)?.grant }
  }
}
