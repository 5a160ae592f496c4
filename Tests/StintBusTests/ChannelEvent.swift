@testable import StintBus

/// A call of a channel's producer or consumer.
enum ChannelEvent: CaseIterable {
  case offer
  case next
  case poll
  case drainAll
  case finish
  case fail
  case abandon
}
