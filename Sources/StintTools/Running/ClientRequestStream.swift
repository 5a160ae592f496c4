import StintDaemon
package import StintFormats
import StintModel
import StintRuntime
import StintServices
package import StintUnits

/// One request to a running daemon, as a client program sends it: the connection of `stint request`.
package struct ClientRequestStream: Sendable {
  /// A line for the user.
  package enum Line: Sendable {
    /// A fix, a sample or another event, as one line of JSON.
    case result(String)
    /// The state of the request, or its failure.
    case log(String)
  }

  private let kind: String
  private let name: String
  private let settings: [JSONMember]

  /// The kinds of requests that have results without further commands, separated by commas; for the help
  /// text.
  package static var kinds: String {
    RequestKinds.all.names.filter { !needsCommands($0) }.joined(separator: ", ")
  }

  /// Returns whether requests of a kind have results only after commands of their client.
  package static func needsCommands(_ kind: String) -> Bool { kind == TransferConfiguration.kind }

  /// - Parameter settings: the members of the request besides `id` and `kind`.
  package init(kind: String, name: String, settings: [JSONMember]) {
    self.kind = kind
    self.name = name
    self.settings = settings
  }

  /// Runs the request until it ends, `count` results have arrived, or the closure returns false. Blocks.
  ///
  /// - Returns: false when the request failed or was refused, when a request for one fix found no sufficient
  ///   position, or when the daemon closed the connection.
  /// - Throws: `Problem` when no daemon listens or the connection breaks.
  package func run(at path: String, count: Int?, _ body: (Line) -> Bool) throws(Problem) -> Bool {
    let connection = try ControlLines(at: path)
    let request: JSONValue = [
      "request": JSONValue([JSONMember("id", 1), JSONMember("kind", JSONValue(kind))] + settings)
    ]
    try connection.send(JSONWriter.text(of: ["attach": ["name": JSONValue(name)]]))
    try connection.send(JSONWriter.text(of: request))
    let decoder = JSONValueDecoder(file: path, ignoresUnknownKeys: true)
    var left = count ?? .max
    var isAnswered = true
    while let line = try connection.next() {
      let value = try JSONReader.value(of: line, source: path)
      let message = try decoder.decode(DaemonMessage.self, from: value)
      if let problem = message.problem {
        _ = body(.log("refused: \(Self.sentence(of: problem))"))
        return false
      }
      if let ended = message.ended {
        _ = body(.log("ended: \(ended.problem.map(Self.sentence) ?? ended.reason)"))
        return isAnswered && ended.reason != "failed"
      }
      guard let event = message.event else { continue }
      if event.content is UnansweredEvent { isAnswered = false }
      for line in Self.lines(of: event.content, value["event"]) {
        guard body(line) else { return true }
        guard case .result = line else { continue }
        left -= 1
        if left == 0 { return isAnswered }
      }
    }
    _ = body(.log("ended: the daemon closed the connection"))
    return false
  }

  private static func sentence(of problem: DaemonMessage.Failure) -> String {
    ([namingOptions(problem.cause), problem.remedy]).compactMap(\.self).joined(separator: "; ")
  }

  /// The members of a request for which `stint request` has an option of the same name.
  package static let optionNames = [
    "accuracy", "rate", "filter", "activity", "timeout", "device", "background",
  ]

  /// Replaces the position of each problem by the option or operand that sets the member. The position refers
  /// to the message to the daemon, which the user has not seen. For example, `message:1:48: request.rate:
  /// expected …` becomes `--rate: expected …`.
  static func namingOptions(_ cause: String) -> String {
    cause.split(separator: "; ").map { statement in
      let parts = statement.split(separator: ": ", maxSplits: 2)
      guard parts.count == 3, parts[0].hasPrefix("message:"), parts[1].hasPrefix("request.") else {
        return String(statement)
      }
      let member = parts[1].dropFirst("request.".count)
      if member == "kind" { return "KIND: \(parts[2])" }
      let option = optionNames.contains(String(member)) ? "--\(member)" : "--with: \(member)"
      return "\(option): \(parts[2])"
    }.joined(separator: "; ")
  }

  /// Returns the lines of an event. `value` is the JSON of the event, which may contain further members from
  /// a newer daemon.
  private static func lines(of content: any ClientEventContent, _ value: JSONValue?) -> [Line] {
    switch content {
    case is FixesEvent, is SamplesEvent:
      return (value?[type(of: content).mark]?.items ?? []).map { .result(JSONWriter.text(of: $0)) }
    case let event as StatusEvent:
      let rules = event.rules.isEmpty ? "" : " by \(event.rules.joined(separator: ", "))"
      let until = event.until.map { " until \($0)" } ?? ""
      return [.log("\(event.device): \(event.status)\(rules)\(until)")]
    case let event as LostEvent:
      let events = event.lost == 1 ? "1 event was" : "\(event.lost) events were"
      return [.log("\(events) dropped because this program read too slowly")]
    default:
      return [.result(JSONWriter.text(of: JSONValue((value?.members ?? []).filter { $0.name != "id" })))]
    }
  }
}
