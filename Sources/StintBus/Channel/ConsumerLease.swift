import StintModel

/// Lives as long as a stream or iterator can read the channel; calls back when the last one is released.
final class ConsumerLease: Sendable {
  let storage: ChannelStorage

  init(storage: ChannelStorage) { self.storage = storage }

  deinit { storage.cancelConsumer() }
}
