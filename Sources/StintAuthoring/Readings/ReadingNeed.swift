public import StintLanguage
public import StintModel
public import StintUnits

/// A need of a rule: a sensor must work while the rule reads a fact of that sensor.
///
/// The governor raises the corresponding demands (`SensingPlan`). Requirements and the functions `known` and
/// `age` create no needs.
public struct ReadingNeed: Hashable, Sendable {
  /// The rule that reads the fact.
  public var rule: RuleID
  /// The sensor that publishes the fact. For a circular zone, all sensors that can locate the host.
  public var devices: [DeviceID]
  /// Conditions in the policy language. The rule reads the fact only while every condition is true or
  /// unknown.
  public var guards: [String]
  /// The time between two samples. If `isPaced` is true, the shortest time between two samples. For a zone,
  /// the shortest time between two probes of a sensor.
  public var period: TimeSpan
  /// True when the time between two samples is longer while the values are far from the limits of the rule.
  public var isPaced = false
  /// True when the need is for a circular zone. The governor then requests single fixes, and the distance to
  /// the zone's border determines the time between them.
  public var isPlace: Bool
  /// The largest energy of the readings in 24 hours, computed from the manifests. This bound includes the
  /// sensors, and the wake-ups of the processor for the samples. The assumptions are those of `WakeupBound`.
  public var maxPerDay: Energy
  /// The largest total time within 24 hours in which every guard is true or unknown. Nil when this may be the
  /// whole day.
  public var longestOpen: TimeSpan?
  /// The energy of one hour of readings, wake-ups included. It excludes the extra energy of each beginning of
  /// the need.
  public var perHour: Energy
  /// The largest energy that each beginning of the need adds, wake-ups included.
  public var perBeginning: Energy
  /// True when the rule reads the facts only while a device has a demand. Then each demand of a client can
  /// begin the need. `maxPerDay` assumes that clients keep their demands.
  public var dependsOnDemands: Bool
  /// The first rule, in the order of the policies, with a need for the same sensors at the same rate. The
  /// guards of the two rules may differ. While both rules have the need, the readings are charged to the rule
  /// whose need began earlier. Nil for that first rule itself.
  public var sharedWith: RuleID?

  /// Returns true when both needs have the same sensors, guards and rate; their rules may differ.
  public func hasSameReading(as other: ReadingNeed) -> Bool {
    devices == other.devices && guards == other.guards && period == other.period
      && isPaced == other.isPaced && isPlace == other.isPlace
  }

  /// The need as `check` and `diff` print it. An example is `location.gnss for p/r: while battery.level < 10
  /// %, every 5 s, at most …`.
  public var text: String {
    let names = devices.map(\.path).joined(separator: " or ")
    let guardText = guards.isEmpty ? "always" : "while \(guards.joined(separator: " and "))"
    var parts = [guardText]
    parts +=
      isPlace ? ["a position when a border can be reached", "at most every \(period)"] : ["every \(period)"]
    if isPaced { parts.append("less often while the values are far from the limits of the rule") }
    if let span { parts.append(span) }
    if dependsOnDemands { parts.append("\(Self.amount(perBeginning)) for each beginning") }
    let most = "at most \(Self.joules(maxPerDay)) J per day"
    parts.append(dependsOnDemands ? "\(most) if clients keep their demands" : most)
    if let sharedWith { parts.append("shared with \(sharedWith)") }
    return "\(names) for \(rule): \(parts.joined(separator: ", "))"
  }

  /// The longest time of the readings per day, if this time is limited.
  ///
  /// If the time is unlimited, the text contains the energy of the readings per hour. Nil when the need has
  /// no guards and its beginnings do not cost more than its readings.
  private var span: String? {
    if let longestOpen { return "for at most \(longestOpen) per day" }
    let hourly = "\(Self.joules(perHour)) J per h"
    if !guards.isEmpty { return "\(hourly) while this condition is true" }
    return maxPerDay.nanojoules > perHour.nanojoules * 48 ? "\(hourly) plus the cost of each beginning" : nil
  }

  /// Returns an energy in joules, rounded up because the text is a bound.
  private static func joules(_ energy: Energy) -> Double {
    Double(Int64(clamping: (energy.nanojoules + 99_999_999) / 100_000_000)) / 10
  }

  /// Returns an energy with its unit, rounded up: in millijoules when it is below 1 J.
  private static func amount(_ energy: Energy) -> String {
    let millijoules = (energy.nanojoules + 999_999) / 1_000_000
    return millijoules < 1000 ? "\(millijoules) mJ" : "\(joules(energy)) J"
  }

