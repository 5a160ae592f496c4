public import StintModel

/// A message of a client program to the daemon: one JSON object with one member. The name of the member is
/// the kind of the message.
public enum ClientMessage: Sendable {
  /// The first message: attaches the client under a name. `{"attach":{"name":"trail-app"}}`.
  case attach(ClientID)
  /// Requests a service under a number of the client's choice.
  /// `{"request":{"id":1,"kind":"updates","accuracy":"10 m"}}`.
  case request(Int64, any ClientRequest)
  /// A command to a running request: the number of the request, and the object `command` without this number.
  /// The members of the object depend on the kind of the request. `{"command":{"id":1,"accuracy":"100 m"}}`.
  case command(Int64, JSONValue)
  /// Ends a request. `{"end":{"id":1}}`.
  case end(Int64)
  /// Sets whether the client is in the foreground. `{"presence":"background"}`.
  case presence(inForeground: Bool)
  /// Publishes facts that the site permits. `{"publish":{"hike.left":"2 h"}}`.
  case publish([FactAssignment])
  /// Requests the reasons why a device does not serve the client. `{"outlook":{"device":"location.gnss"}}`.
  case outlook(DeviceID)

  /// The names of the kinds of messages.
  package static let kinds = Set(Kind.allCases.map(\.rawValue))

  /// The kinds of messages, by the name of their member.
  enum Kind: String, CaseIterable {
    case attach, request, command, end, presence, publish, outlook
  }
}
