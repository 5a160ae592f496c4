import StintBus
import StintGovernor
import StintModel
import StintUnits

/// The facts whose changes an app reads, each with a topic. Facts without readers cost nothing.
final class FactTopics: Sendable {
  private struct Entry: Sendable {
    var topic: MessageTopic<AppFact.Value>
    /// The last value that was published, or the value at the first subscription.
    var last: FactValue
  }

  private let entries = Locked<[String: Entry]>([:])

  /// True while a fact has a topic.
  var isWatching: Bool { entries.withLock { !$0.isEmpty } }

  /// Subscribes to a fact, and makes its topic when it does not exist. Both happen under the lock, because
  /// `update` removes a topic without readers.
  ///
  /// - Parameter value: the present value of the fact.
  func messages(
    of path: String, value: FactValue, keeping overflow: Topic<AppFact.Value>.Overflow
  ) -> Messages<AppFact.Value> {
    entries.withLock { entries in
      let entry = entries[path] ?? Entry(topic: MessageTopic(), last: value)
      entries[path] = entry
      return Topic(name: path, topic: entry.topic).messages(keeping: overflow)
    }
  }

  /// Publishes the facts that have changed since the last call. Removes the topics without readers.
  func update(_ governor: borrowing Governor) {
    let changes = entries.withLock { entries in
      var changes: [(MessageTopic<AppFact.Value>, AppFact.Value)] = []
      for (path, entry) in entries {
        guard entry.topic.subscribers > 0 else {
          entries[path] = nil
          continue
        }
        let fact = governor.vocabulary.fact(path)
        let value = fact.map { governor.facts.value($0) } ?? .unknown
        guard value != entry.last else { continue }
        entries[path]?.last = value
        let type = fact.map { governor.vocabulary.facts[$0].type } ?? .boolean
        changes.append((entry.topic, AppFact.Value(value, of: type)))
      }
      return changes
    }
    for (topic, value) in changes { topic.publish(value) }
  }

  /// Ends all topics, because the bus closes.
  func close() {
    let topics = entries.withLock { entries in
      defer { entries = [:] }
      return entries.values.map(\.topic)
    }
    for topic in topics { topic.finish(throwing: .closed) }
  }
}
