public import StintModel

/// The service board's record of a client.
public struct ClientStatus: Hashable, Sendable {
  /// The name of the client.
  public let id: ClientID
  /// The permissions that apply to the client: `given`, changed by the decisions of an operator.
  public var permissions: Permissions
  /// The permissions that the client's app or the site gives.
  public internal(set) var given: Permissions
  /// True when the app declares that it works in the background.
  public var mayBackground: Bool
  /// The presence that the client reported. Nil when the client reported none; `app.state` then applies to
  /// the client.
  public internal(set) var presence: Presence?
  /// True while the client's process is running and attached.
  public var isAttached: Bool
  /// The capabilities about which the user was asked on behalf of the client. The user is asked only once
  /// about each of them.
  public internal(set) var asked: Set<Capability> = []
  /// True for a policy, whose rules run services.
  public internal(set) var isPolicy = false

  /// Makes the record of an attached client.
  public init(_ id: ClientID, permissions: Permissions = .always, mayBackground: Bool = true) {
    self.id = id
    self.permissions = permissions
    given = permissions
    self.mayBackground = mayBackground
    isAttached = true
  }
}

/// The reason for launching a client's process.
public struct LaunchReason: Hashable, Sendable, CustomStringConvertible {
  /// The name of the reason.
  public let name: String

  /// Makes a reason. Later versions may add reasons.
  public init(_ name: String) { self.name = name }

  /// The host arrived at a place or left it.
  public static let visit = LaunchReason("visit")
  /// A region was entered or left.
  public static let region = LaunchReason("region")
  /// The host moved by half a kilometre or more.
  public static let moved = LaunchReason("moved")
  /// The transfers of a session are complete.
  public static let transfers = LaunchReason("transfers")
  /// A transfer needs credentials.
  public static let credentials = LaunchReason("credentials")

  public var description: String { name }
}
