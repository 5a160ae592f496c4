import StintUnits

/// A fact of the client (`client.*`). It is known only in per-demand rules, and does not change during the
/// demand.
///
/// Values that the client does not specify come from the policies' defaults and the manifest.
public enum ClientFact: Hashable, Sendable {
  /// Whether the client has this name.
  case isNamed(String)
  /// The requested 95 % radius, in metres.
  case accuracy
  /// The requested time between two samples.
  case period
  /// The longest time that samples may wait.
  case latency
  /// The user's activity according to the client; a value of the devices' `activity` attribute.
  case activity
  /// Whether the demand also applies while the app is in the background.
  case mayBackground

  /// The names in policies. `client.background` is computed from `may_background` and `app.state`.
  public static let names = [
    "client.accuracy", "client.activity", "client.background", "client.latency", "client.may_background",
    "client.name", "client.period",
  ]

  /// Returns the fact with this name.
  ///
  /// Nil for unknown names, and for `client.name` and `client.background`, for which the checker uses other
  /// facts.
  public init?(path: String) {
    switch path {
    case "client.accuracy": self = .accuracy
    case "client.period": self = .period
    case "client.latency": self = .latency
    case "client.activity": self = .activity
    case "client.may_background": self = .mayBackground
    default: return nil
    }
  }

  /// The path of the fact: its name in policies, or for `isNamed` the comparison `client.name == "NAME"`.
  public var path: String {
    switch self {
    case .isNamed(let name): "client.name == \"\(name)\""
    case .accuracy: "client.accuracy"
    case .period: "client.period"
    case .latency: "client.latency"
    case .activity: "client.activity"
    case .mayBackground: "client.may_background"
    }
  }

  /// The meaning of the fact in a few words, for editors and reports.
  public var meaning: String {
    switch self {
    case .isNamed: "whether the client has this name"
    case .accuracy: "the accuracy that the client requests"
    case .period: "the time between two samples that the client requests"
    case .latency: "the longest time that samples may wait"
    case .activity: "the user activity that the client declares"
    case .mayBackground: "whether the demand also applies while the app is in the background"
    }
  }

  /// Whether the fact is known for every client, even for a client that does not specify the setting.
  public var isAlwaysKnown: Bool {
    switch self {
    case .isNamed, .latency, .mayBackground: true
    case .accuracy, .period, .activity: false
    }
  }

  /// Returns the meaning and the type of a name in `names`; nil for other names. The type of `client.name`, a
  /// string, is nil.
  public static func description(
    of name: String, manifests: [Manifest]
  ) -> (meaning: String, type: FactType?)? {
    switch name {
    case "client.name":
      return ("the name of the client, a string: client.name in [\"trail-app\", \"coach\"]", nil)
    case "client.background":
      return ("whether the app is in the background and the client's demand applies there", .boolean)
    default:
      guard let fact = ClientFact(path: name) else { return nil }
      return (fact.meaning, fact.type(manifests))
    }
  }

  /// Returns the computed fact for policies that use it; `manifests` specify the possible activities.
  public func computed(manifests: [Manifest]) -> ComputedFact {
    let schema = FactSchema(path: path, type: type(manifests), meaning: meaning)
    return ComputedFact(schema: schema, source: .client(self))
  }

  private func type(_ manifests: [Manifest]) -> FactType {
    switch self {
    case .isNamed, .mayBackground: .boolean
    case .accuracy: .quantity(.length)
    case .period, .latency: .quantity(.time)
    case .activity: .symbol(Self.activities(manifests))
    }
  }

  /// Returns the value for a client with these settings, in which defaults are already applied.
  public func value(client: ClientID, wants: DemandSettings, words: FactType) -> FactValue {
    switch self {
    case .isNamed(let name): return .boolean(client.name == name)
    case .accuracy: return wants.accuracy.map(FactValue.number) ?? .unknown
    case .period: return wants.period.map { .number($0.seconds) } ?? .unknown
    // Without a latency, the client receives each sample immediately.
    case .latency: return .number((wants.latency ?? .zero).seconds)
    case .activity:
      guard case .symbol(let words) = words, let word = wants.activity else { return .unknown }
      return words.firstIndex(of: word).map(FactValue.symbol) ?? .unknown
    case .mayBackground: return .boolean(wants.background ?? true)
    }
  }

  private static func activities(_ manifests: [Manifest]) -> [String] {
    let words = manifests.compactMap { $0.attribute(named: "activity")?.type }.flatMap { type in
      if case .symbol(let words) = type { words } else { [String]() }
    }
    return Set(words).sorted()
  }
}
