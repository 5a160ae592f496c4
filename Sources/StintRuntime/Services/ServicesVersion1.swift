import StintFormats

/// Converts services files of version 1 to version 2, which `ServicesFile` also reads.
///
/// Version 1 wraps objects as `{"record": …}` and fractions as `{"number": "…"}`, writes instants and spans
/// as nanoseconds, and has a separate form for each service and notice. The converted file contains instants
/// and spans as nanoseconds too.
enum ServicesVersion1 {
  static func converted(_ file: JSONValue) -> JSONValue {
    let services = unwrapped(file["services"] ?? JSONValue(.null))
    let parts: [(String, [JSONValue])] = [
      ("clients", list("clients", of: services)),
      ("services", list("services", of: services).map { entry($0) }),
      ("services_of_rules", list("watched", of: services).map { entry($0) }),
      ("notices", list("kept", of: services).map { entry($0) }),
      ("launches", list("launches", of: services)),
    ]
    return object([
      ("stint_services", JSONValue(.integer(2))), ("services", object(parts.map { ($0, array($1)) })),
    ])
  }

  /// Removes the wrappers of objects and fractions.
  private static func unwrapped(_ value: JSONValue) -> JSONValue {
    if let number = value["number"]?.string.flatMap(Double.init) { return JSONValue(.number(number)) }
    if let members = value["record"]?.members {
      return place(object(members.map { ($0.name, unwrapped($0.value)) }))
    }
    return value.items.map { array($0.map(unwrapped)) } ?? value
  }

  /// Adds the array `place` to an object with a latitude and a longitude.
  private static func place(_ value: JSONValue) -> JSONValue {
    guard let latitude = value["latitude"], let longitude = value["longitude"] else { return value }
    return object([("place", array([latitude, longitude]))] + pairs(value))
  }

  private static func entry(_ value: JSONValue) -> JSONValue {
    guard let kind = value["kind"]?.string, let state = value["memory"] else { return value }
    let client = value["client"] ?? value["policy"]
    return object([("client", client), ("state", converted(state, kind))] + pairs(value))
  }

  private static func converted(_ state: JSONValue, _ kind: String) -> JSONValue {
    switch kind {
    case "moves":
      object([
        ("request", state), ("delivered", state["delivered"]), ("delivered_at", state["at"]),
      ])
    case "regions": object([("regions", array(list("regions", of: state).map(region)))])
    case "transfers": session(state)
    case "visits":
      object([
        ("receivers", state["receivers"]),
        ("tracker", object([("known", state["known"]), ("visit", state["visit"])])),
      ])
    case "region", "beacon": crossing(state)
    case "visit":
      object([
        (
          state["visit"]?["departure"] == nil ? "arrived" : "departed",
          object([("_0", state["visit"]), ("receiver", state["receiver"])])
        )
      ])
    case "move": move(state)
    case "transfer": transfer(state)
    default: state
    }
  }

  private static func region(_ value: JSONValue) -> JSONValue {
    object([
      ("region", object([("centre", value["place"])] + pairs(value))), ("inside", value["inside"]),
    ])
  }

  // MARK: Notices

  private static func crossing(_ value: JSONValue) -> JSONValue {
    if let region = value["known"] {
      return object([("known", object([("region", region), ("isInside", value["inside"])]))])
    }
    return object(pairs(value).map { name, region in (name, object([("_0", region)])) })
  }

  private static func move(_ value: JSONValue) -> JSONValue {
    if value.string == "heartbeat" { return object([("heartbeat", object([]))]) }
    if let fix = value["cached"] {
      return object([("cached", object([("_0", fix), ("age", value["age"])]))])
    }
    return object([
      ("moved", value["moved"].map { object([("_0", $0)]) }),
      ("noEffect", value["no_effect"].map { object([("_0", $0)]) }),
    ])
  }

  private static func transfer(_ value: JSONValue) -> JSONValue {
    let task = value["task"]
    let word = value["notice"]?.string ?? ""
    var second: JSONValue?
    switch word {
    case "refused": second = value
    case "waiting": second = value["wait"]
    case "reply": second = value["status"]
    case "failed": second = object([("name", value["fault"]), ("isTransient", value["transient"])])
    case "warning": second = value["sentence"]
    default: break
    }
    let name = word == "credentials" ? "credentialsNeeded" : word
    return object([(name, object([("_0", task), ("_1", second), ("file", value["file"])]))])
  }

  // MARK: Transfers

  private static func session(_ value: JSONValue) -> JSONValue {
    object(
      [
        ("configuration", value["configuration"].map(configuration)),
        ("tasks", array(list("tasks", of: value).map(task))),
        ("kept", array(list("kept", of: value).map(transfer))),
        ("dropped", value["dropped"] ?? JSONValue(.integer(0))), ("left_at", value["left"]),
      ] + pairs(value))
  }

  private static func configuration(_ value: JSONValue) -> JSONValue {
    let retries = object([
      ("first", value["retry_first"]), ("cap", value["retry_cap"]), ("limit", value["retries"]),
      ("jitter", value["retry_jitter"] ?? JSONValue(.number(0))),
      ("seed", JSONValue(Int128(UInt64(bitPattern: value["retry_seed"]?.integer ?? 0)))),
    ])
    return object(
      [
        ("retries", retries), ("outlives_client", JSONValue(.boolean(true))), ("window_end", value["end"]),
        ("must_exist", value["must_stand"]), ("large_task", value["large"]), ("slow_link", value["slow"]),
      ] + pairs(value))
  }

  private static func task(_ value: JSONValue) -> JSONValue {
    let phase = value["phase"]?.string ?? ""
    return object(
      [
        ("request", value["request"].map(request)), ("reported", value["told"]),
        ("bytes_through", value["through"]),
        ("phase", object([(phase, object([("until", value["until"])]))])),
      ] + pairs(value))
  }

  private static func request(_ value: JSONValue) -> JSONValue {
    let kind =
      value["from"].map { object([("download", object([("from", $0)]))]) }
      ?? object([("upload", object([("file", value["file"]), ("to", value["to"])]))])
    return object(
      [("kind", kind), ("bytes_up", value["up"]), ("bytes_down", value["down"])] + pairs(value))
  }

  // MARK: Building values

  private static func list(_ name: String, of value: JSONValue) -> [JSONValue] { value[name]?.items ?? [] }

  private static func pairs(_ value: JSONValue) -> [(String, JSONValue?)] {
    (value.members ?? []).map { ($0.name, $0.value) }
  }

  private static func array(_ items: [JSONValue]) -> JSONValue { JSONValue(.array(items)) }

  /// Makes an object. Of several values with the same name, the first one is used.
  private static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
    var names: Set<String> = []
    return JSONValue(
      .object(
        members.compactMap { name, value in
          guard let value, names.insert(name).inserted else { return nil }
          return JSONMember(name, value)
        }))
  }
}
