import StintModel

/// The clients that tell whether they are in the background. `app.state` applies to all others.
struct ClientPresences: Sendable {
  private var background: [ClientID: Bool] = [:]

  /// Sets whether a client is in the background; nil when it does not tell. Returns true when this changed.
  mutating func set(_ isInBackground: Bool?, of client: ClientID) -> Bool {
    guard background[client] != isInBackground else { return false }
    background[client] = isInBackground
    return true
  }

  /// The presences as inputs for a new governor, sorted by client.
  var inputs: [Input] {
    background.sorted { $0.key < $1.key }.map { Input.presence($0.key, isInBackground: $0.value) }
  }

  /// Whether a client is in the background; `isBackground` for a client that does not tell.
  func isInBackground(_ client: ClientID, orElse isBackground: Bool) -> Bool {
    background.isEmpty ? isBackground : background[client] ?? isBackground
  }
}
