public import StintModel
public import StintUnits

/// The ways to know where a phone is, from the one that costs least to the one that costs most.
public enum LocationService: String, Hashable, Sendable, CaseIterable {
  case visits, regions, moves, fix, updates

  /// What is good about it, in half a sentence.
  var meaning: String {
    switch self {
    case .visits: "arrivals and departures, after a stay"
    case .regions: "comings and goings at circles that are named"
    case .moves: "half a kilometre or more, each quarter of an hour"
    case .fix: "one position, and off again"
    case .updates: "positions without end"
    }
  }

  /// What a day at a desk costs with it, on a bus with these devices; nil where that depends on how it is asked, or the
  /// bus lacks what it needs.
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

  /// The accelerometer at its slowest, which fills its queue every so often.
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
