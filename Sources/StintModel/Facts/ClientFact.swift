import StintUnits

/// A fact of the client (`client.*`): known only in per-demand rules, and constant while the demand holds.
///
/// What the client leaves open is what the policies' defaults and the manifest say.
public enum ClientFact: Hashable, Sendable {
  /// Whether the client has this name.
  case isNamed(String)
  /// The 95 % radius that it asks for, in metres.
  case accuracy
  /// The time between two samples that it asks for.
  case period
  /// How long it lets samples wait.
  case latency
  /// What it says that its user does; a word of the devices' `activity`.
  case activity
  /// Whether its demand stands while the app is in the background.
  case mayBackground

  /// How policies name them; `background` is worked out of `may_background` and `app.state`.
  public static let names = [
    "client.accuracy", "client.activity", "client.background", "client.latency", "client.may_background",
    "client.name", "client.period",
  ]

  /// The fact of this name; nil for the two that are made of something else, and for what does not exist.
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

  public var meaning: String {
    switch self {
    case .isNamed: "whether the client has this name"
    case .accuracy: "the accuracy that the client asks for"
    case .period: "the time between two samples that the client asks for"
    case .latency: "how long the client lets samples wait"
    case .activity: "what the client says that its user does"
    case .mayBackground: "whether the client asks also while the app is in the background"
    }
  }

  /// Whether it has a value of every client, whatever that leaves open.
  public var isAlwaysKnown: Bool {
    switch self {
    case .isNamed, .latency, .mayBackground: true
    case .accuracy, .period, .activity: false
    }
  }

  /// What a name of `names` means, and its type, which a text has not; nil for other names.
  public static func description(
    of name: String, manifests: [Manifest]
  ) -> (meaning: String, type: FactType?)? {
    switch name {
    case "client.name":
      return ("the name of the client, a text: client.name in [\"trail-app\", \"coach\"]", nil)
    case "client.background":
      return ("whether the app is in the background and the client asks there too", .boolean)
    default:
      guard let fact = ClientFact(path: name) else { return nil }
      return (fact.meaning, fact.type(manifests))
    }
  }

  /// The fact as policies that ask for it compute it; `manifests` say which activities there are.
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

  /// Its value for a client with these wants, defaults put in.
  public func value(client: ClientID, wants: DemandSettings, words: FactType) -> FactValue {
    switch self {
    case .isNamed(let name): return .boolean(client.name == name)
    case .accuracy: return wants.accuracy.map(FactValue.number) ?? .unknown
    case .period: return wants.period.map { .number($0.seconds) } ?? .unknown
    // Who says nothing has each sample at once.
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
