import StintGovernor
import StintModel
import StintUnits

/// The facts whose changes an app reads, each with a topic. Facts without readers cost nothing.
final class FactTopics: Sendable {
  private struct Entry: Sendable {
    var topic: Topic<AppFact.Value>
    /// The last value that was published, or the value at the first subscription.
    var last: FactValue
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// True after `close()`. A later subscription ends at once, so no reader waits forever.
    var isClosed = false
  }

  private let state = Locked(State())

  /// True while at least one fact has a topic.
  var isWatching: Bool { state.withLock { !$0.entries.isEmpty } }

  /// Subscribes to a fact, and makes its topic when no topic exists. Both happen under the lock, because
  /// `update` removes a topic without readers. After `close()`, the messages end at once with `closed`.
  ///
  /// The first message is the present value, unless it is unknown. Calls of this function and of `update`
  /// must not overlap, and must pass the present governor. Otherwise a reader could miss a change or get a
  /// change twice.
  func messages(
    of path: String, in governor: borrowing Governor, keeping overflow: Topic<AppFact.Value>.Overflow
  ) -> Messages<AppFact.Value> {
    // Publish a change that the other readers of the fact have not received yet.
    update(governor)
    let present = Self.value(of: path, in: governor)
    return state.withLock { state in
      let entry = state.entries[path] ?? Entry(topic: Topic(name: path), last: present.value)
      if state.isClosed { entry.topic.finish(throwing: .closed) } else { state.entries[path] = entry }
      let first = present.value == .unknown ? nil : AppFact.Value(present.value, of: present.type)
      return entry.topic.messages(keeping: overflow, first: first)
    }
  }

  /// Returns the present value of a fact with its type; unknown when the fact does not exist.
  private static func value(of path: String, in governor: borrowing Governor) -> (
    value: FactValue, type: FactType
  ) {
    guard let fact = governor.vocabulary.fact(path) else { return (.unknown, .boolean) }
    return (governor.value(of: fact, at: governor.now), governor.vocabulary.facts[fact].type)
  }

  /// Publishes the facts that have changed since the last call. Removes the topics without readers.
  func update(_ governor: borrowing Governor) {
    let changes = state.withLock { state in
      var changes: [(Topic<AppFact.Value>, AppFact.Value)] = []
      for (path, entry) in state.entries {
        guard entry.topic.subscribers > 0 else {
          state.entries[path] = nil
          continue
        }
        let (value, type) = Self.value(of: path, in: governor)
        guard value != entry.last else { continue }
        state.entries[path]?.last = value
        changes.append((entry.topic, AppFact.Value(value, of: type)))
      }
      return changes
    }
    for (topic, value) in changes { topic.publish(value) }
  }

  /// Ends all topics, because the bus closes.
  func close() {
    let topics = state.withLock { state in
      state.isClosed = true
      defer { state.entries = [:] }
      return state.entries.values.map(\.topic)
    }
    for topic in topics { topic.finish(throwing: .closed) }
  }
}
