@testable import StintBus

/// What the world sees of a channel after one event.
enum Observation: Hashable {
  enum Told: Hashable {
    case letter(Letter)
    case failure(ClientFailure)
    case end
  }

  /// The producer's call returned.
  case offered(OfferResult)
  /// A batch began to wait.
  case ready
  /// A waiting consumer goes on.
  case told(Int, Told)
  /// A held producer goes on.
  case released(Int, OfferResult)
  /// What `drainAll` returned.
  case taken([Letter])
  /// The channel came to its end.
  case ended(ChannelEnd)
}
