import StintModel

/// An event whose occurrences within the last hour are counted by a fact.
enum CountedEvent: Hashable, Sendable {
  /// The governor switched a sensor on, or a radio became active.
  case turnedOn(Int)
  /// A device reported that it is on, after it was off or in standby.
  case started(Int)
  /// The processor woke.
  case hostWoke

  /// The largest number of occurrences that are stored and counted. When there are more within an hour, the
  /// oldest occurrence is removed.
  static let maxInstants = 10_000

  /// Returns the event that an observation counts; nil for other observations.
  init?(_ observation: Observation, device: Int?) {
    switch (observation, device) {
    case (.starts, let device?): self = .started(device)
    case (.hostWakeups, _): self = .hostWoke
    default: return nil
    }
  }
}
