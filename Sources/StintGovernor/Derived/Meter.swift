import StintModel
import StintUnits

/// Measures the energy that devices consumed in the present period, as a multiple of a unit.
struct Meter: Hashable, Sendable {
  let devices: [Int]
  let period: BudgetPeriod
  /// The energy that corresponds to the value 1, in nanojoules.
  let unit: Double
  /// Amounts at which the result of a condition may change, in nanojoules, ascending.
  let targets: [Int64]
  /// The total consumption of the devices at the beginning of the period.
  var before: Energy
  var end: Instant

  init(
    devices: [Int], period: BudgetPeriod, unit: Double, limits: [Double], drawn: Energy,
    end: Instant
  ) {
    self.devices = devices
    self.period = period
    self.unit = unit
    self.before = drawn
    self.end = end
    targets = Set(limits.flatMap { Self.targets(of: $0, unit: unit) }).sorted()
  }

  /// Begins a new period if the present period has ended.
  mutating func follow(drawn: Energy, at now: Instant, in timeZone: TimeZoneRules) {
    guard end <= now else { return }
    before = drawn
    end = period.containing(now, in: timeZone).end
  }

  func value(drawn: Energy) -> Double { (drawn - before).roundedNanojoules / unit }

  /// Returns two amounts in nanojoules: the smallest amount that reaches the limit, and the smallest amount
  /// that exceeds the limit. Returns no amounts for a negative limit, and for a limit of 9e15 nJ or more.
  private static func targets(of limit: Double, unit: Double) -> [Int64] {
    guard limit >= 0, limit * unit < 9e15 else { return [] }
    var amount = max(Int64(limit * unit) - 2, 0)
    while Double(amount) / unit < limit { amount += 1 }
    var more = amount
    while Double(more) / unit <= limit { more += 1 }
    return [amount, more]
  }

  /// Returns the instant at which the next target is reached at this power. Returns the end of the period if
  /// that is earlier.
  ///
  /// `remainder` is the consumption below a whole nanojoule, in nanowatts times nanoseconds.
  func next(drawn: Energy, remainder: Int64, power: Power, now: Instant) -> Instant {
    let used = (drawn - before).nanojoules
    guard power > .zero, let target = targets.first(where: { $0 > used }) else { return end }
    let power = Int128(power.nanowatts)
    // The used amount can be negative after restoring a saved state; it always fits into 64 bits.
    let missing = (Int128(target) - used).multipliedSaturated(by: 1_000_000_000) - Int128(remainder)
    let span = max(missing.addingSaturated(power - 1) / power, 1)
    guard span < Int128(Int64.max / 4) else { return end }
    return min(end, now + TimeSpan(nanoseconds: Int64(span)))
  }
}

/// Measures the charged energy of a service on the present local day.
struct ServiceMeter: Hashable, Sendable {
  let word: ServiceWord
  /// The total consumption of the service at the beginning of the day.
  var before: Energy
  var end: Instant

  /// Begins a new day if the present day has ended.
  mutating func follow(drawn: Energy, at now: Instant, in timeZone: TimeZoneRules) {
    guard end <= now else { return }
    before = drawn
    end = BudgetPeriod.day.containing(now, in: timeZone).end
  }
}
