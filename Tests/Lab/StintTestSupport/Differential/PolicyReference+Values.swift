import StintModel
import StintUnits

/// Computes the values of facts, windows, zones and budgets on the current page (`ReferencePage`).
extension PolicyReference {
  /// Returns the last published value, regardless of its age.
  func last(_ fact: PlanWorld.Fact) -> FactValue { published[fact.rawValue].last?.value ?? .unknown }

  func maxAge(_ fact: PlanWorld.Fact) -> Int64? {
    guard let units = fact.maxAge else { return nil }
    guard [.accuracy, .latitude, .longitude].contains(fact) else { return world.span(units).nanoseconds }
    let configured = policies.flatMap(\.defaults).filter { $0.device == .fast }.compactMap(\.maxAge).min()
    return world.span(configured ?? units).nanoseconds
  }

  /// Returns the last published value; unknown when the value is older than its maximum age.
  private func fresh(_ fact: PlanWorld.Fact) -> FactValue {
    guard let last = published[fact.rawValue].last else { return .unknown }
    if let age = maxAge(fact), page.time - last.time > age { return .unknown }
    return last.value
  }

  func value(of kind: ReferenceNodes.Kind) -> FactValue {
    switch kind {
    case .leaf(let condition, let policy): truth(of: condition, in: policy)
    case .number(.fact(let fact), _): fresh(fact)
    case .number(.window(let function, let fact, let span), _): window(function, fact, span)
    default: .unknown
    }
  }

  private func truth(of condition: PlanCondition, in policy: Int) -> FactValue {
    switch condition {
    case .flag(let fact): return fresh(fact)
    case .words(let fact, let words):
      guard case .symbol(let word) = fresh(fact) else { return .unknown }
      return .boolean(words.contains(word))
    case .known(let fact): return .boolean(fresh(fact) != .unknown)
    case .age(let fact, let comparison, let span):
      guard let last = published[fact.rawValue].last, last.value != .unknown else { return .unknown }
      let age = page.time - last.time
      return .boolean(ReferenceNodes.holds(age, comparison, world.span(span).nanoseconds))
    case .demanded(let device): return .boolean(page.isDemanded[device.rawValue])
    case .isOn(let device): return .boolean(page.isOn[device.rawValue])
    case .available(let device): return .boolean(page.isAvailable[device.rawValue])
    case .schedule(let place): return .boolean(policies[policy].schedules[place].contains(where: isNow))
    case .zone(let question, let place):
      switch question {
      case .inside, .heard: return page.isInside[policy][place].map(FactValue.boolean) ?? .unknown
      case .enter, .exit: return .boolean(page.pulses[policy][place] == question)
      }
    case .smooth(let function, let fact, let span, let comparison, let bound):
      let limit = bound < 0 ? Double(bound) - 0.137 : Double(bound) + 0.137
      return ReferenceNodes.compared(window(function, fact, span), comparison, .number(limit))
    case .level(let comparison, let percent):
      return ReferenceNodes.compared(fresh(.level), comparison, .number(Double(percent) / 100))
    case .count(let fact, let span, let comparison, let count):
      return .boolean(ReferenceNodes.holds(samples(fact, span).count, comparison, count))
    case .rate(let fact, let span, let count): return .boolean(samples(fact, span).count > count)
    case .share(let budget, let comparison, let percent):
      return .boolean(
        ReferenceNodes.holds(share(policies[policy].budgets[budget]), comparison, Double(percent) / 100))
    case .wakeups(let device, let count):
      let hour = TimeSpan.hours(1).nanoseconds
      return .boolean(wakeups[device.rawValue].count { $0 + hour > page.time } > count)
    case .energy(let device, let units):
      let drawn = drawn(device, since: period("day", from: 0))
      return .boolean(drawn > device.energy(units, world) + 12_345)
    case .explained: return .boolean(true)
    case .states(let machine, let states): return .boolean(states.contains(page.states[policy][machine]))
    default: return .unknown
    }
  }

  // MARK: Windows

