public import StintModel
public import StintUnits

extension RuleVM {
  /// Publishes a fact by its number in the vocabulary; facts that no rule reads cost nothing.
  ///
  /// A value from before `now` counts with its own age, as when a policy is loaded into a running governor.
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

  /// Believes what was published, unless it is too old, and sets the timer for when it will be.
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

  /// Changes what is believed, and has the fact's readers looked at if it is something else.
  mutating func setKnownValue(_ place: Int, _ number: Double) {
    let before = facts[place].knownValue
    guard before != number, !(before.isNaN && number.isNaN) else { return }
    facts[place].knownValue = number
    for item in plan.readers.range(of: place) { dirty.insert(plan.readers[item]) }
    move(source: place, to: number)
  }

  /// Moves a source to the rank of its value, and has those looked at who watch what lies between.
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

  /// Changes how instants become local time from an instant on: schedules are worked out again; spans of time go on.
  public mutating func set(timeZone rules: TimeZoneRules, at instant: Instant) {
    if instant > now { advance(to: instant) }
    timeZone = rules
    for index in schedules.indices { schedules[index] = ScheduleState() }
    // Rules that look at the clock are among those that no index answers for.
    if !schedules.isEmpty { for rule in plan.unindexedRules { dirty.insert(Int(rule)) } }
  }

  /// Says whether any demand on the device stands, from the next `settle` on.
  public mutating func setDemanded(_ device: DeviceID, _ isDemanded: Bool) {
    guard let place = image.devices.firstIndex(of: device) else { return }
    if isDemanded == self.isDemanded[place] { turned.remove(place) } else { turned.insert(place) }
  }

  /// Says that the device did what was wanted of it: runs of doubling directives on it start over.
  public mutating func succeeded(device: DeviceID) {
    for number in runs.indices
    where runs[number].count > 0 && image.directives[number].directive.targets.contains(device) {
      runs[number].count = 0
    }
  }

  /// Facts as numbers: truths are 1 and 0, words their index, unknown NaN.
  private static func number(_ value: FactValue) -> Double {
    switch value {
    case .unknown: .nan
    case .boolean(let truth): truth ? 1 : 0
    case .number(let number): number
    case .symbol(let index): Double(index)
    }
  }
}
