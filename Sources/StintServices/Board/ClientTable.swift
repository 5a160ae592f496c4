import StintModel
import StintUnits

/// The clients that have attached at least once, and the `app.state` that follows from their presences.
struct ClientTable: Sendable {
  /// The clients, sorted.
  private(set) var all: [ClientStatus] = []
  /// The published `app.state`; unknown while no client has a presence.
  private var appState = FactValue.unknown

  subscript(client: ClientID) -> ClientStatus? { all.first { $0.id == client } }

  private func index(of client: ClientID) -> Int? { all.firstIndex { $0.id == client } }

  /// Adds a client. Does nothing when it is known.
  mutating func add(_ client: ClientStatus) {
    guard index(of: client.id) == nil else { return }
    all.append(client)
    all.sort { $0.id < $1.id }
  }

  /// Attaches a client. The given authorization applies only to a client that is not known yet.
  mutating func attach(_ client: ClientID, _ authorization: Authorization, mayBackground: Bool) {
    add(ClientStatus(client, authorization: authorization, mayBackground: mayBackground))
    guard let index = index(of: client) else { return }
    all[index].mayBackground = mayBackground
    all[index].isAttached = true
  }

  /// Detaches a client. Returns false when it is not attached.
  mutating func detach(_ client: ClientID) -> Bool {
    guard let index = index(of: client), all[index].isAttached else { return false }
    all[index].isAttached = false
    return true
  }

  mutating func remove(_ client: ClientID) { all.removeAll { $0.id == client } }

  /// Sets the authorization of a client. Returns false when it does not change.
  mutating func set(_ authorization: Authorization, of client: ClientID) -> Bool {
    guard let index = index(of: client), all[index].authorization != authorization else { return false }
    all[index].authorization = authorization
    return true
  }

  /// Sets the presence of an attached client. Returns false when it does not change.
  mutating func set(_ presence: Presence?, of client: ClientID) -> Bool {
    guard let index = index(of: client), all[index].isAttached, all[index].presence != presence else {
      return false
    }
    all[index].presence = presence
    return true
  }

  /// Records that the user was asked on behalf of a client. Returns false when the user was asked before.
  mutating func markAsked(_ client: ClientID) -> Bool {
    guard let index = index(of: client), !all[index].wasAsked else { return false }
    all[index].wasAsked = true
    return true
  }

  /// Returns the new `app.state`; nil when it has not changed since the last call.
  ///
  /// It is `foreground` while at least one client is in the foreground, and `background` while all clients
  /// with a presence are in the background. When no client has a presence, it is unknown.
  mutating func changedAppState(_ schema: FactSchema) -> FactValue? {
    let presences = all.compactMap(\.presence)
    let combined = presences.contains(.foreground) ? Presence.foreground : presences.first
    let state = combined.flatMap { schema.value(from: $0.rawValue) } ?? .unknown
    guard state != appState else { return nil }
    appState = state
    return state
  }
}
