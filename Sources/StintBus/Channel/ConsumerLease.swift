import StintModel

/// A reference that a stream shares with its iterators. The release of the last reference ends the channel.
final class ConsumerLease: Sendable {
  let storage: ChannelStorage

  init(storage: ChannelStorage) { self.storage = storage }

  deinit { storage.cancelConsumer() }
}
