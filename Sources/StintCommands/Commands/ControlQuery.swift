import StintRuntime
import StintTools
import StintUnits

/// Asks a daemon, for the commands that do.
enum ControlQuery {
  static let option = OptionForm.value(
    "control", "SOCKET", "where the daemon listens; STINT_CONTROL when left out")

  /// What the environment says; nil when it says nothing.
  static var defaultPath: String? { ControlClient.defaultPath }

  /// Prints the answer; 1 when the daemon declines, 2 when it has no such name, 3 when there is none.
  static func run(_ query: DaemonQuery, _ arguments: Arguments, _ console: Console) throws -> ExitCode {
    guard let path = arguments.text("control") ?? defaultPath else {
      throw UsageError(
        "which daemon?", hint: "name its socket with --control, as in: stint run … --control /tmp/stint.sock")
    }
    let answer: DaemonQuery.Answer
    do throws(Problem) {
      answer = try query.ask(at: path)
    } catch {
      console.complain(
        "no daemon answers: \(error)",
        hint: "start one with: stint run --policies DIR --simulate S --control \(path)")
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
