public import StintUnits

/// The maximum power and energy of reading the facts of a sensor, from its manifest.
extension Manifest {
  /// Returns the largest power that the sensor draws while it publishes its facts, one sample per `period`.
  /// This power has three parts: the most expensive on state, the attributes, and all events of the manifest
  /// once per sample.
  ///
  /// - Parameters:
  ///   - period: the time between two samples; nil for the manifest's default period.
  ///   - attributes: the policies' defaults of attributes; missing values come from the manifest.
  public func readingPower(at period: TimeSpan?, with attributes: AttributeValues = [:]) -> Power {
    let period = period ?? defaultPeriod ?? .seconds(1)
    let more = readingPower(of: attributes)
    let states = states.filter(\.isOn).map { $0.power(at: period) + more }
    let events = Power(
      nanowatts: Int64(
        clamping: eventEnergy.nanojoules * 1_000_000_000 / Int128(max(period.nanoseconds, 1))))
    return (states.max { $0.nanowatts < $1.nanowatts } ?? .zero) + events
  }

  /// Returns the largest energy of one sample that arrives within `span` after the sensor was switched on.
  /// `attributes` are as for `readingPower(at:with:)`.
  public func readingEnergy(within span: TimeSpan, with attributes: AttributeValues = [:]) -> Energy {
    let more = readingPower(of: attributes)
    let states = states.filter(\.isOn).map { ($0.power(at: defaultPeriod) + more).nanowatts }
    return Energy(nanojoules: Int128(states.max() ?? 0) * Int128(span.nanoseconds) / 1_000_000_000)
      + eventEnergy
  }

  /// Returns the largest energy of a sensor that publishes its facts for `span`. It takes one sample at the
  /// start, and one per `period` after it.
  ///
  /// - Parameters:
  ///   - span: the time during which the device is on.
  ///   - period: the time between two samples; nil for the manifest's default period.
  ///   - attributes: as for `readingPower(at:with:)`.
  public func readingEnergy(
    over span: TimeSpan, every period: TimeSpan?, with attributes: AttributeValues = [:]
  ) -> Energy {
    readingPower(at: period, with: attributes).energy(over: span, carrying: 0).0 + eventEnergy
  }

  /// Returns the power that the attributes add while rules read the sensor.
  private func readingPower(of attributes: AttributeValues) -> Power {
    power(of: supported(attributes).completed(by: defaultAttributes))
  }

  /// The period of demands without a rate; nil when the manifest has no default rate.
  public var defaultPeriod: TimeSpan? {
    guard case .number(let rate)? = attribute(named: "rate")?.fallback else { return nil }
    return Quantity(rate, .rate).period
  }

  /// The longest period that the sensor supports; nil when the manifest has no range of rates.
  public var longestPeriod: TimeSpan? {
    guard let slowest = attribute(named: "rate")?.range?.lowerBound, slowest > 0 else { return nil }
    return Quantity(slowest, .rate).period
  }

  /// Returns the longest period that reads a fact often enough. The fact is then read twice within its
  /// maximum age, and twice within `span`, the time span of a temporal operator. `span` never leads to a
  /// period below the manifest's default period. The period is at most `FactSchema.longestSampling`. Nil when
  /// the fact has no maximum age and no `longestSampling`, and `span` is nil.
  public func readingPeriod(of fact: FactSchema, within span: TimeSpan?) -> TimeSpan? {
    func half(_ span: TimeSpan) -> TimeSpan { TimeSpan(nanoseconds: span.nanoseconds / 2) }
    let halfSpan = span.map { max(half($0), defaultPeriod ?? .zero) }
    return [fact.maxAge.map(half), halfSpan, fact.longestSampling].compactMap(\.self).min()
  }

  /// Returns the time span within which a fact of a window is read twice. It is a fifth of the window. So ten
  /// values show how the fact changed within the window.
  public static func readingSpan(ofWindow window: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: window.nanoseconds / 5)
  }

  /// Returns the longest period that reads the input of a computed fact often enough. Nil when there is no
  /// limit. An input with a window is read ten times within the window, or twice within `span` if this needs
  /// a shorter period. Its maximum age does not count, because a window keeps older values.
  public func readingPeriod(
    of fact: FactSchema, as input: ComputedFact.SensedInput, within span: TimeSpan?
  ) -> TimeSpan? {
    guard let window = input.window else { return readingPeriod(of: fact, within: span) }
    var fact = fact
    fact.maxAge = nil
    let own = Self.readingSpan(ofWindow: window)
    return readingPeriod(of: fact, within: min(span ?? own, own))
  }

  /// Returns the period, limited to the longest period of the sensor. Nil when the period is nil, when the
  /// manifest has no range of rates, or when the result is the manifest's default.
  public func honoured(_ period: TimeSpan?) -> TimeSpan? {
    guard let period, let longestPeriod else { return nil }
    let limited = min(period, longestPeriod)
    return limited == defaultPeriod ? nil : limited
  }

  /// Returns whether the sensor publishes the fact only while the sensor is on. A rule that reads such a fact
  /// needs the sensor to be on.
  public func isSensed(_ schema: FactSchema) -> Bool {
    kind == .sensor && schema.reading == nil && !schema.isAlwaysPublished
      && facts.contains { $0.declares(schema.path) }
  }

  /// The additional time for the first sample after the sensor was switched on: the figure `first_sample` or,
  /// without this figure, `cold_fix`.
  var firstSampleDelay: TimeSpan {
    let times = ["first_sample", "cold_fix"].compactMap { figures[$0]?.timeSpan }
    return times.first { $0 > .zero } ?? .zero
  }

  /// Returns the time within which a reading usually has its first value. A value that describes several
  /// samples, such as an activity, needs three periods.
  ///
  /// - Parameter period: the time between two samples; nil for the manifest's default period.
  public func firstValueTime(every period: TimeSpan?) -> TimeSpan {
    let samples = (period ?? defaultPeriod ?? .seconds(1)).times(3, capped: .unlimited)
    return firstSampleDelay > TimeSpan.unlimited - samples ? .unlimited : firstSampleDelay + samples
  }

  private var eventEnergy: Energy { events.reduce(.zero) { $0 + $1.energy } }
}