  /// Returns the needs of all rules, in the order of the policies.
  public static func all(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [ReadingNeed] {
    let vocabulary = vocabulary.computing(policies.flatMap(\.computed))
    let price = ReadingPrice(policies, vocabulary: vocabulary)
    var needs = policies.flatMap { policy in
      let survey = ReadingNeedSurvey(policy, vocabulary, price)
      return policy.rules.flatMap { survey.needs(of: $0) }
    }
    for place in needs.indices {
      let need = needs[place]
      let first = needs[..<place].first { other in
        other.devices == need.devices && other.period == need.period && other.isPlace == need.isPlace
          && other.isPaced == need.isPaced && other.rule != need.rule
      }
      needs[place].sharedWith = first?.rule
    }
    return needs
  }
}

/// Finds the needs of the rules of a policy.
private struct ReadingNeedSurvey {
  private let policy: CheckedPolicy
  private let vocabulary: Vocabulary
  private let guards: ReadingGuards
  private let price: ReadingPrice

  init(_ policy: CheckedPolicy, _ vocabulary: Vocabulary, _ price: ReadingPrice) {
    self.policy = policy
    self.vocabulary = vocabulary
    self.price = price
    guards = ReadingGuards(policy, vocabulary)
  }

  func needs(of rule: CheckedRule) -> [ReadingNeed] {
    guard !rule.isInert else { return [] }
    let reads = guards.reads(of: rule)
    let places = reads.filter { guards.isPlace($0.path) }.map(\.guards)
    let watched = guards.watchGuards(of: rule)
    var needs: [ReadingNeed] = []
    for manifest in vocabulary.manifests {
      let own = reads.filter { guards.sensor(of: $0.path)?.device == manifest.device }
      guard !own.isEmpty, let demanded = guards.demandGuards(of: rule, own, on: manifest) else { continue }
      let wanted = own.compactMap { read in
        wantedPeriod(of: read.path, on: manifest, within: read.span)
      }.min()
      let period = manifest.honoured(wanted)
      let ownGuards = guards.common(own.map(\.guards))
      let open = openTime(ownGuards)
      needs.append(
        ReadingNeed(
          rule: rule.id, devices: [manifest.device], guards: ReadingGuards.texts(ownGuards, demanded),
          period: period ?? manifest.defaultPeriod ?? .seconds(1),
          isPaced: own.allSatisfy {
            guards.input(of: $0.path) == nil && guards.schema(of: $0.path)?.maxRate != nil
          },
          isPlace: false,
          maxPerDay: price.maxPerDay(of: manifest, every: period, for: rule.id, open: open),
          longestOpen: open?.span, perHour: price.perHour(of: manifest, every: period),
          perBeginning: price.perBeginning(of: manifest, every: period),
          dependsOnDemands: !demanded.isEmpty))
    }
    return needs + placeNeed(rule, places, by: nil)
      + rule.watches.flatMap { placeNeed(rule, [watched], by: $0.directive.targets) }
  }

  /// Returns the need of a rule for positions. `devices` are the devices of a `watch` directive. They are nil
  /// for a zone that a condition reads, because then any device may determine the position.
  private func placeNeed(
    _ rule: CheckedRule, _ alternatives: [[ReadingGuard]], by devices: [DeviceID]?
  ) -> [ReadingNeed] {
    let barred = guards.placeReading(of: rule)?.barred ?? []
    let providers = vocabulary.manifests.filter {
      $0.publishesPositions(vocabulary) && devices?.contains($0.device) ?? !barred.contains($0.device)
    }
    guard !alternatives.isEmpty, !providers.isEmpty,
      let demanded = guards.demandGuards(ofZonesOf: rule)
    else { return [] }
    let common = guards.common(alternatives)
    let open = openTime(common)
    let most = providers.reduce(Energy.zero) { $0 + price.maxProbesPerDay(of: $1, open: open) }
    let perHour = providers.reduce(Energy.zero) { $0 + price.maxProbesPerDay(of: $1, open: nil) }
    let perBeginning = providers.reduce(Energy.zero) {
      $0 + price.perBeginning(of: $1, every: nil, isProbe: true)
    }
    return [
      ReadingNeed(
        rule: rule.id, devices: providers.map(\.device).sorted(),
        guards: ReadingGuards.texts(common, demanded),
        period: providers.map(\.shortestProbePause).min() ?? .zero, isPlace: true, maxPerDay: most,
        longestOpen: open?.span, perHour: Energy(nanojoules: perHour.nanojoules / 24),
        perBeginning: perBeginning, dependsOnDemands: !demanded.isEmpty)
    ]
  }

  private func openTime(_ guards: [ReadingGuard]) -> OpenTime? {
    guard let all = ReadingGuard.all(guards) else { return nil }
    return price.openTime(of: all, in: policy)
  }

  private func wantedPeriod(of path: String, on manifest: Manifest, within span: TimeSpan?) -> TimeSpan? {
    guard let schema = guards.schema(of: path) else { return nil }
    guard let input = guards.input(of: path) else {
      let period = manifest.readingPeriod(of: schema, within: span)
      return schema.maxRate == nil ? period : [period, manifest.defaultPeriod].compactMap(\.self).min()
    }
    return manifest.readingPeriod(of: schema, as: input, within: span)
  }
}
