@testable import StintBus

/// What can happen to a channel.
enum ChannelEvent: CaseIterable {
  case offer
  case send
  case cancelFirstSend
  case next
  case poll
  case drainAll
  case finish
  case fail
  case abandon
}
