import StintDaemon
import StintModel
import StintServices
import StintUnits

/// The facts that the clients of a bus publish.
struct PublishedFacts: Sendable {
  /// The declared facts, by path.
  let declared: [String: FactSchema]
  private let vocabulary: Vocabulary
  private var attached: Set<String> = []
  private let publishers: FactPublishers

  init(_ declared: [String: FactSchema], _ vocabulary: Vocabulary, _ publishers: FactPublishers) {
    self.publishers = publishers
    self.declared = declared
    self.vocabulary = vocabulary
  }

  mutating func attach(_ client: String) { attached.insert(client) }

  /// Records that a client publishes a value, and returns the fact with its value.
  ///
  /// - Throws: `Problem`: `detached` when the client is not attached; `badFact` when the fact is `app.state`,
  ///   when it is not declared, or when the value is invalid.
  mutating func note(
    _ path: String, _ value: AppFact.Value, by client: String
  ) throws(Problem) -> (fact: Int, value: FactValue) {
    guard attached.contains(client) else {
      throw Problem(.detached, cause: "“\(client)” is detached from the bus", remedy: "attach it again")
    }
    guard path != AppFact.state.path else {
      throw Problem(
        .badFact, cause: "“\(path)” follows from the presence of the clients", remedy: "call setPresence")
    }
    guard let schema = declared[path], let fact = vocabulary.fact(path) else {
      throw vocabulary.undeclared(path, declared: declared.keys)
    }
    let factValue = try value.converted(as: schema)
    publishers.record(path, by: ClientID(client))
    return (fact, factValue)
  }

  /// Detaches a client. Returns the facts whose last value this client published, each with the value
  /// `unknown`.
  mutating func detach(_ client: String) -> [(fact: Int, value: FactValue)] {
    attached.remove(client)
    return publishers.remove(ClientID(client)).compactMap { path in
      vocabulary.fact(path).map { ($0, .unknown) }
    }
  }
}
