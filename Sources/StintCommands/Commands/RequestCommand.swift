import StintFormats
import StintRuntime
import StintTools
import StintUnits

enum RequestCommand {
  private static let countOption = OptionDefinition.integer(
    "count", "N", in: 1...UInt64(Int.max), "end after N fixes, samples or events (default: no limit)")

  static let definition = CommandDefinition(
    name: "request", operands: "KIND", operandCount: 1...1,
    meaning: "request positions, samples or places from a running daemon",
    example: "stint request updates --accuracy 50m --count 5 --control /tmp/stint.sock",
    detail: """
      KIND is \(ClientRequestStream.kinds). Every fix, sample or event is one line of JSON on standard output; the
      state of the request, with the rules that limit it, goes to standard error. Ctrl-C ends the request. The
      exit code is 1 when the request fails or is rejected, 3 when no daemon answers.
      """,
    options: [
      ControlQuery.option,
      .value("name", "NAME", "the name of the client (default: request)"),
      .value(
        "accuracy", "RADIUS",
        "for fix, updates, samples: the radius of 95 % of the errors, such as 10m (default for fix and updates: 100 m)"
      ),
      .value("rate", "RATE", "for updates, samples: for example 1Hz, or 1 per 10 s (default: no limit)"),
      .value("filter", "DISTANCE", "for updates: the least distance between two fixes, such as 50m"),
      .value("activity", "WORD", "for updates, samples: the activity of the user, such as fitness"),
      .value("timeout", "TIME", "for fix: the longest wait, such as 30s (default: 60 s)"),
      .value("device", "DEVICE", "for samples: the device"),
      .value("with", "JSON", "further settings of the request as a JSON object, such as its regions"),
      .flag("background", "continue while the client is in the background"),
      countOption,
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let path = try ControlQuery.socket(arguments)
    guard !ClientRequestStream.needsCommands(arguments.operands[0]) else {
      throw UsageError(
        "a session of “\(arguments.operands[0])” needs commands, which this program does not send",
        hint: "write a client program; the page about client programs describes the protocol")
    }
    var settings: [JSONMember] = []
    for name in ClientRequestStream.optionNames where name != "background" {
      if let text = arguments.text(name) { settings.append(JSONMember(name, JSONValue(text))) }
    }
    if arguments.has("background") { settings.append(JSONMember("background", true)) }
    if let text = arguments.text("with") {
      guard let members = try JSONReader.value(of: text, source: "--with").members else {
        throw UsageError("--with needs a JSON object", hint: "for example --with '{\"regions\": []}'")
      }
      settings += members
    }
    let count: Int? = try arguments.integer(countOption)
    let stream = ClientRequestStream(
      kind: arguments.operands[0], name: arguments.text("name") ?? "request", settings: settings)
    do throws(Problem) {
      let isDone = try stream.run(at: path, count: count) { line in
        switch line {
        case .result(let text): console.result(text)
        case .log(let text): console.log(text)
        }
        return console.isOutputOpen
      }
      return isDone ? .fine : .findings
    } catch {
      console.complain("no daemon answers: \(error.statement)", hint: error.remedy)
      return .unreachable
    }
  }
}
