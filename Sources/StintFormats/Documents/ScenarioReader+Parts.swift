import StintModel
import StintUnits

extension ScenarioReader {
  static func leg(_ field: JSONField) -> Leg? {
    guard let object = field.object(keys: ["activity", "for", "speed", "heading", "sky", "wifi"]) else {
      return nil
    }
    let activity = object.required("activity")?.enumCase(Activity.self)
    let duration = object.required("for")?.span(like: "50 min", atLeast: TimeSpan(nanoseconds: 1))
    let isStill = activity == .still
    let speed = (isStill ? object.optional("speed") : object.required("speed"))?.amount(
      .speed, like: "1.4 m/s")
    let heading = object.optional("heading")?.quantity(.angle, like: "40 deg")
    let sky = object.optional("sky")?.enumCase(Leg.Sky.self)
    let hasWiFi = object.optional("wifi")?.flag()
    guard let activity, let duration else { return nil }
    return Leg(
      activity: activity, duration: duration, speed: speed ?? 0, heading: heading?.value ?? 0,
      sky: sky ?? .open,
      hasWiFi: hasWiFi ?? false)
  }

  static func client(_ field: JSONField, _ kinds: RequestKinds) -> ScenarioClient? {
    let keys = ["name", "permission", "background", "demands", "transfers", "services"]
    guard let object = field.object(keys: keys) else { return nil }
    let name = object.required("name")?.name()
    let permissions = object.optional("permission")?.permissions() ?? .always
    let mayBackground = object.optional("background")?.flag() ?? true
    let demands = list(object, "demands") { demand($0) }
    let transfers = list(object, "transfers") { series($0) }
    let services = services(object, kinds)
    return name.map {
      ScenarioClient(
        name: ClientID($0), permissions: permissions, mayBackground: mayBackground, demands: demands,
        transfers: transfers, services: services)
    }
  }

  private static func demand(_ field: JSONField) -> ScenarioDemand? {
    guard let object = field.object(keys: ["target", "from", "until", "with"]) else { return nil }
    let target = object.required("target")?.text()
    let from = object.optional("from")?.span(like: "0 s") ?? .zero
    let until = object.optional("until")?.span(like: "9 h")
    let wants = object.optional("with")?.decode(DemandSettings.self) ?? DemandSettings()
    if let until, until <= from {
      object.optional("until")?.report(
        .order, "the demand ends before it begins", remedy: "write a time after “from”")
    }
    return target.map { ScenarioDemand(target: DeviceID($0), wants: wants, from: from, until: until) }
  }

  private static func series(_ field: JSONField) -> ScenarioTransfers? {
    let keys = ["target", "first", "every", "count", "up", "down", "deadline"]
    guard let object = field.object(keys: keys) else { return nil }
    let target = object.required("target")?.text()
    let first = object.optional("first")?.span(like: "5 min") ?? .zero
    let every = object.optional("every")?.span(like: "10 min", atLeast: TimeSpan(nanoseconds: 1))
    let count = object.optional("count")?.integer(in: 1...Int.max)
    let bytesUp = object.optional("up")?.byteCount() ?? 0
    let bytesDown = object.optional("down")?.byteCount() ?? 0
    let deadline = object.optional("deadline")?.span(like: "30 min")
    if object.optional("up") == nil && object.optional("down") == nil {
      object.report(.missing, "the transfer has no size", remedy: "add \"up\" or \"down\"")
    }
    if count != nil && object.optional("every") == nil {
      object.optional("count")?.report(
        .missing, "“count” needs the time between two transfers", remedy: "add \"every\"")
    }
    return target.map {
      ScenarioTransfers(
        target: DeviceID($0), transfer: Transfer(bytesUp: bytesUp, bytesDown: bytesDown, deadline: deadline),
        first: first, every: every, count: count)
    }
  }

  static func change(_ field: JSONField) -> FactChange? {
    guard let object = field.object(keys: ["at", "set"]) else { return nil }
    let at = object.required("at")?.span(like: "5 min")
    let values = object.required("set")?.anyObject()?.fields().compactMap { assignment($0, $1) }
    guard let at, let values else { return nil }
    return FactChange(at: at, values: values)
  }

  static func assignment(_ path: String, _ field: JSONField) -> FactAssignment? {
    switch field.value.content {
    case .string(let text): return FactAssignment(path: path, text: text)
    case .boolean(let truth): return FactAssignment(path: path, text: truth ? "true" : "false")
    case .null: return FactAssignment(path: path, text: "unknown")
    default:
      field.report(
        .type, "expected the value of a fact, found \(field.value.kind)",
        remedy: "write it with its unit, as in \"41 %\", or as a word, true, false or null")
      return nil
    }
  }

  static func fault(_ field: JSONField) -> InjectedFault? {
    guard let object = field.object(keys: ["device", "at", "for", "kind", "by"]) else { return nil }
    let at = object.required("at")?.span(like: "1 h")
    let duration = object.required("for")?.span(like: "5 min", atLeast: TimeSpan(nanoseconds: 1))
    let kind = object.required("kind")?.enumCase(InjectedFault.Kind.self)
    let device = affectedDevice(object, by: kind)
    guard let device, let at, let duration, let kind else { return nil }
    let delay =
      object.optional("by")?.span(like: "30 s", atLeast: TimeSpan(nanoseconds: 1)) ?? InjectedFault.usualDelay
    return InjectedFault(device: DeviceID(device), at: at, duration: duration, kind: kind, delay: delay)
  }

  /// Returns the device that a fault affects, or the name of the phone for a fault of the phone.
  private static func affectedDevice(_ object: JSONObject, by kind: InjectedFault.Kind?) -> String? {
    guard let kind, !kind.strikesDevice else { return object.required("device")?.text() }
    for key in ["device", "by"] {
      object.optional(key)?.report(
        .value, "“\(kind.rawValue)” affects the phone, not a device", remedy: "remove “\(key)”")
    }
    return InjectedFault.phone.path
  }

  static func beacon(_ field: JSONField) -> PlacedBeacon? {
    guard let object = field.object(keys: ["identity", "major", "minor", "at", "range"]) else { return nil }
    let identity = object.required("identity")?.identity()
    let major = object.required("major")?.integer(in: 0...65_535)
    let minor = object.required("minor")?.integer(in: 0...65_535)
    let place = object.required("at").flatMap { coordinate($0) }
    let range = object.optional("range")?.quantity(.length, like: "30 m")?.value ?? 30
    if range <= 0 {
      object.optional("range")?.report(
        .value, "the range of a beacon must be above 0 m", remedy: "write a length above 0 m")
    }
    guard let identity, let major, let minor, let place, range > 0 else { return nil }
    return PlacedBeacon(identity: identity, major: major, minor: minor, place: place, range: range)
  }
}
