/// A program that may attach to the daemon as a client: an entry of `apps` in a site file.
///
/// ```json
/// {"name": "trail-app", "user": 1000, "permission": "when_in_use", "background": true,
///  "facts": ["hike.left"]}
/// ```
/// Only `name` is required. `permission` is a word for the location, or an object:
/// `{"location": "when_in_use", "precision": "coarse", "motion": "denied", "network": "granted"}`.
public struct SiteApp: Hashable, Sendable {
  /// The name under which the program attaches.
  public var name: ClientID
  /// The numeric user id of the program. Nil when only root and the user of the daemon may use the name.
  public var user: UInt32?
  /// The user's decisions about this app; everything is allowed by default.
  public var permissions: Permissions
  /// True when the app may be served in the background; true by default.
  public var mayBackground: Bool
  /// The paths of the declared facts that the app may publish.
  public var facts: [String]

  /// Makes an entry.
  public init(
    name: ClientID, user: UInt32? = nil, permissions: Permissions = .always, mayBackground: Bool = true,
    facts: [String] = []
  ) {
    self.name = name
    self.user = user
    self.permissions = permissions
    self.mayBackground = mayBackground
    self.facts = facts
  }
}
