public import StintModel
public import StintUnits

/// The location services of a client, from the lowest to the highest energy cost.
public enum LocationService: String, Hashable, Sendable, CaseIterable {
  case visits, regions, moves, fix, updates

  /// A short description of the service.
  var meaning: String {
    switch self {
    case .visits: "arrivals and departures of stays at a place"
    case .regions: "entering and leaving named circles"
    case .moves: "moves of 500 m or more, checked every 15 minutes"
    case .fix: "one position, then the receiver is off"
    case .updates: "continuous positions"
    }
  }

  /// Returns the energy that the service uses during a day at a desk, with the devices of `vocabulary`. Nil
  /// when the energy depends on the request, or when a necessary device of the service is missing.
  public func dayAtDesk(_ vocabulary: Vocabulary) -> Energy? {
    guard let wake = Self.event("wake", of: "host.processor", vocabulary),
      let scan = Self.event("scan", of: "location.wifi", vocabulary)
    else { return nil }
    switch self {
    case .visits: return Self.sense(wake, vocabulary).map { $0 + (scan + wake) * 4 }
    case .regions: return Self.sense(wake, vocabulary).map { $0 + (scan + wake) * 12 }
    case .moves: return (scan + wake) * 96
    case .fix, .updates: return nil
    }
  }

  /// Returns the energy of the accelerometer for a day at 1 Hz, including the wake-ups that its full queue
  /// causes. Nil without an accelerometer that has a queue and an on-state.
  private static func sense(_ wake: Energy, _ vocabulary: Vocabulary) -> Energy? {
    guard let manifest = vocabulary.manifest("motion.accelerometer"), manifest.fifo > 0,
      let state = manifest.states.first(where: \.isOn)
    else { return nil }
    let day = TimeSpan.hours(24)
    let (energy, _) = state.power(at: .seconds(1)).energy(over: day, carrying: 0)
    return energy + wake * (86_400 / Int64(manifest.fifo))
  }

  private static func event(_ name: String, of device: DeviceID, _ vocabulary: Vocabulary) -> Energy? {
    guard let manifest = vocabulary.manifest(device), let number = manifest.event(named: name) else {
      return nil
    }
    return manifest.events[number].energy
  }
}
