public import StintModel
import StintUnits

/// A message of a client program to the daemon: one JSON object with one member, whose name is the kind.
public enum ClientMessage: Hashable, Sendable {
  /// The first message: attaches under a name. `{"attach":{"name":"trail-app"}}`.
  case attach(ClientID)
  /// Requests a service under a number of the client's choice.
  /// `{"request":{"id":1,"kind":"updates","accuracy":"10 m"}}`.
  case request(Int64, Request)
  /// A command to a running request: an object without the number. Its members depend on the kind of the
  /// request. `{"command":{"id":1,"accuracy":"100 m"}}`.
  case command(Int64, JSONValue)
  /// Ends a request. `{"end":{"id":1}}`.
  case end(Int64)
  /// Sets whether the user has the client in front. `{"presence":"background"}`.
  case presence(inForeground: Bool)
  /// Publishes facts that the site permits. `{"publish":{"hike.left":"2 h"}}`.
  case publish([FactAssignment])

  /// The requested service with its settings.
  public enum Request: Hashable, Sendable {
    /// A service as in the entries of scenarios and sites.
    case service(ScenarioService.Request)
    /// The raw samples of a device.
    case samples(DeviceID, DemandSettings)
    /// A session of transfers: an object with the settings.
    case transfers(JSONValue)
  }

  /// A change of running updates.
  public enum Change: Hashable, Sendable {
    /// The 95 % radius in metres; nil for the default.
    case accuracy(Double?)
    /// The least distance between two deliveries in metres; nil for every fix.
    case filter(Double?)
    /// Whether updates may pause.
    case pause(Bool)
    /// Whether updates continue in the background.
    case background(Bool)
  }

  /// The kinds of messages, by the name of their member.
  enum Kind: String, CaseIterable {
    case attach, request, command, end, presence, publish
  }

  /// The kinds of requests: those of scenarios, raw samples, and sessions of transfers.
  public static let requestKinds =
    ScenarioService.Kind.allCases.map(\.rawValue) + [samplesKind, transfersKind]
  static let samplesKind = "samples"
  /// The kind of a session of transfers.
  public static let transfersKind = "transfers"
}