  /// Returns the known values in the span that ends now. When several values were published at the same
  /// instant, returns only the last of them.
  private func samples(_ fact: PlanWorld.Fact, _ span: Int) -> [(time: Int64, value: FactValue)] {
    let begin = page.time - world.span(span).nanoseconds
    var samples: [(time: Int64, value: FactValue)] = []
    for entry in published[fact.rawValue] where entry.time > begin && entry.value != .unknown {
      if samples.last?.time == entry.time { samples.removeLast() }
      samples.append(entry)
    }
    return samples
  }

  private func window(_ function: WindowFunction, _ fact: PlanWorld.Fact, _ span: Int) -> FactValue {
    var points: [(time: Double, value: Double)] = []
    for sample in samples(fact, span) {
      guard case .number(let value) = sample.value else { continue }
      points.append((Double(sample.time - start) / 1e9, value))
    }
    let values = points.map(\.value)
    let count = Double(values.count)
    guard let least = values.min(), let most = values.max() else { return .unknown }
    switch function {
    case .min: return .number(least)
    case .max: return .number(most)
    case .spread: return .number(most - least)
    case .avg: return .number(values.reduce(0, +) / count)
    case .trend:
      guard points.count >= 3 else { return .unknown }
      let times = points.map(\.time).reduce(0, +)
      let squares = points.reduce(0) { $0 + $1.time * $1.time }
      let products = points.reduce(0) { $0 + $1.time * $1.value }
      // The slope of a linear regression, by a formula that differs from that of the governor.
      let slope = (count * products - times * values.reduce(0, +)) / (count * squares - times * times)
      return .number(slope * world.span(span).seconds)
    case .count, .rate: return .unknown
    }
  }

  // MARK: Local time

  private var localDay: (day: Int64, time: Int64) {
    let local = page.time + utcOffset.nanoseconds
    let length = TimeSpan.hours(24).nanoseconds
    return (local / length, local % length)
  }

  private func isNow(_ window: PlanPolicy.Window) -> Bool {
    let (day, time) = localDay
    let from = TimeSpan.minutes(Int64(window.from)).nanoseconds
    var to = TimeSpan.minutes(Int64(window.to)).nanoseconds
    if to <= from { to += TimeSpan.hours(24).nanoseconds }
    return (0...1).contains { back in
      // 1 January 1970 was a Thursday.
      let begun = day - Int64(back)
      let passed = time + Int64(back) * TimeSpan.hours(24).nanoseconds
      let isDay = window.days.isEmpty || window.days.contains(Int((begun + 3) % 7))
      return isDay && passed >= from && passed < to
    }
  }

  /// Returns the start of the current hour, day or week of a budget.
  private func period(_ name: String, from minutes: Int) -> Int64 {
    let (day, time) = localDay
    let midnight = page.time - time
    let shift = TimeSpan.minutes(Int64(minutes)).nanoseconds
    let (first, length): (Int64, Int64) =
      switch name {
      case "hour": (midnight, TimeSpan.hours(1).nanoseconds)
      case "day": (midnight, TimeSpan.hours(24).nanoseconds)
      default: (midnight - (day + 3) % 7 * TimeSpan.hours(24).nanoseconds, TimeSpan.hours(168).nanoseconds)
      }
    var begin = first + shift - length
    while begin + length <= page.time { begin += length }
    return begin
  }

  // MARK: Energy

  private func share(_ budget: PlanPolicy.Budget) -> Double {
    let begin = period(budget.period, from: budget.from)
    let drawn = budget.devices.reduce(Int64(0)) { $0 + self.drawn($1, since: begin) }
    return Double(drawn) / Double(budget.devices.reduce(Int64(0)) { $0 + $1.energy(budget.units, world) })
  }

  /// Returns the energy that the device has drawn since an instant: the difference of two totals in whole
  /// nanojoules.
  private func drawn(_ device: PlanWorld.Device, since begin: Int64) -> Int64 {
    total(device, at: page.time) - total(device, at: max(begin, start))
  }

  private func total(_ device: PlanWorld.Device, at end: Int64) -> Int64 {
    var span: Int64 = 0
    var since: Int64?
    for entry in switches[device.rawValue] where entry.time <= end {
      if let begun = since { span += entry.time - begun }
      since = entry.isOn ? entry.time : nil
    }
    if let since { span += end - since }
    return Int64(Int128(device.power) * Int128(span) / 1_000_000_000)
  }
}
