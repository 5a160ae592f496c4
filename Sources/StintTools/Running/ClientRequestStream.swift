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

  /// The kinds of requests that need no commands, for help.
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
  /// - Returns: false when the request failed or was refused.
  /// - Throws: `Problem` when no daemon listens or the connection breaks.
  package func run(at path: String, count: Int?, _ body: (Line) -> Bool) throws(Problem) -> Bool {
    let connection = try ControlLines(at: path)
    let request: JSONValue = [
      "request": JSONValue([JSONMember("id", 1), JSONMember("kind", JSONValue(kind))] + settings)
    ]
    try connection.send(JSONWriter.text(of: ["attach": ["name": JSONValue(name)]]))
    try connection.send(JSONWriter.text(of: request))
    var left = count ?? .max
    while let line = try connection.next() {
      let value = try JSONReader.value(of: line, source: path)
      if let problem = value["problem"] {
        _ = body(.log("refused: \(Self.sentence(of: problem))"))
        return false
      }
      if let ended = value["ended"] {
        let reason = ended["problem"].map(Self.sentence) ?? ended["reason"]?.string ?? ""
        _ = body(.log("ended: \(reason)"))
        return ended["reason"]?.string != "failed"
      }
      guard let event = value["event"] else { continue }
      for line in Self.lines(of: event) {
        guard body(line) else { return true }
        guard case .result = line else { continue }
        left -= 1
        if left == 0 { return true }
      }
    }
    _ = body(.log("ended: the daemon closed the connection"))
    return false
  }

  private static func sentence(of problem: JSONValue) -> String {
    [problem["cause"]?.string, problem["remedy"]?.string].compactMap(\.self).joined(separator: "; ")
  }

  private static func lines(of event: JSONValue) -> [Line] {
    if let items = (event["fixes"] ?? event["samples"])?.items {
      return items.map { .result(JSONWriter.text(of: $0)) }
    }
    if let status = event["status"]?.string {
      let rules = (event["rules"]?.items ?? []).compactMap(\.string).joined(separator: ", ")
      let device = event["device"]?.string ?? ""
      return [.log("\(device): \(status)\(rules.isEmpty ? "" : " by \(rules)")")]
    }
    if let lost = event["lost"]?.integer {
      return [.log("\(lost) events are lost: they were read too slowly")]
    }
    return [.result(JSONWriter.text(of: JSONValue((event.members ?? []).filter { $0.name != "id" })))]
  }
}
