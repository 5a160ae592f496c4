import StintUnits

@testable import StintBus

/// An observable result of an event of a channel.
enum Observation: Hashable {
  enum Told: Hashable {
    case letter(Letter)
    case failure(Problem)
    case end
  }

  /// The producer's call returned.
  case offered(OfferResult)
  /// A batch was added to an empty channel.
  case ready
  /// A waiting consumer was resumed.
  case told(Int, Told)
  /// The elements that `drainAll` returned.
  case taken([Letter])
  /// The channel ended.
  case ended(ChannelEnd)
}
