import StintModel
import StintUnits

extension ScenarioReader {
  /// Reads the services of a client; each needs a unique name.
  static func services(_ client: JSONObject, _ kinds: RequestKinds) -> [ScenarioService] {
    let services = list(client, "services") { service($0, kinds) }
    guard let items = client.optional("services")?.items(), items.count == services.count else {
      return services
    }
    for (index, service) in services.enumerated()
    where services[..<index].contains(where: { $0.name == service.name }) {
      items[index].report(
        .duplicate, "“\(service.name)” appears twice", remedy: "give each service a name of its own")
    }
    return services
  }

  private static func service(_ field: JSONField, _ kinds: RequestKinds) -> ScenarioService? {
    guard let object = field.object(keys: ["name", "kind", "from", "until", "with"]) else { return nil }
    let name = object.required("name")?.name()
    let from = object.optional("from")?.span(like: "0 s") ?? .zero
    let until = object.optional("until")?.span(like: "9 h")
    if let until, until <= from {
      object.optional("until")?.report(
        .order, "the service ends before it begins", remedy: "write a time after “from”")
    }
    guard let kind = object.required("kind").flatMap({ self.kind($0, kinds) }),
      let request = object.field("with", orEmpty: field).decode(kind), let name
    else { return nil }
    return ScenarioService(name: name, request: request, from: from, until: until)
  }

  /// Returns the type of the requests of the kind in a field. Nil, with a report, for an unknown kind.
  static func kind(_ field: JSONField, _ kinds: RequestKinds) -> (any ClientRequest.Type)? {
    guard let word = field.text() else { return nil }
    if let kind = kinds[word] { return kind }
    field.report(
      .unknownName, "unknown kind of request “\(Excerpt.text(word))”",
      remedy: Spelling.advice(for: word, among: kinds.names))
    return nil
  }
}
