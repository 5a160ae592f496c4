import StintModel
public import StintUnits

/// A topic for the messages of an app: every subscriber gets every message, in the order of publication.
///
/// Each subscriber has its own bounded queue, so a slow subscriber causes no loss for other subscribers. A
/// topic may be used from any thread, but the `deinit` of a message must not use the topic. `Topic` of the
/// module `Stint` adds the type of the messages.
public final class UntypedTopic: Sendable {
  private struct State {
    var channels: [ChannelStorage<UntypedMessage>] = []
    var latest: UntypedMessage?
    var failure: Problem?
  }

  private let state = Locked(State())

  /// Makes a topic without subscribers.
  public init() {}

  /// The last published message; nil before the first message.
  public var latest: UntypedMessage? { state.withLock { $0.latest } }

  /// The number of subscribers.
  public var subscribers: Int { state.withLock { $0.channels.count { $0.isOpen } } }

  /// Offers a message to all subscribers, without waiting. Does nothing after `finish`.
  public func publish(_ message: UntypedMessage) {
    // The lock is held during the offers, so that all subscribers get the messages of concurrent publishers
    // in the same order.
    state.withLock { state in
      guard state.failure == nil else { return }
      state.latest = message
      var hasDeparted = false
      for channel in state.channels where channel.offer(message) == .closed { hasDeparted = true }
      if hasDeparted { state.channels.removeAll { !$0.isOpen } }
    }
  }

  /// Adds a subscriber, which gets all messages from the next message on.
  ///
  /// - Parameters:
  ///   - policy: the size of the queue of this subscriber; a size below 1 is treated as 1.
  ///   - first: a message that only this subscriber gets, before all other messages; may be nil.
  public func subscribe(_ policy: OverflowPolicy, first: UntypedMessage?) -> UntypedReader {
    let bounded: OverflowPolicy =
      if case .latest = policy { .latest } else { .dropOldest(capacity: max(policy.capacity, 1)) }
    let channel = ChannelStorage<UntypedMessage>(
      policy: bounded, onReady: nil, onAwait: nil, onTermination: nil)
    let failure = state.withLock { state in
      state.channels.removeAll { !$0.isOpen }
      if state.failure == nil {
        if let first { _ = channel.offer(first) }
        state.channels.append(channel)
      }
      return state.failure
    }
    if let failure { channel.finish(with: failure) }
    return UntypedReader(lease: ConsumerLease(storage: channel))
  }

  /// Ends all subscriptions with a problem after their queued messages. Later subscriptions end at once.
  public func finish(throwing failure: Problem) {
    let channels = state.withLock { state in
      if state.failure == nil { state.failure = failure }
      defer { state.channels = [] }
      return state.channels
    }
    for channel in channels { channel.finish(with: failure) }
  }
}
