/// A service that policies may begin and stop by a word.
public enum ServiceWord: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Arrivals at places that matter, and departures from them.
  case visits
  /// Changes of place by half a kilometre or more.
  case moves
  /// How the device is turned.
  case orientation

  /// Whether it is watched on a positioning device, rather than started.
  public var isWatched: Bool { self != .orientation }

  public static func < (left: ServiceWord, right: ServiceWord) -> Bool { left.rawValue < right.rawValue }
}
