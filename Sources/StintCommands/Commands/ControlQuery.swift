import StintRuntime
import StintTools
import StintUnits

/// Sends a command's query to a daemon, and prints the daemon's answer.
enum ControlQuery {
  static let option = OptionDefinition.value(
    "control", "SOCKET", "the control socket of the daemon (default: the environment variable STINT_CONTROL)")

  /// The value of STINT_CONTROL; nil when it is not set.
  static var defaultPath: String? { ControlClient.defaultPath }

  /// Returns the path of the socket: the option, or STINT_CONTROL.
  static func socket(_ arguments: Arguments) throws(UsageError) -> String {
    if let path = arguments.text("control") ?? defaultPath { return path }
    throw UsageError(
      "the daemon's control socket is missing",
      hint: "name the socket of stint run: stint \(arguments.command) --control /tmp/stint.sock")
  }

  /// Prints the answer. Returns exit code 1 when the daemon rejects the query, 2 when the query is about an
  /// unknown item, 3 when no daemon answers.
  static func run(_ query: DaemonQuery, _ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let path = try socket(arguments)
    let answer: DaemonQuery.Answer
    do throws(Problem) {
      answer = try query.ask(at: path) {
        console.log(
          query.isChange
            ? "waiting for the daemon, for example for its disk; Ctrl-C does not withdraw the change"
            : "waiting for the daemon")
      }
    } catch {
      if error.code == .noValidAnswer {
        console.complain(
          "the daemon did not answer: \(error)",
          hint: query.isChange
            ? "the change may come into force later; ask again with stint status"
            : "see the log of the daemon")
      } else {
        console.complain("no daemon answers: \(error.statement)", hint: error.remedy)
      }
      return .unreachable
    }
    if arguments.has("json") {
      console.result(answer.json)
    } else if answer.isDone {
      console.report(answer.text)
    } else {
      console.complain(answer.text, hint: "")
    }
    if answer.isUnknownName { return .misuse }
    return answer.isDone ? .fine : .findings
  }
}
