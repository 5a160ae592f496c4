import StintGovernor
import StintModel
import StintUnits

/// The value of a fact of a bus at one instant.
public struct FactReport: Hashable, Sendable {
  /// The name of the fact, as in policies: `battery.level`, `inside(trail/home)`.
  public let name: String
  /// The value in base units, a ratio in percent; `unknown` before the first value and when the last value is
  /// too old.
  public let value: AppFact.Value
  /// The time since the last value was published, also when this value is too old. Nil before the first value
  /// and after a value was withdrawn.
  public let age: Duration?
  /// The device that publishes the fact; nil for facts of apps and policies.
  public let device: String?

  init(_ number: Int, _ governor: Governor, at instant: Instant) {
    let schema = governor.vocabulary.facts[number]
    name = schema.path
    value = AppFact.Value(governor.value(of: number, at: instant), of: schema.type)
    let isStored = governor.facts.value(number) != .unknown
    age = isStored ? .nanoseconds(max(.zero, instant - governor.facts.instant(number)).nanoseconds) : nil
    device = schema.device?.path
  }
}
