public import StintModel
import StintUnits

/// The programs that may attach to the daemon as clients, with their names and permissions.
public struct ClientAccess: Hashable, Sendable {
  /// A permitted client.
  public struct Permission: Hashable, Sendable {
    /// The permissions that the client gets.
    public var permissions: Permissions
    /// True when the client may be served in the background.
    public var mayBackground: Bool
    /// The paths of the facts that the client may publish.
    public var facts: Set<String>
  }

  private let apps: [SiteApp]

  /// Makes the access of a site. Without entries, only root and the user of the daemon may attach, under any
  /// name, with all permissions.
  public init(_ apps: [SiteApp]) { self.apps = apps }

  /// Returns the permission for a program of `user` that attaches as `client`.
  ///
  /// - Parameters:
  ///   - user: the user id of the program; nil when it is unknown.
  ///   - isTrusted: true for root and for the user of the daemon.
  ///   - declared: the paths of the facts that clients may publish at all.
  /// - Throws: `Problem` with the reason to refuse.
  func permission(
    for client: ClientID, user: UInt32?, isTrusted: Bool, declared: Set<String>
  ) throws(Problem) -> Permission {
    guard let app = apps.first(where: { $0.name == client }) else {
      guard apps.isEmpty else {
        let names = apps.map(\.name.name).joined(separator: ", ")
        throw Problem(
          .unknownName, cause: "the site has no app “\(client)”", remedy: "attach as one of \(names)")
      }
      guard isTrusted else {
        throw Problem(
          .notPermitted, cause: "only root and the daemon's own user may attach",
          remedy: "add an entry to “apps” of the site, with the user of this program")
      }
      return Permission(permissions: .always, mayBackground: true, facts: declared)
    }
    guard isTrusted || app.user == user else {
      throw Problem(
        .notPermitted, cause: "“\(client)” is not the app of this user",
        remedy: "run the program as the user in its entry of “apps”")
    }
    return Permission(
      permissions: app.permissions, mayBackground: app.mayBackground,
      facts: Set(app.facts).intersection(declared))
  }
}
