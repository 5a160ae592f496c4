public import StintModel
public import StintUnits

extension Machine {
  /// Publishes a fact by its number in the vocabulary; facts that no rule reads cost nothing.
  ///
  /// A value from before `now` counts with its own age, as when a policy is loaded into a running governor.
  public mutating func set(fact: Int, _ value: FactValue, at instant: Instant) {
    guard fact < places.count, places[fact] >= 0 else { return }
    if instant > now { advance(to: instant) }
    let place = Int(places[fact])
    let number = Self.number(value)
    values[place] = number
    instants[place] = instant
    believe(place)
    if !number.isNaN {
      for item in windows.range(of: place) { slots[windows[item]].window.append(number, at: instant) }
    }
    for item in refreshed.range(of: place) { dirty.insert(refreshed[item]) }
  }

  /// Believes what was published, unless it is too old, and sets the timer for when it will be.
  private mutating func believe(_ place: Int) {
    var number = values[place]
    var timer = TimerTree.never
    if let maxAge = maxAges[place], !number.isNaN {
      let staleAt = instants[place] + maxAge + TimeSpan(nanoseconds: 1)
      if staleAt > now { timer = staleAt.nanoseconds } else { number = .nan }
    }
    timers.set(place, to: timer)
    believe(place, number)
  }

  /// Changes what is believed, and has the fact's readers looked at if it is something else.
  mutating func believe(_ place: Int, _ number: Double) {
    let before = believed[place]
    guard before != number, !(before.isNaN && number.isNaN) else { return }
    believed[place] = number
    for item in readers.range(of: place) { dirty.insert(readers[item]) }
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
