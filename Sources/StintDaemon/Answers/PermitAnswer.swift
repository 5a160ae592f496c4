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
  /// The file with the decisions of operators; nil for a daemon without a state file.
  let file: DecisionFile?

  /// Applies the request.
  ///
  /// - Parameter answer: receives the outcome. For a change, it is called after the decision has been saved.
  func reply(
    to value: JSONValue, _ host: isolated Host, at instant: Instant,
    _ answer: @escaping @Sendable (PolicyStore.Outcome) -> Void
  ) async {
    do throws(Problem) {
      let question = try JSONValueDecoder(file: "question").decode(Question.self, from: value)
      let client = ClientID(question.client)
      let given = try permissions(of: client, host.serviceBoard)
      let former = host.serviceBoard.decision(about: client)
      guard question.reset == true || question.permission != nil else {
        return answer(outcome(client, former?.applied(to: given) ?? given, "has"))
      }
      guard question.reset != true || question.permission == nil else {
        throw Problem(.value, cause: "“reset” and “permission” exclude each other", remedy: "leave one off")
      }
      let decision = question.permission.map { former?.merged(with: $0) ?? $0 }
      await host.serve([.decide(client, decision)], at: instant)
      let done = outcome(
        client, decision?.applied(to: given) ?? given,
        decision == nil ? "has the permissions of its site or app again:" : "now has")
      guard let file else { return answer(done) }
      file.save(host.serviceBoard.decisions) { answer($0.map(Self.unsaved) ?? done) }
    } catch {
      // The caller gave words, not JSON: the position in the request means nothing to a reader of the text.
      var problem = error
      problem.place = .init(error.place.part)
      answer(
        .init(isDone: false, text: "\(problem)", problem: error.code == .unknownName ? .unknownName : nil))
    }
  }

  private static func unsaved(_ problem: Problem) -> PolicyStore.Outcome {
    .init(
      isDone: false,
      text: "the decision is in force, but not saved, and is lost at the next start: \(problem)")
  }

  private func outcome(
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

  /// The form of replies and messages.
  var json: JSONValue { JSONValue(words.map { JSONMember($0.name, JSONValue($0.word)) }) }

  private var words: [(name: String, word: String)] {
    [
      ("location", location.word), ("precision", precision.rawValue), ("motion", motion.rawValue),
      ("network", network.rawValue),
    ]
  }
}
