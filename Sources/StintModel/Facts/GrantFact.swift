import StintUnits

/// The grant of a client's demand on a device, as policy tests read it.
public struct GrantFact: Hashable, Sendable {
  /// The part of the grant.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// The state of the demand; an element of `statuses`.
    case status = "standing"
    /// The granted 95 % radius, in metres.
    case accuracy
    /// The granted time between two samples.
    case period
    /// The longest time that samples may wait.
    case latency
  }

  /// The client of the demand.
  public var client: ClientID
  /// The requested device.
  public var device: DeviceID
  /// The part of the grant.
  public var part: Part

  /// The possible states of a demand, in the order of the fact's words.
  public static let statuses: [Grant.Status] = [
    .served, .paused, .stopped, .deferred, .background, .unavailable,
  ]

  /// Makes the fact for one part of the grant.
  public init(client: ClientID, device: DeviceID, part: Part) {
    self.client = client
    self.device = device
    self.part = part
  }

  /// The path in policies, with the full device name.
  public var path: String {
    let suffix = part == .status ? "" : ".\(part.rawValue)"
    return "grant(\"\(client)\", \(device.path)\(suffix))"
  }

  /// The schema and the source of the fact, for the policies that use it.
  public var computed: ComputedFact {
    let (type, meaning): (FactType, String) =
      switch part {
      case .status: (.symbol(Self.statuses.map(\.rawValue)), "the status of the client's demand")
      case .accuracy: (.quantity(.length), "the accuracy that the client is granted")
      case .period: (.quantity(.time), "the time between two samples that the client is granted")
      case .latency: (.quantity(.time), "how long the client's samples may wait")
      }
    return ComputedFact(schema: FactSchema(path: path, type: type, meaning: meaning), source: .grant(self))
  }

  /// Returns the value for a grant. Unknown when the grant does not contain this part, and for nil, which
  /// means that the client has no demand on the device.
  public func value(of grant: Grant?) -> FactValue {
    guard let grant else { return .unknown }
    switch part {
    case .status: return Self.statuses.firstIndex(of: grant.status).map(FactValue.symbol) ?? .unknown
    case .accuracy: return grant.accuracy.map(FactValue.number) ?? .unknown
    case .period: return grant.period.map { .number($0.seconds) } ?? .unknown
    case .latency: return grant.latency.map { .number($0.seconds) } ?? .unknown
    }
  }
}
