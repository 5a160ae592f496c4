import StintModel
import StintUnits

extension LanguageDefinition {
  /// The facts and properties that exist on every host: of devices, services and clients, and the standard
  /// facts. The definitions of these facts give the meanings.
  public static let properties: [LanguageWord] = ofDevices + ofServices + ofClients + standard

  /// The properties that the governor maintains for each device.
  private static let ofDevices: [LanguageWord] = {
    let gps = DeviceID("gps")
    let maintained = Manifest(device: gps, kind: .sensor, title: "")
    let observed = [Observation.failed(gps), .powered(gps), .batchDone(gps)].map(\.computed.schema)
    return (Vocabulary(manifests: [maintained]).facts.filter { $0.device == gps } + observed).map { schema in
      let name = String(schema.path.dropFirst(gps.path.count + 1))
      return property(
        name, form: "DEVICE.\(name)", schema.meaning,
        .condition(name == "state" ? "gps.state is off" : schema.path))
    }
  }()

  private static let ofServices: [LanguageWord] =
    [
      property(
        "watching", form: "SERVICE.watching", Observation.watching(.moves).meaning,
        .condition("moves.watching"))
    ]
    + ServiceSignal.allCases.map { signal in
      property(
        signal.rawValue, signal.meaning,
        .condition(signal.type == .boolean ? signal.rawValue : "\(signal.rawValue) > 0"))
    }

  private static let ofClients: [LanguageWord] = ClientFact.names.compactMap { name in
    guard let (meaning, type) = ClientFact.description(of: name, manifests: []) else { return nil }
    let condition =
      switch type {
      case .boolean?: name
      case .quantity(.length)?: "\(name) < 50 m"
      case .quantity?: "\(name) < 1 min"
      case .symbol?: "known(\(name))"
      case nil: "\(name) == \"trail-app\""
      }
    return property(name, meaning, .condition(condition))
  }

  private static let standard: [LanguageWord] = StandardFact.all.map { fact in
    let path = fact.schema.path
    let condition =
      switch fact.schema.type {
      case .boolean: path
      case .symbol(let words): "\(path) is \(words[0])"
      case .quantity(.ratio): "\(path) < 20 %"
      case .quantity: "\(path) > 100 kB/s"
      }
    let rule = "It is \(fact.schema.type.name)."
    return property(path, rule: rule, "a fact that \(fact.publisher) publishes", .condition(condition))
  }

  private static func property(
    _ name: String, form: String = "", rule: String = "", _ meaning: String, _ example: LanguageExample
  ) -> LanguageWord {
    LanguageWord(
      kind: .property, name: name, form: form, rule: rule,
      meaning: meaning.prefix(1).uppercased() + meaning.dropFirst() + ".", example: example)
  }

  // MARK: Words within values

  /// The words that conditions and items contain within values: services, words of standard facts, days,
  /// periods, Boolean values and units.
  public static let values: [LanguageWord] = services + symbols + days + periods + literals + units

  private static let services: [LanguageWord] = ServiceWord.allCases.map { word in
    let meaning =
      switch word {
      case .visits: "The service that reports arrivals at places where the user stays, and departures."
      case .moves: "The service that reports movements of half a kilometre or more."
      case .orientation: "The service that reports the orientation of the device."
      }
    return value(word.rawValue, meaning, .condition("energy(\(word.rawValue)) > 10 J"))
  }

  private static let symbols: [LanguageWord] = {
    var paths: [String: [String]] = [:]
    for fact in StandardFact.all {
      guard case .symbol(let words) = fact.schema.type else { continue }
      for word in words { paths[word, default: []].append(fact.schema.path) }
    }
    return paths.sorted { $0.key < $1.key }.map { word, paths in
      value(word, "A value of \(paths.joined(separator: " and of ")).", .condition("\(paths[0]) is \(word)"))
    }
  }()

  private static let days: [LanguageWord] = {
    let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    let single = zip(PolicyChecker.weekdays, names).map { ($0, "\($1), in a schedule.") }
    let groups = [
      ("weekdays", "Monday to Friday, in a schedule."), ("weekends", "Saturday and Sunday, in a schedule."),
    ]
    return (single + groups).map { value($0, $1, .item("schedule office = \($0) 08:00..18:00")) }
  }()

  private static let periods: [LanguageWord] = [
    ("hour", "The period of a budget that begins at each full hour."),
    ("day", "The period of a budget that begins at midnight, or at the time after “from”."),
    ("week", "The period of a budget that begins on Monday at midnight."),
  ].map { name, meaning in
    value(
      name, meaning,
      .item("budget trail = 1500 J per \(name) on gps {\n  at 80 % { downgrade gps to 50 m }\n}"))
  }

  private static let literals: [LanguageWord] = [
    value("true", "The Boolean value of a condition that holds.", .condition("screen.on == true")),
    value("false", "The Boolean value of a condition that does not hold.", .condition("screen.on == false")),
    value("all", "In place of a device: every device with the necessary verb.", .directive("stop all")),
  ]

  private static let units: [LanguageWord] = MeasureUnit.all.filter { $0.symbol != "week" }.map { unit in
    value(unit.symbol, "A unit: \(unit.dimension.phrase).", .item("let limit = 1 \(unit.symbol)"))
  }

  private static func value(_ name: String, _ meaning: String, _ example: LanguageExample) -> LanguageWord {
    LanguageWord(kind: .value, name: name, form: "", rule: "", meaning: meaning, example: example)
  }
}
