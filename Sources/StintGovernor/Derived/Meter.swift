import StintModel
import StintUnits

/// What devices drew in the current period, as a multiple of some amount.
struct Meter: Hashable, Sendable {
  let devices: [Int]
  let period: BudgetPeriod
  /// Nanojoules that make the value 1.
  let unit: Double
  /// Amounts at which some condition may turn, ascending.
  let targets: [Int64]
  /// What the devices had drawn when the period began.
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

  /// Begins the next period where this one is over.
  mutating func follow(drawn: Energy, at now: Instant, in timeZone: TimeZoneRules) {
    guard end <= now else { return }
    before = drawn
    end = period.containing(now, in: timeZone).end
  }

  func value(drawn: Energy) -> Double { (drawn - before).roundedNanojoules / unit }

  /// The first amounts that are no less, and that are more than the limit.
  private static func targets(of limit: Double, unit: Double) -> [Int64] {
    guard limit >= 0, limit * unit < 9e15 else { return [] }
    var amount = max(Int64(limit * unit) - 2, 0)
    while Double(amount) / unit < limit { amount += 1 }
    var more = amount
    while Double(more) / unit <= limit { more += 1 }
    return [amount, more]
  }

  /// When the next target is reached at this power, or the period ends.
  ///
  /// `remainder` is what was drawn beyond whole nanojoules, in nanowatts times nanoseconds.
  func next(drawn: Energy, remainder: Int64, power: Power, now: Instant) -> Instant {
    let used = (drawn - before).nanojoules
    guard power > .zero, let target = targets.first(where: { $0 > used }) else { return end }
    let power = Int128(power.nanowatts)
    // What is used may be less than nothing where a kept state says so, by 64 bits at most.
    let missing = (Int128(target) - used).multipliedSaturated(by: 1_000_000_000) - Int128(remainder)
    let span = max(missing.addingSaturated(power - 1) / power, 1)
    guard span < Int128(Int64.max / 4) else { return end }
    return min(end, now + TimeSpan(nanoseconds: Int64(span)))
  }
}

/// What a service drew on the current local day, as far as it is booked.
struct ServiceMeter: Hashable, Sendable {
  let word: ServiceWord
  /// What the service had drawn when the day began.
  var before: Energy
  var end: Instant

  /// Begins the next day where this one is over.
  mutating func follow(drawn: Energy, at now: Instant, in timeZone: TimeZoneRules) {
    guard end <= now else { return }
    before = drawn
    end = BudgetPeriod.day.containing(now, in: timeZone).end
  }
}
