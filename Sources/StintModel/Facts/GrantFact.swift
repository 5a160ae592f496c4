import StintUnits

/// What a client's demand on a device is granted: what tests ask for.
public struct GrantFact: Hashable, Sendable {
  /// The part of the grant that is asked for.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// Where the demand stands; a word of `statuses`.
    case status = "standing"
    /// In metres.
    case accuracy
    /// The time between two samples.
    case period
    /// How long samples may wait.
    case latency
  }

  public var client: ClientID
  public var device: DeviceID
  public var part: Part

  /// Where a demand may stand, in the order of the words of the fact.
  public static let statuses: [Grant.Status] = [
    .served, .paused, .stopped, .deferred, .background, .unavailable,
  ]

  /// Makes the question.
  public init(client: ClientID, device: DeviceID, part: Part) {
    self.client = client
    self.device = device
    self.part = part
  }

  /// How policies ask for it, with the device's whole name.
  public var path: String {
    let suffix = part == .status ? "" : ".\(part.rawValue)"
    return "grant(\"\(client)\", \(device.path)\(suffix))"
  }

  /// The fact as policies that ask for it compute it.
  public var computed: ComputedFact {
    let (type, meaning): (FactType, String) =
      switch part {
      case .status: (.symbol(Self.statuses.map(\.rawValue)), "where the client's demand stands")
      case .accuracy: (.quantity(.length), "the accuracy that the client is granted")
      case .period: (.quantity(.time), "the time between two samples that the client is granted")
      case .latency: (.quantity(.time), "how long the client's samples may wait")
      }
    return ComputedFact(schema: FactSchema(path: path, type: type, meaning: meaning), source: .grant(self))
  }

  /// Its value for this grant; nil where the client demands nothing of the device.
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
