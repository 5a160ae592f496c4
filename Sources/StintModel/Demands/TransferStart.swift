/// Whose tasks of transfers a rule lets begin that were made and not resumed: `start net for "mail"`.
public struct TransferStart: Hashable, Sendable {
  /// The client whose sessions it is about; everybody's where it is nil.
  public var client: ClientID?
  /// The session that it is about; all of the client's where it is nil.
  public var session: String?
  /// Whether they wait for no good moment although they are discretionary: `discretionary off`.
  public var isAtOnce: Bool

  /// Lets tasks begin.
  public init(client: ClientID? = nil, session: String? = nil, isAtOnce: Bool = false) {
    self.client = client
    self.session = session
    self.isAtOnce = isAtOnce
  }

  /// Whether a session of a client is meant.
  public func reaches(_ name: String, of owner: ClientID) -> Bool {
    (client == nil || client == owner) && (session == nil || session == name)
  }

  /// As policies write it, behind the radio.
  public var words: String {
    let settings = [session.map { "session \"\($0)\"" }, isAtOnce ? "discretionary off" : nil].compactMap(
      \.self)
    return (client.map { " for \"\($0)\"" } ?? "")
      + (settings.isEmpty ? "" : " with { \(settings.joined(separator: "  ")) }")
  }
}
