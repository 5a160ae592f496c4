import StintModel
import StintUnits

/// The clients that have attached at least once, and the policies whose rules run services. From the clients'
/// presences, the table computes `app.state`: foreground or background.
struct ClientTable: Sendable {
  /// The clients, sorted by name.
  private(set) var all: [ClientStatus] = []
  /// The published `app.state`; unknown while no client has a presence.
  private var appState = FactValue.unknown
  /// The decisions of operators about capabilities of clients. A decision takes precedence over the
  /// permissions with which the client attaches.
  private(set) var decisions: [ClientID: PermissionDecision] = [:]

  subscript(client: ClientID) -> ClientStatus? { all.first { $0.id == client } }

  /// Returns whether the process of a client is attached; false for an unknown client.
  func isAttached(_ client: ClientID) -> Bool { index(of: client).map { all[$0].isAttached } ?? false }

  private func index(of client: ClientID) -> Int? { all.firstIndex { $0.id == client } }

  /// Adds a client. Does nothing when the client is known.
  mutating func add(_ client: ClientStatus) {
    guard index(of: client.id) == nil else { return }
    all.append(client)
    all.sort { $0.id < $1.id }
  }

  /// Attaches a client. The given permissions apply only to a client that is not known yet.
  mutating func attach(_ client: ClientID, _ permissions: Permissions, mayBackground: Bool) {
    add(ClientStatus(client, permissions: permissions, mayBackground: mayBackground))
    guard let index = index(of: client) else { return }
    all[index].mayBackground = mayBackground
    all[index].isAttached = true
  }

  /// Detaches a client. Returns false when the client is not attached.
  mutating func detach(_ client: ClientID) -> Bool {
    guard let index = index(of: client), all[index].isAttached else { return false }
    all[index].isAttached = false
    return true
  }

  mutating func remove(_ client: ClientID) { all.removeAll { $0.id == client } }

  /// Sets the permissions of a client. Returns false when they do not change or the client is unknown.
  mutating func set(_ permissions: Permissions, of client: ClientID) -> Bool {
    guard let index = index(of: client), all[index].permissions != permissions else { return false }
    all[index].permissions = permissions
    return true
  }

  /// Records the permissions that the app or site gives, and returns the permissions that apply.
  mutating func give(_ permissions: Permissions, to client: ClientID) -> Permissions {
    if let index = index(of: client) { all[index].given = permissions }
    return decisions[client]?.applied(to: permissions) ?? permissions
  }

  /// Records the decision of an operator; nil revokes the earlier decision. Returns the permissions that
  /// apply; nil for an unknown client.
  mutating func decide(_ decision: PermissionDecision?, for client: ClientID) -> Permissions? {
    decisions[client] = decision
    guard let given = self[client]?.given else { return nil }
    return decision?.applied(to: given) ?? given
  }

  /// The decisions in the form that is saved; nil without a decision.
  var savedDecisions: [SavedServices.Decision]? {
    let all = decisions.keys.sorted().compactMap { client in
      decisions[client].map { SavedServices.Decision(client: client.name, decision: $0) }
    }
    return all.isEmpty ? nil : all
  }

  mutating func restore(_ saved: [SavedServices.Decision]) {
    for decision in saved { decisions[ClientID(decision.client)] = decision.decision }
  }

  /// Returns the notice as the client may get it. For a client that may get only coarse positions, the
  /// positions in the notice are coarsened.
  func permitted(_ notice: any ServiceNotice, for client: ClientID) -> any ServiceNotice {
    guard let index = index(of: client), all[index].permissions.precision == .coarse else { return notice }
    return notice.coarsened
  }

  /// Sets the presence of an attached client. Returns false when it does not change or the client is
  /// not attached.
  mutating func set(_ presence: Presence?, of client: ClientID) -> Bool {
    guard let index = index(of: client), all[index].isAttached, all[index].presence != presence else {
      return false
    }
    all[index].presence = presence
    return true
  }

  /// Records that the user was asked about a capability on behalf of a client. Returns false when the user
  /// was asked before or the client is unknown.
  mutating func markAsked(_ client: ClientID, _ capability: Capability) -> Bool {
    guard let index = index(of: client) else { return false }
    return all[index].asked.insert(capability).inserted
  }

  /// Returns the new `app.state`; nil when it has not changed since the last call.
  ///
  /// The value is `foreground` while at least one client is in the foreground. It is `background` while all
  /// clients with a presence are in the background, and unknown while no client has a presence.
  mutating func changedAppState(_ schema: FactSchema) -> FactValue? {
    let presences = all.compactMap(\.presence)
    let combined = presences.contains(.foreground) ? Presence.foreground : presences.first
    let state = combined.flatMap { schema.value(from: $0.rawValue) } ?? .unknown
    guard state != appState else { return nil }
    appState = state
    return state
  }
}
