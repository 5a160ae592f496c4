import StintModel

/// A shared reference of a stream and its iterators. Its release ends the channel.
final class ConsumerLease: Sendable {
  let storage: ChannelStorage

  init(storage: ChannelStorage) { self.storage = storage }

  deinit { storage.cancelConsumer() }
}
