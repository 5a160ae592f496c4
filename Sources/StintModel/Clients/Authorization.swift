/// The user's decision about the sensors for a client, from none to full. Also the values of `auth.location`.
public enum Authorization: String, Hashable, Comparable, Sendable, CaseIterable, Codable {
  /// The user has refused. Every request fails.
  case denied
  /// The user has not decided yet. Requests for positions and raw samples fail; requests that need no
  /// decision, such as motion and transfers, are served.
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
