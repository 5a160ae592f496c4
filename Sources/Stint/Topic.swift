public import StintBus
import StintServices
public import StintUnits

/// A topic carries an app's own messages of one type, through channels like those for samples.
///
/// Every subscriber gets every message, in one order. A subscriber that reads too slowly loses only its own
/// messages. `Bus.topic(_:of:)` makes topics. May be used from any thread; publishing never waits. The
/// `deinit` of a message must not use its topic.
public struct Topic<Message: Sendable>: Sendable {
  /// The unread messages that are kept for a slow subscriber.
  public enum Overflow: Hashable, Sendable {
    /// Only the last message.
    case latest
    /// The newest messages, up to this number: from 1 to 65,536. A number outside of this range counts as its
    /// nearest bound.
    case newest(Int)

    /// The largest number of messages that a subscription keeps.
    static var most: Int { 65_536 }
  }

  /// The name of the topic.
  public let name: String
  // The code that depends on the type of the messages is inlinable. So the module of the app contains code
  // for this type. The rest is in StintBus and does not depend on the type.
  @usableFromInline let topic: UntypedTopic

  /// Makes a topic that no bus closes.
  package init(name: String) {
    self.name = name
    topic = UntypedTopic()
  }

  /// The last message; nil before the first message.
  public var latest: Message? { topic.latest?.content(as: Message.self) }

  /// The number of subscribers.
  public var subscribers: Int { topic.subscribers }

  /// Sends a message to all subscribers. Has no effect after the bus was closed.
  @inlinable
  public func publish(_ message: Message) { topic.publish(UntypedMessage(TypedMessage<Message>(message))) }

  /// Subscribes from the next message on. The messages end with `Problem.Code.closed` when the bus closes.
  public func messages(keeping overflow: Overflow = .newest(64)) -> Messages<Message> {
    messages(keeping: overflow, first: nil)
  }

  /// Subscribes with a message that only this subscriber gets, before all other messages.
  func messages(keeping overflow: Overflow, first: Message?) -> Messages<Message> {
    let policy: OverflowPolicy =
      switch overflow {
      case .latest: .latest
      case .newest(let count): .dropOldest(capacity: min(max(count, 1), Overflow.most))
      }
    let first = first.map { UntypedMessage(TypedMessage<Message>($0)) }
    return Messages(reader: topic.subscribe(policy, first: first))
  }

  /// Ends all subscriptions with a problem. Each reader gets its queued messages first. Later subscriptions
  /// end at once.
  package func finish(throwing failure: Problem) { topic.finish(throwing: failure) }
}

/// The messages of one subscription to a topic, oldest first, for one task.
///
/// The subscription ends when this value and its iterators are released, or when the reading task is
/// cancelled.
public struct Messages<Message: Sendable>: AsyncSequence, Sendable {
  /// An element is one message.
  public typealias Element = Message
  /// The reason for the end of the topic.
  public typealias Failure = Problem

  @usableFromInline let reader: UntypedReader

  /// The number of messages dropped because the subscriber read too slowly.
  public var lost: Int { reader.lost }

  /// An iterator over the messages.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline let reader: UntypedReader

    @usableFromInline
    init(reader: UntypedReader) { self.reader = reader }

    /// Waits for the next message. Returns nil when the task is cancelled, and after a problem was thrown.
    ///
    /// - Throws: `Problem`: `closed`, once, when the bus was closed; `hasReader` while another task waits.
    public mutating func next() async throws(Problem) -> Message? {
      try await next(isolation: #isolation)
    }

    /// Waits for the next message on the caller's executor. Returns nil and throws as `next()` does.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Problem) -> Message? {
      // A queued message is read without a suspension.
      if let message = try reader.poll() { return message.content(as: Message.self) }
      return try await reader.next(isolation: actor)?.content(as: Message.self)
    }
  }

  /// Returns an iterator. All iterators read from one queue, so each message is returned once.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }
}

/// The topics of a bus, by name.
final class TopicRegistry: Sendable {
  private struct Entry: Sendable {
    let topic: any Sendable
    let finish: @Sendable (Problem) -> Void
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var isClosed = false
  }

  private let state = Locked(State())

  /// Returns the topic with a name, and makes it when it does not exist.
  ///
  /// - Throws: `invalid` when the topic exists and its messages have a different type; `closed` after
  ///   `close()`.
  func topic<Message: Sendable>(_ name: String, of type: Message.Type) throws(Problem) -> Topic<Message> {
    let entry = state.withLock { state -> Entry? in
      guard !state.isClosed else { return nil }
      if let entry = state.entries[name] { return entry }
      let topic = Topic<Message>(name: name)
      let entry = Entry(topic: topic) { topic.finish(throwing: $0) }
      state.entries[name] = entry
      return entry
    }
    guard let entry else { throw .closed }
    guard let topic = entry.topic as? Topic<Message> else {
      throw Problem(
        .invalid, cause: "the topic “\(name)” has messages of another type than \(type)",
        remedy: "use another name")
    }
    return topic
  }

  /// Ends all topics, because the bus closes.
  func close() {
    let entries = state.withLock { state in
      state.isClosed = true
      defer { state.entries = [:] }
      return state.entries
    }
    for entry in entries.values { entry.finish(.closed) }
  }
}
