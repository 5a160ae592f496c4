import StintModel
import StintUnits

extension ScenarioReader {
  /// Reads the services of a client; each needs a unique name.
  static func services(_ client: JSONObject) -> [ScenarioService] {
    let services = list(client, "services") { service($0) }
    guard let items = client.optional("services")?.items(), items.count == services.count else {
      return services
    }
    for (index, service) in services.enumerated()
    where services[..<index].contains(where: { $0.name == service.name }) {
      items[index].report(
        .duplicate, "“\(service.name)” appears twice", step: "give each service a name of its own")
    }
    return services
  }

  private static func service(_ field: JSONField) -> ScenarioService? {
    guard let object = field.object(keys: ["name", "kind", "from", "until", "with"]) else { return nil }
    let name = object.required("name")?.name()
    let from = object.optional("from")?.span(like: "0 s") ?? .zero
    let until = object.optional("until")?.span(like: "9 h")
    if let until, until <= from {
      object.optional("until")?.report(
        .order, "the service ends before it begins", step: "write a time after “from”")
    }
    guard let kind = object.required("kind")?.word(ScenarioService.Kind.self) else { return nil }
    let request = request(kind, object)
    guard let name, let request else { return nil }
    return ScenarioService(name: name, request: request, from: from, until: until)
  }

  private static func request(
    _ kind: ScenarioService.Kind, _ service: JSONObject
  ) -> ScenarioService.Request? {
    let isNeeded = kind == .regions || kind == .beacons
    guard let field = isNeeded ? service.required("with") : service.optional("with") else {
      return isNeeded ? nil : plain(kind)
    }
    return field.object(keys: keys(of: kind)).flatMap { settings(of: kind, $0) }
  }

  /// Returns the request with the settings in an object. The caller has checked the keys of the object.
  static func settings(of kind: ScenarioService.Kind, _ object: JSONObject) -> ScenarioService.Request? {
    switch kind {
    case .fix: return .fix(wants(object), timeout: object.optional("timeout")?.span(like: "30 s"))
    case .updates: return .updates(wants(object), filter: filter(object))
    case .regions:
      let circles = object.required("regions")?.items()?.compactMap { circle($0) }
      return circles.map { .regions($0) }
    case .beacons:
      let beacons = object.required("beacons")?.items()?.compactMap { watchedBeacon($0) }
      return beacons.map { .beacons($0) }
    case .visits: return .visits
    case .moves: return .moves(heartbeat: object.optional("heartbeat")?.span(like: "15 min"))
    }
  }

  /// Returns the request of a kind without settings; nil when the kind requires settings.
  private static func plain(_ kind: ScenarioService.Kind) -> ScenarioService.Request? {
    switch kind {
    case .fix: .fix(DemandSettings(), timeout: nil)
    case .updates: .updates(DemandSettings(), filter: nil)
    case .visits: .visits
    case .moves: .moves(heartbeat: nil)
    case .regions, .beacons: nil
    }
  }

  static func keys(of kind: ScenarioService.Kind) -> [String] {
    switch kind {
    case .fix: ["accuracy", "timeout", "background"]
    case .updates: ["accuracy", "rate", "filter", "activity", "background", "pause"]
    case .regions: ["regions"]
    case .beacons: ["beacons"]
    case .visits: []
    case .moves: ["heartbeat"]
    }
  }

  private static func wants(_ object: JSONObject) -> DemandSettings {
    DemandSettings(
      accuracy: object.optional("accuracy")?.amount(.length, like: "10 m"),
      period: object.optional("rate")?.period(),
      activity: object.optional("activity")?.text(),
      background: object.optional("background")?.flag(),
      pausing: object.optional("pause")?.flag())
  }

  private static func filter(_ object: JSONObject) -> Double? {
    object.optional("filter")?.amount(.length, like: "50 m")
  }

  private static func circle(_ field: JSONField) -> ScenarioService.WatchedCircle? {
    guard let object = field.object(keys: ["name", "at", "radius"]) else { return nil }
    let name = object.required("name")?.name()
    let centre = object.required("at").flatMap { coordinate($0) }
    let radius = object.required("radius")?.amount(.length, like: "100 m")
    guard let name, let centre, let radius else { return nil }
    return ScenarioService.WatchedCircle(name: name, centre: centre, radius: radius)
  }

  private static func watchedBeacon(_ field: JSONField) -> ScenarioService.WatchedBeacon? {
    guard let object = field.object(keys: ["name", "identity", "major", "minor"]) else { return nil }
    let name = object.required("name")?.name()
    let identity = object.required("identity")?.identity()
    let major = object.optional("major")?.whole(in: 0...65_535)
    let minor = object.optional("minor")?.whole(in: 0...65_535)
    guard let name, let identity else { return nil }
    return ScenarioService.WatchedBeacon(name: name, identity: identity, major: major, minor: minor)
  }
}
