import StintUnits

@testable import StintBus

/// A result that a caller of a channel can observe.
enum Observation: Hashable {
  enum Told: Hashable {
    case letter(Letter)
    case failure(Problem)
    case end
  }

  /// The producer's call of `offer` returned this result.
  case offered(OfferResult)
  /// A batch was added to an empty channel.
  case ready
  /// A consumer received an element, a failure or the end, at once or after a wait. The integer identifies
  /// the consumer's call.
  case told(Int, Told)
  /// The elements that `drainAll` returned.
  case taken([Letter])
  case ended(ChannelEnd)
}
