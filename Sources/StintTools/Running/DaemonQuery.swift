import StintFormats
import StintRuntime
public import StintUnits

/// What can be asked of a daemon at work.
public enum DaemonQuery: Hashable, Sendable {
  case status
  case why(device: String)
  case whyNot(thing: String)
  case rollback
  case push(file: String, text: String)

  /// What a daemon said.
  public struct Answer: Hashable, Sendable {
    /// Whether it did what was asked.
    public var isDone: Bool
    /// For people.
    public var text: String
    /// The report that `--json` prints, as one JSON object on one line; the whole answer where there is none.
    public var json: String
    /// Whether the question names something that the daemon does not have.
    public var isUnknownName: Bool
  }

  /// The daemon's answer. Blocks the calling thread.
  public func ask(at path: String) throws(Problem) -> Answer {
    let line = try ControlClient.ask(JSONWriter.text(of: question), at: path, isTrusting: changes)
    do throws(Problem) {
      let answer = try JSONReader.value(of: line, source: path)
      guard let isDone = answer["ok"]?.boolean, let text = answer["text"]?.string else {
        throw Problem(.missing, place: path, cause: "it says neither “ok” nor “text”")
      }
      var json = line
      if let report = answer["report"], report.members != nil { json = JSONWriter.text(of: report) }
      return Answer(
        isDone: isDone, text: text, json: json,
        isUnknownName: answer["problem"]?.string == LivePolicies.Outcome.Problem.unknownName.rawValue)
    } catch {
      throw Problem(.silent, place: path, cause: "its answer cannot be read: \(error.cause)")
    }
  }

  /// Whether it changes what the daemon does.
  private var changes: Bool {
    switch self {
    case .push, .rollback: true
    case .status, .why, .whyNot: false
    }
  }

  private var question: JSONValue {
    switch self {
    case .status: ["ask": "status"]
    case .why(let device): ["ask": "why", "device": JSONValue(device)]
    case .whyNot(let thing): ["ask": "why-not", "thing": JSONValue(thing)]
    case .rollback: ["ask": "rollback"]
    case .push(let file, let text): ["ask": "push", "file": JSONValue(file), "text": JSONValue(text)]
    }
  }
}
