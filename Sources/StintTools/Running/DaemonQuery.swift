import StintDaemon
import StintFormats
import StintRuntime
public import StintUnits

/// A request to a running daemon.
public enum DaemonQuery: Hashable, Sendable {
  case status
  case why(device: String)
  case whyNot(thing: String)
  case rollback
  case push(file: String, text: String)
  /// Shows or changes the permissions of a client. `changes` maps the names of permissions to their new
  /// values.
  case permit(client: String, changes: [String: String], isReset: Bool)

  /// The reply of a daemon.
  public struct Answer: Hashable, Sendable {
    /// True when the daemon fulfilled the request.
    public var isDone: Bool
    /// The reply as text for people.
    public var text: String
    /// The report for `--json` as one line of JSON; the whole reply when the reply contains no report.
    public var json: String
    /// True when the request is about a device or rule that the daemon does not have.
    public var isUnknownName: Bool
  }

  /// Sends the request to the socket at `path` and returns the reply. Blocks the calling thread.
  ///
  /// - Parameter onDelay: called once, when no reply came within 3 s and the wait continues.
  /// - Throws: `Problem` when the daemon cannot be reached or its reply is invalid.
  public func ask(at path: String, onDelay: () -> Void = {}) throws(Problem) -> Answer {
    let line = try ControlClient.ask(
      JSONWriter.text(of: question), at: path, requiresTrustedDaemon: isChange,
      timeout: isChange ? ControlClient.changeTimeout : ControlClient.timeout,
      onDelay: onDelay)
    do throws(Problem) {
      let answer = try JSONReader.value(of: line, source: path)
      guard let isDone = answer["ok"]?.boolean, let text = answer["text"]?.string else {
        throw Problem(.missing, place: path, cause: "the reply has no “ok” or no “text”")
      }
      var json = line
      if let report = answer["report"], report.members != nil { json = JSONWriter.text(of: report) }
      return Answer(
        isDone: isDone, text: text, json: json,
        isUnknownName: answer["problem"]?.string == PolicyStore.Outcome.Problem.unknownName.rawValue)
    } catch {
      throw Problem(.noValidAnswer, place: path, cause: "the reply cannot be read: \(error.cause)")
    }
  }

  /// True when the request changes the daemon.
  public var isChange: Bool {
    switch self {
    case .permit(_, let changes, let isReset): isReset || !changes.isEmpty
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
    case .permit(let client, let changes, let isReset): Self.permit(client, changes, isReset)
    case .push(let file, let text): ["ask": "push", "file": JSONValue(file), "text": JSONValue(text)]
    }
  }

  private static func permit(_ client: String, _ changes: [String: String], _ isReset: Bool) -> JSONValue {
    var members = [JSONMember("ask", "permit"), JSONMember("client", JSONValue(client))]
    if isReset { members.append(JSONMember("reset", true)) }
    if !changes.isEmpty {
      let words = changes.sorted { $0.key < $1.key }.map { JSONMember($0.key, JSONValue($0.value)) }
      members.append(JSONMember("permission", JSONValue(words)))
    }
    return JSONValue(members)
  }
}
