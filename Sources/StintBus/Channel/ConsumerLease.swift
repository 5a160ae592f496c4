import StintModel

/// Lives as long as somebody can still read the channel; when the last stream or iterator goes, it says so.
final class ConsumerLease: Sendable {
  let storage: ChannelStorage

  init(storage: ChannelStorage) { self.storage = storage }

  deinit { storage.abandon() }
}
