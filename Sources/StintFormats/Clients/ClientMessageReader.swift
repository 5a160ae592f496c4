import StintModel
public import StintUnits

/// Reads the messages of client programs; `ClientMessage` shows their form.
public enum ClientMessageReader {
  /// Returns the message in one line.
  ///
  /// - Throws: `Problem` with all mistakes of the line, each with its column, the member and a remedy.
  public static func message(of line: String) throws(Problem) -> ClientMessage {
    let findings = JSONFindings(source: "message")
    let value = try JSONReader.value(of: line, source: "message")
    let message = JSONField(value: value, path: "", findings: findings).anyObject().flatMap(read)
    try findings.check()
    guard let message else { preconditionFailure("reading failed without a problem") }
    return message
  }

  /// Returns the number of the request that a line names; nil when the line names none. For error replies.
  public static func number(in line: String) -> Int64? {
    do throws(Problem) {
      return try JSONReader.value(of: line, source: "message").members?.first?.value["id"]?.integer
    } catch {
      return nil
    }
  }

  private static func read(_ root: JSONObject) -> ClientMessage? {
    let kinds = ClientMessage.Kind.allCases.map(\.rawValue)
    root.refuseKeys(except: kinds)
    guard root.members.count == 1, let member = root.fields().first else {
      root.report(
        .value, "a message has exactly one member", step: "write one of \(kinds.joined(separator: ", "))")
      return nil
    }
    guard let kind = ClientMessage.Kind(rawValue: member.name) else { return nil }
    let body = member.field
    switch kind {
    case .attach:
      return body.object(keys: ["name"])?.required("name")?.name().map { .attach(ClientID($0)) }
    case .request: return body.anyObject().flatMap { request($0) }
    case .command: return body.anyObject().flatMap { command($0) }
    case .end: return body.object(keys: ["id"]).flatMap { number($0) }.map { .end($0) }
    case .presence:
      let words = ["foreground", "background"]
      guard let text = body.text() else { return nil }
      guard words.contains(text) else {
        body.report(
          .unknownName, "unknown word “\(Excerpt.text(text))”", step: Spelling.advice(for: text, among: words)
        )
        return nil
      }
      return .presence(inForeground: text == words[0])
    case .publish:
      let facts = body.anyObject()?.fields().compactMap { ScenarioReader.assignment($0, $1) }
      return facts.map { .publish($0) }
    }
  }

  private static func number(_ object: JSONObject) -> Int64? {
    object.required("id")?.whole(in: 0...Int(Int32.max)).map(Int64.init)
  }

  private static func request(_ object: JSONObject) -> ClientMessage? {
    let number = number(object)
    guard let field = object.required("kind"), let word = field.text() else { return nil }
    let request: ClientMessage.Request?
    if word == ClientMessage.samplesKind {
      request = samples(object)
    } else if word == ClientMessage.transfersKind {
      request = .transfers(remainder(of: object, without: ["id", "kind"]))
    } else if let kind = ScenarioService.Kind(rawValue: word) {
      object.refuseKeys(except: ["id", "kind"] + ScenarioReader.keys(of: kind))
      request = ScenarioReader.settings(of: kind, object).map { .service($0) }
    } else {
      field.report(
        .unknownName, "unknown kind of request “\(Excerpt.text(word))”",
        step: Spelling.advice(for: word, among: ClientMessage.requestKinds))
      return nil
    }
    guard let number, let request else { return nil }
    return .request(number, request)
  }

  private static func samples(_ object: JSONObject) -> ClientMessage.Request? {
    object.refuseKeys(except: ["id", "kind", "device"] + ScenarioReader.demandKeys)
    let wants = ScenarioReader.wants(demand: object)
    return object.required("device")?.name().map { .samples(DeviceID($0), wants) }
  }

  private static func command(_ object: JSONObject) -> ClientMessage? {
    number(object).map { .command($0, remainder(of: object, without: ["id"])) }
  }

  private static func remainder(of object: JSONObject, without keys: [String]) -> JSONValue {
    JSONValue(.object(object.members.filter { !keys.contains($0.name) }), at: object.place)
  }

  /// Returns the changes in a command to running updates.
  ///
  /// - Throws: `Problem` with all mistakes of the command.
  public static func changes(in command: JSONValue) throws(Problem) -> [ClientMessage.Change] {
    let findings = JSONFindings(source: "message")
    let changes = JSONField(value: command, path: "command", findings: findings).anyObject().map(changes)
    try findings.check()
    return changes ?? []
  }

  private static func changes(_ object: JSONObject) -> [ClientMessage.Change] {
    object.refuseKeys(except: ["accuracy", "filter", "pause", "background"])
    var changes: [ClientMessage.Change] = []
    func length(_ key: String, like example: String, _ change: (Double?) -> ClientMessage.Change) {
      guard let field = object.optional(key) else { return }
      if case .null = field.value.content {
        changes.append(change(nil))
      } else if let metres = field.amount(.length, like: example) {
        changes.append(change(metres))
      }
    }
    length("accuracy", like: "10 m") { .accuracy($0) }
    length("filter", like: "50 m") { .filter($0) }
    if let flag = object.optional("pause")?.flag() { changes.append(.pause(flag)) }
    if let flag = object.optional("background")?.flag() { changes.append(.background(flag)) }
    if object.members.isEmpty {
      object.report(
        .missing, "the command changes nothing", step: "add accuracy, filter, pause or background")
    }
    return changes
  }
}
