public import StintModel
public import StintUnits

/// Reads the messages of client programs; `ClientMessage` shows their format.
public enum ClientMessageReader {
  /// Reads the message that a line contains.
  ///
  /// - Parameters:
  ///   - line: the JSON text of one message.
  ///   - kinds: the kinds of requests that the client may make.
  /// - Throws: `Problem` with all unknown keys and the first wrong value. Each mistake has a column, a member
  ///   and a remedy.
  public static func message(of line: String, requests kinds: RequestKinds) throws(Problem) -> ClientMessage {
    let findings = JSONFindings(source: "message")
    let value = try JSONReader.value(of: line, source: "message")
    let message = JSONField(value: value, path: "", findings: findings).anyObject().flatMap {
      read($0, kinds)
    }
    try findings.check()
    guard let message else { preconditionFailure("reading failed without a problem") }
    return message
  }

  /// Reads the first message of a program, which must be “attach”. Returns the client.
  ///
  /// - Parameters:
  ///   - line: the JSON text of the message.
  ///   - kinds: the kinds of requests that the client may make. They are needed to report mistakes when the
  ///     first message is a request.
  /// - Throws: `Problem` with the code `order` for another message, or the mistakes of the line.
  public static func firstMessage(of line: String, requests kinds: RequestKinds) throws(Problem) -> ClientID {
    guard case .attach(let client) = try message(of: line, requests: kinds) else {
      throw Problem(.order, cause: "the first message must be “attach”", remedy: "attach before requests")
    }
    return client
  }

  /// Returns the number of the request in a line; nil when the line contains none. An error reply contains
  /// this number.
  public static func number(in line: String) -> Int64? {
    do throws(Problem) {
      return try JSONReader.value(of: line, source: "message").members?.first?.value["id"]?.integer
    } catch {
      return nil
    }
  }

  private static func read(_ root: JSONObject, _ requests: RequestKinds) -> ClientMessage? {
    let kinds = ClientMessage.Kind.allCases.map(\.rawValue)
    root.refuseKeys(except: kinds)
    guard root.members.count == 1, let member = root.fields().first else {
      root.report(
        .value, "a message has exactly one member", remedy: "write one of \(kinds.joined(separator: ", "))")
      return nil
    }
    guard let kind = ClientMessage.Kind(rawValue: member.name) else { return nil }
    let body = member.field
    switch kind {
    case .attach:
      return body.object(keys: ["name"])?.required("name")?.name().map { .attach(ClientID($0)) }
    case .request: return body.anyObject().flatMap { request($0, requests) }
    case .command: return body.anyObject().flatMap { command($0) }
    case .end: return body.object(keys: ["id"]).flatMap { number($0) }.map { .end($0) }
    case .presence:
      let words = ["foreground", "background"]
      guard let text = body.text() else { return nil }
      guard words.contains(text) else {
        body.report(
          .unknownName, "unknown word “\(Excerpt.text(text))”",
          remedy: Spelling.advice(for: text, among: words)
        )
        return nil
      }
      return .presence(inForeground: text == words[0])
    case .publish:
      let facts = body.anyObject()?.fields().compactMap { ScenarioReader.assignment($0, $1) }
      return facts.map { .publish($0) }
    case .outlook:
      return body.object(keys: ["device"])?.required("device")?.name().map { .outlook(DeviceID($0)) }
    }
  }

  private static func number(_ object: JSONObject) -> Int64? {
    object.required("id")?.integer(in: 0...Int(Int32.max)).map(Int64.init)
  }

  private static func request(_ object: JSONObject, _ kinds: RequestKinds) -> ClientMessage? {
    let number = number(object)
    guard let kind = object.required("kind").flatMap({ ScenarioReader.kind($0, kinds) }),
      let request = object.without(["id", "kind"]).decode(kind), let number
    else { return nil }
    return .request(number, request)
  }

  private static func command(_ object: JSONObject) -> ClientMessage? {
    number(object).map { .command($0, object.without(["id"]).value) }
  }
}
