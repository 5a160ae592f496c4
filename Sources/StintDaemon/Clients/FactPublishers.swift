import StintFormats
package import StintModel
import StintServices
package import StintUnits

/// The client that published each fact last, among the clients of an app and the client programs.
///
/// Several clients may publish the same fact; the last value counts. A fact becomes unknown when the client
/// of its last value leaves. Values that other clients published before do not return, because they may be
/// outdated.
package final class FactPublishers: Sendable {
  private let publishers = Locked<[String: ClientID]>([:])

  package init() {}

  /// Records that a client publishes a fact.
  package func record(_ path: String, by client: ClientID) { publishers.withLock { $0[path] = client } }

  /// Removes a client. Returns the paths of the facts whose last value this client published, sorted. The
  /// caller makes these facts unknown.
  package func remove(_ client: ClientID) -> [String] {
    publishers.withLock { publishers in
      let paths = publishers.filter { $0.value == client }.keys.sorted()
      for path in paths { publishers[path] = nil }
      return paths
    }
  }
}

extension FactAssignment {
  /// Returns the value of the assignment, for a fact with this schema.
  ///
  /// - Throws: `value` when the text is not a value of the fact's type, or is outside of the fact's range.
  func value(of schema: FactSchema) throws(Problem) -> FactValue {
    guard let value = schema.value(from: text) else {
      throw Problem(
        .badFact, place: path, cause: "expected \(schema.type.name), found “\(Excerpt.text(text))”",
        remedy: "write a number with its unit, a word, true, false or null")
    }
    guard !schema.isOutOfRange(value) else {
      throw Problem(
        .badFact, place: path, cause: "“\(text)” is outside of the range of the fact",
        remedy: "publish a value of the range in its declaration")
    }
    return value
  }
}

extension Vocabulary {
  /// Returns the problem of a client that publishes a fact which no site and no app declares.
  ///
  /// - Parameter declared: the paths of the declared facts.
  package func undeclared(_ path: String, declared: some Collection<String>) -> Problem {
    let name = Excerpt.text(path)
    if let device = schema(path)?.device {
      return Problem(
        .badFact, cause: "“\(name)” is published by \(device), not by apps", remedy: "publish a declared fact"
      )
    }
    let known = declared.sorted().joined(separator: ", ")
    return Problem(
      .badFact, cause: "“\(name)” is not declared",
      remedy: "add it to the facts of the bus or the site"
        + (known.isEmpty ? "" : "; declared facts: \(known)"))
  }
}
