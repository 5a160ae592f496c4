public import StintModel

/// The name of a service: its client, and what the client calls it.
public struct ServiceID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let client: ClientID
  public let name: String

  /// Names a service.
  public init(_ client: ClientID, _ name: String) {
    self.client = client
    self.name = name
  }

  public var description: String { "\(client)/\(name)" }

  public static func < (left: ServiceID, right: ServiceID) -> Bool {
    (left.client.name, left.name) < (right.client.name, right.name)
  }
}
