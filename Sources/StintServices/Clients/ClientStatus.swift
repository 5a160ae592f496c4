public import StintModel

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

/// A client as the board knows it.
public struct ClientStatus: Hashable, Sendable {
  public let id: ClientID
  public var authorization: Authorization
  /// Whether it was built to go on in the background.
  public var mayBackground: Bool
  /// Whether its process runs and listens.
  public var isAttached: Bool
  /// Whether the user has been asked in its name; it is not asked again.
  public var wasAsked = false
  /// Whether it is a policy, which has services run by its rules.
  public internal(set) var isPolicy = false

  /// A client, attached.
  public init(_ id: ClientID, authorization: Authorization = .always, mayBackground: Bool = true) {
    self.id = id
    self.authorization = authorization
    self.mayBackground = mayBackground
    isAttached = true
  }
}

/// Why a client's process is started.
public struct LaunchReason: Hashable, Sendable, CustomStringConvertible {
  public let name: String

  /// Names a reason; later versions may add reasons.
  public init(_ name: String) { self.name = name }

  public static let visit = LaunchReason("visit")
  public static let region = LaunchReason("region")
  public static let moved = LaunchReason("moved")
  public static let transfers = LaunchReason("transfers")
  public static let credentials = LaunchReason("credentials")

  public var description: String { name }
}
