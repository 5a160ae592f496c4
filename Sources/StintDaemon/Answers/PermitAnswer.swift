import StintFormats
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// The answer to a request that shows or decides the permissions of a client.
///
/// `{"ask": "permit", "client": "trail-app", "permission": {"location": "when_in_use"}}` changes the named
/// decisions, and `{"ask": "permit", "client": "trail-app", "reset": true}` deletes all decisions. A request
/// with neither member shows the permissions.
struct PermitAnswer {
  /// The members of the request.
  private struct Question: Decodable {
    var ask: String
    var client: String
    var permission: PermissionDecision?
    var reset: Bool?
  }

  let apps: [SiteApp]
  let decisions: DecisionStore
  /// The process that makes the request; nil when it is unknown.
  let peer: ControlPeer?

  /// Applies the request.
  ///
  /// - Parameter answer: receives the outcome. For a change, it is called when the decision is saved and in
  ///   force, or refused.
  func reply(
    to value: JSONValue, _ host: isolated Host, _ answer: @escaping @Sendable (PolicyStore.Outcome) -> Void
  ) {
    do throws(Problem) {
      let question = try JSONValueDecoder(file: "question").decode(Question.self, from: value)
      let client = ClientID(question.client)
      let given = try permissions(of: client, host.serviceBoard)
      guard question.reset == true || question.permission != nil else {
        let decision = host.serviceBoard.decision(about: client)
        return answer(Self.outcome(client, decision?.applied(to: given) ?? given, "has"))
      }
      guard question.reset != true || question.permission == nil else {
        throw Problem(.value, cause: "“reset” and “permission” exclude each other", remedy: "omit one")
      }
      var author: (@Sendable () -> String)?
      if let peer { author = { peer.text } }
      decisions.change(client, of: host, by: author) { former in
        question.permission.map { former?.merged(with: $0) ?? $0 }
      } report: {
        var outcome = Self.outcome(client, given, $0)
        outcome.author = $1
        answer(outcome)
      }
    } catch {
      // The user gave the permissions as words, not as JSON, so a position in the JSON would not help.
      var problem = error
      problem.place = .init(error.place.part)
      answer(
        .init(isDone: false, text: "\(problem)", problem: error.code == .unknownName ? .unknownName : nil))
    }
  }

  /// Returns the outcome of a change. `given` contains the permissions that the site or the app gives.
  private static func outcome(
    _ client: ClientID, _ given: Permissions, _ change: DecisionStore.Change
  ) -> PolicyStore.Outcome {
    let name = VisibleText.line(client.name)
    switch change {
    case .done(let decision?): return outcome(client, decision.applied(to: given), "now has")
    case .done(nil): return outcome(client, given, "has the permissions of its site or app again:")
    case .refused(let problem):
      return .init(
        isDone: false, text: "the permissions of “\(name)” cannot be changed: \(problem); nothing was changed"
      )
    case .unknown:
      return .init(
        isDone: false,
        text: "the daemon ends, and the disk does not answer; the permissions of “\(name)” may change when "
          + "the daemon starts again; ask after that start")
    case .atNextStart:
      return .init(
        isDone: false,
        text: "the daemon ends; the permissions of “\(name)” change when the daemon starts again")
    }
  }

  private static func outcome(
    _ client: ClientID, _ permissions: Permissions, _ verb: String
  ) -> PolicyStore.Outcome {
    .init(
      isDone: true, text: "“\(VisibleText.line(client.name))” \(verb) \(permissions.text)",
      report: ReportKind.permit.stamped([
        "client": JSONValue(client.name), "permissions": permissions.json,
      ]))
  }

  /// Returns the permissions that the site or the app gives a client, without decisions.
  private func permissions(of client: ClientID, _ board: ServiceBoard) throws(Problem) -> Permissions {
    if let status = board.status(of: client), !status.isPolicy { return status.given }
    if let app = apps.first(where: { $0.name == client }) { return app.permissions }
    if board.decision(about: client) != nil { return .always }
    let known = Set(board.clients.filter { !$0.isPolicy }.map(\.id) + apps.map(\.name)).sorted()
    let names = known.map { VisibleText.line($0.name) }.joined(separator: ", ")
    throw Problem(
      .unknownName, cause: "there is no client “\(VisibleText.line(client.name))”",
      remedy: known.isEmpty ? "no client is attached, and the site names no app" : "the clients are \(names)")
  }
}

extension Permissions {
  /// One line for people: `location when_in_use, precision precise, motion granted, network granted`.
  var text: String { words.map { "\($0.name) \($0.word)" }.joined(separator: ", ") }

  /// The permissions as JSON, for replies and messages.
  var json: JSONValue { JSONValue(words.map { JSONMember($0.name, JSONValue($0.word)) }) }

  private var words: [(name: String, word: String)] {
    [
      ("location", location.word), ("precision", precision.rawValue), ("motion", motion.rawValue),
      ("network", network.rawValue),
    ]
  }
}
