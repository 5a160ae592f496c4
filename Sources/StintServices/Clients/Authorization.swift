/// What the user allows a client, from nothing to everything.
public enum Authorization: Int, Hashable, Comparable, Sendable, CaseIterable {
  /// The user has said no.
  case denied
  /// The user has not been asked, or has not answered.
  case undecided
  /// While the app is in front, or goes on with what it began there.
  case whenInUse
  /// At any time.
  case always

  public static func < (left: Authorization, right: Authorization) -> Bool { left.rawValue < right.rawValue }

  /// The word that facts and messages use.
  public var word: String {
    switch self {
    case .denied: "denied"
    case .undecided: "undecided"
    case .whenInUse: "when_in_use"
    case .always: "always"
    }
  }
}
