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
  /// Why no new value is expected now: the device is off or not available, or no source or client has
  /// published the fact. Nil while the device is on, and for facts that the governor computes or that a
  /// device publishes while it is off.
  public let idleReason: String?

  /// - Parameter interruption: why the device of the fact does not work; nil while it works.
  init(_ number: Int, _ governor: Governor, at instant: Instant, interruption: String?) {
    let schema = governor.vocabulary.facts[number]
    name = schema.path
    value = AppFact.Value(governor.value(of: number, at: instant), of: schema.type)
    let isStored = governor.facts.value(number) != .unknown
    age = isStored ? .nanoseconds(max(.zero, instant - governor.facts.instant(number)).nanoseconds) : nil
    device = schema.device?.path
    idleReason = Self.idleReason(number, schema, governor, interruption)
  }

  private static func idleReason(
    _ number: Int, _ schema: FactSchema, _ governor: Governor, _ interruption: String?
  ) -> String? {
    guard number < governor.vocabulary.firstComputed else { return nil }
    guard let device = schema.device else {
      return governor.facts.value(number) == .unknown ? "no client has published it" : nil
    }
    guard let status = governor.status(of: device) else { return "\(device) is missing" }
    // The governor does not record whether a source works, because no demand can name a source.
    let isSource = status.manifest.kind == .source
    if isSource ? interruption != nil : !status.isAvailable {
      return "\(device) is not available" + (interruption.map { ": \($0)" } ?? "")
    }
    if isSource {
      return governor.facts.value(number) == .unknown ? "\(device) has not published it" : nil
    }
    guard status.manifest.isSensed(schema), !status.setting.isOn else { return nil }
    let waiting = status.demands.filter { $0.grant.status != .served }
    guard !waiting.isEmpty else { return "\(device) is off, because no demand and no rule uses it" }
    let rules = Set(waiting.flatMap(\.grant.rules).map(\.description)).sorted()
    return rules.isEmpty
      ? "\(device) is off, because its demands are not served"
      : "\(device) is off, because of \(rules.joined(separator: ", "))"
  }
}
