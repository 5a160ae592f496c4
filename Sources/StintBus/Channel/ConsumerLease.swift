import StintModel

/// A reference that a stream shares with its iterators. The release of the last reference ends the channel.
final class ConsumerLease<Element: SampleContainer>: Sendable {
  let storage: ChannelStorage<Element>

  init(storage: ChannelStorage<Element>) { self.storage = storage }

  deinit { storage.cancelConsumer() }
}
