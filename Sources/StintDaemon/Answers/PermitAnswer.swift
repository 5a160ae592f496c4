import StintFormats
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// The answer to a request that shows or decides the permissions of a client.
///
/// `{"ask": "permit", "client": "trail-app", "permission": {"location": "when_in_use"}}` changes the named
/// decisions, `{"ask": "permit", "client": "trail-app", "reset": true}` takes all of them back, and without
/// both members the permissions are shown.
struct PermitAnswer {
  /// The members of the request, with the decisions as words.
  private struct Question: Decodable {
    var ask: String
    var client: String
    var permission: [String: String]?
    var reset: Bool?
  }

  let apps: [SiteApp]

  /// Applies the request, and returns its outcome.
  func outcome(
    of value: JSONValue, _ host: isolated Host, at instant: Instant
  ) async -> PolicyStore.Outcome {
    do throws(Problem) {
      let question = try JSONValueDecoder(file: "question").decode(Question.self, from: value)
      let client = ClientID(question.client)
      let present = try permissions(of: client, host.serviceBoard)
      guard question.reset == true || question.permission != nil else {
        return outcome(client, present, "has")
      }
      if question.reset == true {
        let given = apps.first { $0.name == client }?.permissions ?? present
        await host.serve([.decide(client, nil), .authorize(client, given)], at: instant)
        return outcome(client, given, "has the permissions of its site or app again:")
      }
      let decided = try present.with(question.permission ?? [:])
      await host.serve([.decide(client, decided)], at: instant)
      return outcome(client, decided, "now has")
    } catch {
      return .init(
        isDone: false, text: "\(error)", problem: error.code == .unknownName ? .unknownName : nil)
    }
  }

  private func outcome(
    _ client: ClientID, _ permissions: Permissions, _ verb: String
  ) -> PolicyStore.Outcome {
    .init(
      isDone: true, text: "“\(client)” \(verb) \(permissions.text)",
      report: ReportKind.permit.stamped([
        "client": JSONValue(client.name), "permissions": permissions.json,
      ]))
  }

  /// Returns the permissions that a client has, or that it would have when it attaches.
  private func permissions(of client: ClientID, _ board: ServiceBoard) throws(Problem) -> Permissions {
    if let decision = board.decision(about: client) { return decision }
    if let status = board.status(of: client), !status.isPolicy { return status.permissions }
    if let app = apps.first(where: { $0.name == client }) { return app.permissions }
    let known = Set(board.clients.filter { !$0.isPolicy }.map(\.id) + apps.map(\.name)).sorted()
    let names = known.map(\.name).joined(separator: ", ")
    throw Problem(
      .unknownName, cause: "there is no client “\(client)”",
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

  /// Returns these permissions with some decisions replaced, by the names of `words`.
  ///
  /// - Throws: `Problem` for an unknown name or word.
  fileprivate func with(_ changes: [String: String]) throws(Problem) -> Permissions {
    var copy = self
    for (name, word) in changes.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "location": copy.location = try Self.value(word, of: name)
      case "precision": copy.precision = try Self.value(word, of: name)
      case "motion": copy.motion = try Self.value(word, of: name)
      case "network": copy.network = try Self.value(word, of: name)
      default:
        throw Problem(
          .unknownName, cause: "there is no permission “\(name)”",
          remedy: "the permissions are \(words.map(\.name).joined(separator: ", "))")
      }
    }
    return copy
  }

  private static func value<Word: RawRepresentable & CaseIterable>(
    _ word: String, of name: String
  ) throws(Problem) -> Word where Word.RawValue == String {
    guard let value = Word(rawValue: word) else {
      throw Problem(
        .value, cause: "“\(word)” is not a value of \(name)",
        remedy: "write \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
  }
}
