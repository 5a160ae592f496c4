/// The user's decision about a client's access to the location, in ascending order. The raw values are the
/// words of the fact `auth.location`.
public enum Authorization: String, Hashable, Comparable, Sendable, CaseIterable, Codable {
  /// The user has refused. Every request that needs the location fails.
  case denied
  /// The user has not decided yet. A request for one fix waits for the decision. All other requests that need
  /// the location fail.
  case undecided
  /// Allowed while the app is in the foreground, and in the background for work that began in the foreground.
  case whenInUse = "when_in_use"
  /// Allowed at any time.
  case always

  public static func < (left: Authorization, right: Authorization) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .denied: 0
    case .undecided: 1
    case .whenInUse: 2
    case .always: 3
    }
  }

  /// The word in facts, files and messages.
  public var word: String { rawValue }
}

/// Whether the app of a client is in the foreground.
public enum Presence: String, Hashable, Sendable, CaseIterable {
  case foreground, background
}
