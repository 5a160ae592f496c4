@testable import StintBus

/// An event of a channel.
enum ChannelEvent: CaseIterable {
  case offer
  case next
  case poll
  case drainAll
  case finish
  case fail
  case abandon
}
