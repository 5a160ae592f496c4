import StintModel

/// The presences that clients have set. `app.state` applies to all clients that have not set a presence.
struct ClientPresences: Sendable {
  private var background: [ClientID: Bool] = [:]

  /// Sets whether a client is in the background; nil removes its presence. Returns true when the presence
  /// changed.
  mutating func set(_ isInBackground: Bool?, of client: ClientID) -> Bool {
    guard background[client] != isInBackground else { return false }
    background[client] = isInBackground
    return true
  }

  /// The presences as inputs for a new governor, sorted by client.
  var inputs: [Input] {
    background.sorted { $0.key < $1.key }.map { Input.presence($0.key, isInBackground: $0.value) }
  }

  /// Returns whether a client is in the background; `isBackground` for a client that has not set a presence.
  func isInBackground(_ client: ClientID, orElse isBackground: Bool) -> Bool {
    background.isEmpty ? isBackground : background[client] ?? isBackground
  }
}
