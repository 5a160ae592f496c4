import StintLanguage
import StintModel
import StintUnits

/// Computes the energy of readings: the energy of the sensors and of the processor's wake-ups.
struct ReadingPrice {
  private static let day = TimeSpan.hours(24)

  private let search: WakeupSearch
  /// The energy of one wake-up of the processor; zero for a host without a processor.
  private let wake: Energy
  /// The policies' defaults of attributes.
  private let attributes: [DeviceID: AttributeValues]

  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    search = WakeupSearch(policies, vocabulary: vocabulary)
    let defaults = DeviceDefaults.joined(policies.flatMap(\.defaults).map(\.inForce), vocabulary: vocabulary)
    attributes = Dictionary(
      defaults.map { ($0.device, $0.wants.attributes) }, uniquingKeysWith: { first, _ in first })
    let processor = vocabulary.manifests.first { $0.kind == .processor }
    wake =
      processor.flatMap { processor in
        processor.event(named: "wake").map { processor.events[$0].energy }
      } ?? .zero
  }

  /// Returns the largest energy in 24 hours of a sensor that is read by a rule.
  ///
  /// The sensor delivers samples when its FIFO is full, and when the rule no longer needs the sensor. Each
  /// delivery wakes the processor. Each time the rule begins to need the sensor, the sensor can take one
  /// additional sample.
  ///
  /// - Parameter period: the time between two samples; nil for the manifest's default period.
  /// - Parameter open: the time in which every guard of the need is true or unknown; nil for the whole day.
  func maxPerDay(
    of manifest: Manifest, every period: TimeSpan?, for rule: RuleID, open: OpenTime?
  ) -> Energy {
    let begins = begins(of: manifest, by: rule)
    // The sensor also works during its linger time after each end of the need.
    let lingers = search.linger(of: manifest.device).times(begins + 1, capped: Self.day)
    let span = min(open.map { $0.span + lingers } ?? Self.day, Self.day)
    let samples = Self.count(of: period ?? manifest.defaultPeriod ?? .seconds(1), in: span)
    let deliveries = begins + samples / Int64(max(manifest.fifo, 1)) + 1
    let attributes = attributes[manifest.device] ?? [:]
    return manifest.readingEnergy(over: span, every: period, with: attributes)
      + manifest.readingEnergy(within: .zero) * begins + wake * deliveries
  }

  /// Returns the energy in an hour of a sensor that a rule reads all the time, wake-ups included.
  func perHour(of manifest: Manifest, every period: TimeSpan?) -> Energy {
    let hour = TimeSpan.hours(1)
    let samples = Self.count(of: period ?? manifest.defaultPeriod ?? .seconds(1), in: hour)
    return manifest.readingPower(at: period, with: attributes[manifest.device] ?? [:])
      .energy(over: hour, carrying: 0).0 + wake * (samples / Int64(max(manifest.fifo, 1)))
  }

  /// Returns the largest energy that one beginning of a need adds to the energy of its readings.
  ///
  /// This energy includes one sample, the linger time after the end of the need, and the processor's wake-ups
  /// for the samples of this time. With `isProbe`, the energy also includes the longest probe.
  func perBeginning(of manifest: Manifest, every period: TimeSpan?, isProbe: Bool = false) -> Energy {
    let linger = search.linger(of: manifest.device)
    let span = isProbe ? Manifest.probeTimeout + linger : linger
    let samples = Self.count(of: period ?? manifest.defaultPeriod ?? .seconds(1), in: linger)
    let deliveries = samples / Int64(max(manifest.fifo, 1)) + 1
    let attributes = attributes[manifest.device] ?? [:]
    return manifest.readingEnergy(over: span, every: period, with: attributes) + wake * deliveries
  }

  /// Returns the bound on the time in which a condition is true or unknown; nil for the whole day.
  func openTime(of condition: CheckedExpression, in policy: CheckedPolicy) -> OpenTime? {
    search.openTime(of: condition, in: policy)
  }

  /// Returns the largest energy in 24 hours of the position probes of a sensor. Each probe wakes the
  /// processor. During its linger time after a probe, the sensor delivers further samples.
  ///
  /// - Parameter open: the time in which every guard of the need is true or unknown; nil for the whole day.
  func maxProbesPerDay(of manifest: Manifest, open: OpenTime?) -> Energy {
    let pause = manifest.shortestProbePause
    // Each interval of the guards can begin with a probe.
    let most = Self.count(of: pause, in: Self.day)
    let probes = open.map { min(Self.count(of: pause, in: $0.span) + $0.intervals, most) } ?? most
    let attributes = attributes[manifest.device] ?? [:]
    let linger = search.linger(of: manifest.device)
    let fixes = manifest.readingEnergy(within: Manifest.probeTimeout + linger, with: attributes) * probes
    let period = linger > .zero ? nil : pause
    let always = manifest.readingEnergy(over: Self.day, every: period, with: attributes)
    let lingers = linger.times(probes, capped: Self.day)
    let samples = Self.count(of: manifest.defaultPeriod ?? .seconds(1), in: lingers)
    return min(fixes, always) + wake * (probes + 1 + samples / Int64(max(manifest.fifo, 1)))
  }

  /// Returns how often a rule begins to need a sensor in a day. The number is at most the number of samples
  /// that the sensor can supply. When no bound exists, the function counts one beginning per default period
  /// of the sensor.
  private func begins(of manifest: Manifest, by rule: RuleID) -> Int64 {
    let usual = manifest.defaultPeriod ?? .seconds(1)
    guard case .atMost(let hourly) = search.readings(of: manifest, by: rule) else {
      return Self.count(of: usual, in: Self.day)
    }
    let fastest = manifest.attribute(named: "rate")?.range?.upperBound
    let shortest = fastest.flatMap { Quantity($0, .rate).period } ?? usual
    return min(Self.count(of: shortest, in: Self.day), Int64(hourly) * 24 + 1)
  }

  private static func count(of period: TimeSpan, in span: TimeSpan) -> Int64 {
    span.nanoseconds / max(period.nanoseconds, 1)
  }
}
