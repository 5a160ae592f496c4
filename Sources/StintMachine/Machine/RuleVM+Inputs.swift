public import StintModel
public import StintUnits

extension RuleVM {
  /// Sets the value of a fact, identified by its index in the vocabulary. A fact that no rule reads is
  /// ignored.
  ///
  /// `instant` may be before `now`, for example when a policy is loaded into a running governor. The age of
  /// the value counts from `instant`.
  public mutating func set(fact: Int, _ value: FactValue, at instant: Instant) {
    guard fact < plan.places.count, plan.places[fact] >= 0 else { return }
    if instant > now { advance(to: instant) }
    let place = Int(plan.places[fact])
    let number = Self.number(value)
    if number >= facts[place].low, number < facts[place].high {
      facts[place].value = number
      facts[place].knownValue = number
      facts[place].instant = instant
      return
    }
    facts[place].value = number
    facts[place].instant = instant
    updateFact(place)
    if !number.isNaN {
      for item in plan.windows.range(of: place) {
        slots[plan.windows[item]].window.append(number, at: instant)
      }
    }
    for item in plan.refreshed.range(of: place) { dirty.insert(plan.refreshed[item]) }
  }

  /// Computes the value that rules read: the published value, or unknown when it is too old. Also sets the
  /// timer for the expiry of the published value.
  private mutating func updateFact(_ place: Int) {
    var number = facts[place].value
    if let maxAge = plan.maxAges[place] {
      var timer = TimerTree.never
      if !number.isNaN {
        let staleAt = facts[place].instant + maxAge + TimeSpan(nanoseconds: 1)
        if staleAt > now { timer = staleAt.nanoseconds } else { number = .nan }
      }
      ages.set(place, to: timer)
    }
    setKnownValue(place, number)
  }

  /// Sets the value that rules read. When it differs from the previous value, marks the readers of the fact
  /// as dirty.
  mutating func setKnownValue(_ place: Int, _ number: Double) {
    let before = facts[place].knownValue
    guard before != number, !(before.isNaN && number.isNaN) else { return }
    facts[place].knownValue = number
    for item in plan.readers.range(of: place) { dirty.insert(plan.readers[item]) }
    move(source: place, to: number)
  }

  /// Updates the rank of a source, and marks as dirty the rules with a watched threshold between the two
  /// ranks.
  @inline(__always)
  mutating func move(source: Int, to number: Double) {
    let track = Int(plan.index.trackOfSource[source])
    guard track >= 0 else { return }
    let before = Int(indexedRules.ranks[track])
    let rank = plan.index.rank(of: number, on: track, near: before)
    guard rank != before else { return }
    for item in plan.index.watchTransitions.between(before, and: rank, of: track) {
      dirty.insert(plan.index.watchTransitions[item])
    }
    indexedRules.move(track, to: rank, plan.index)
    guard source < facts.count, plan.isPlain[source] else { return }
    (facts[source].low, facts[source].high) = plan.index.interval(of: rank, on: track)
  }

  /// Changes the time zone from an instant on. Schedules are computed again; time spans are not affected.
  public mutating func set(timeZone rules: TimeZoneRules, at instant: Instant) {
    if instant > now { advance(to: instant) }
    timeZone = rules
    for index in schedules.indices { schedules[index] = ScheduleState() }
    // Rules with schedules are never indexed.
    if !schedules.isEmpty { for rule in plan.unindexedRules { dirty.insert(Int(rule)) } }
  }

  /// Sets whether the device has a demand. Takes effect at the next `evaluate(at:)` or `propagate`.
  public mutating func setDemanded(_ device: DeviceID, _ isDemanded: Bool) {
    guard let place = image.devices.firstIndex(of: device) else { return }
    if isDemanded == self.isDemanded[place] { turned.remove(place) } else { turned.insert(place) }
  }

  /// Reports that a device succeeded. The activation counts of all directives on the device restart at 0, so
  /// a doubling duration starts again at its first value.
  public mutating func succeeded(device: DeviceID) {
    for number in runs.indices
    where runs[number].count > 0 && image.directives[number].directive.targets.contains(device) {
      runs[number].count = 0
    }
  }

  /// Returns a fact's value as a number: 1 for true, 0 for false, the index for a symbol, and NaN for
  /// unknown.
  private static func number(_ value: FactValue) -> Double {
    switch value {
    case .unknown: .nan
    case .boolean(let truth): truth ? 1 : 0
    case .number(let number): number
    case .symbol(let index): Double(index)
    }
  }
}
