import StintModel
import StintUnits

/// The rate at which rules switch a sensor on to read its facts.
///
/// A rule begins to need the sensor in three cases:
/// - Operands that do not depend on the sensor, and cost at most as much, no longer determine the value of
///   the condition.
/// - A `when` or `every` rule begins a directive that has an `until` or watches a zone.
/// - A demand begins on a device that is limited by the rule.
///
/// For zones, the time between two probes of a sensor is at least `Manifest.shortestProbePause`.
struct SensingRate {
  /// A rule with the rates of its parts. `reads` are the facts whose values the rule reads.
  typealias Entry = (rate: RuleRate, conditions: ConditionRate, reads: Set<String>)

  private let vocabulary: Vocabulary
  private let rules: [Entry]

  init(_ rules: [Entry], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    self.rules = rules.filter { !$0.rate.rule.isInert }
  }

  /// Returns true when a rule needs the sensor to read one of its facts or a zone.
  func isRead(_ device: Manifest) -> Bool {
    rules.contains { entry in
      let own = own(device, entry)
      return !own.isEmpty && targets(of: entry.rate.rule, device, own) != nil
    }
  }

  /// Returns the facts for which a rule needs the sensor. The sensor publishes these facts only while it is
  /// on, or they are computed from such facts.
  private func own(_ device: Manifest, _ entry: Entry) -> Set<String> {
    let (rule, read) = (entry.rate.rule, entry.reads)
    var own = Set(device.facts.filter { device.isSensed($0) }.map(\.path)).intersection(read)
    let places = vocabulary.computed.filter(\.isPlace).map(\.schema.path)
    let isActivity = device.facts.contains { $0.path == "motion.activity" && device.isSensed($0) }
    if let reading = placeReading(of: rule),
      isActivity || device.publishesPositions(vocabulary) && !reading.barred.contains(device.device)
    {
      own.formUnion(read.intersection(places))
    }
    for case (let directive, .locate(let zone)) in rule.watches.map({ ($0.directive, $0.directive.action) })
    where isActivity || directive.targets.contains(device.device) {
      own.insert(ZoneQuery.inside.path(ofZone: zone))
    }
    for fact in vocabulary.computed where read.contains(fact.schema.path) {
      guard let schema = fact.sensedInput.flatMap({ vocabulary.schema($0.path) }),
        schema.device == device.device, device.isSensed(schema)
      else { continue }
      own.insert(fact.schema.path)
    }
    return own
  }

  private func relatedDevices(of device: Manifest) -> [DeviceID] {
    vocabulary.manifests.filter { isRelated($0, of: device) }.map(\.device)
  }

  /// Returns how often rules begin to need the sensor.
  func begins(of device: Manifest) -> RateBound {
    var sum = RateBound.never
    var probes = false
    for entry in rules {
      guard let need = begins(of: device, for: entry) else { continue }
      probes = probes || need.probes
      sum = sum + need.others
    }
    // The shortest pause between probes limits the number of probes, however often a rule begins to need a
    // position.
    return probes ? sum + .spaced(device.shortestProbePause) : sum
  }

  /// Returns how often one rule begins to need the sensor, position probes excluded.
  func begins(of device: Manifest, by rule: RuleID) -> RateBound {
    .sum(rules.filter { $0.rate.rule.id == rule }.compactMap { begins(of: device, for: $0)?.others })
  }

  /// Returns whether the rule needs position probes of the sensor, and how often other needs of the sensor
  /// begin. Nil for a rule that does not need the sensor.
  private func begins(
    of device: Manifest, for entry: Entry
  ) -> (probes: Bool, others: RateBound)? {
    var own = own(device, entry)
    guard !own.isEmpty, let targets = targets(of: entry.rate.rule, device, own) else { return nil }
    var probes = false
    if device.publishesPositions(vocabulary) {
      let zones = own.filter { isPlace($0) }
      probes = !zones.isEmpty
      own.subtract(zones)
    }
    guard !own.isEmpty else { return (probes, .never) }
    var sum = changeRate(of: entry, without: own) + starts(on: targets)
    if own.contains(where: isPlace), let limited = placeReading(of: entry.rate.rule)?.limitedProviders {
      sum = sum + readings(of: limited, besides: entry.rate.rule.id)
    }
    // A `while` or `always` rule begins to watch a zone when its condition changes. `changeRate` counts these
    // changes.
    if !entry.rate.rule.trigger.isLevel {
      sum = sum + .sum(entry.rate.rule.watches.map { entry.rate.beginnings(of: $0) })
    }
    if case .when = entry.rate.rule.trigger {
      let limited = entry.rate.rule.directives.filter { $0.until != nil }
      sum = sum + .sum(limited.map { entry.rate.beginnings(of: $0) })
    }
    return (probes, sum)
  }

  private func isPlace(_ path: String) -> Bool {
    vocabulary.computed.contains { $0.isPlace && $0.schema.path == path }
  }

  /// Returns true when a device is the sensor, or a member of its ladder.
  private func isRelated(_ other: Manifest, of device: Manifest) -> Bool {
    if other.device == device.device { return true }
    return other.ladder != nil && other.ladder?.name == device.ladder?.name
  }

  /// Returns the limited devices of the rule, computed by `CheckedRule.targets` and `placeReading`; nil when
  /// the rule only observes the sensor. `own` contains the facts for which the rule needs the sensor.
  private func targets(of rule: CheckedRule, _ device: Manifest, _ own: Set<String>) -> Set<DeviceID>? {
    var all: [Set<DeviceID>] = []
    if !own.allSatisfy(isPlace),
      let targets = rule.targets(without: relatedDevices(of: device), moves: Self.isMove(rule))
    {
      all.append(targets)
    }
    if own.contains(where: isPlace), let reading = placeReading(of: rule) { all.append(reading.targets) }
    guard !all.isEmpty else { return nil }
    return all.contains([]) ? [] : all.reduce([]) { $0.union($1) }
  }

  private func placeReading(of rule: CheckedRule) -> CheckedRule.PlaceReading? {
    let providers = vocabulary.manifests.filter { $0.publishesPositions(vocabulary) }.map(\.device)
    return rule.placeReading(providers, moves: Self.isMove(rule))
  }

  private static func isMove(_ rule: CheckedRule) -> Bool { rule.directives.isEmpty && rule.acts.isEmpty }

  /// Returns how often other rules begin to read facts of positioning devices. Each such reading can begin
  /// the need of a rule that limits the device and reads a zone.
  private func readings(of devices: Set<DeviceID>, besides rule: RuleID) -> RateBound {
    .sum(
      vocabulary.manifests.filter { devices.contains($0.device) }.flatMap { device in
        rules.filter { $0.rate.rule.id != rule }.compactMap { begins(of: device, for: $0)?.others }
      })
  }

  /// Returns the rate of changes of the operands that can interrupt the reading of the facts in `own`.
  private func changeRate(
    of entry: Entry, without own: Set<String>
  ) -> RateBound {
    let operands = InterruptingOperands(own: own, conditions: entry.conditions, vocabulary: vocabulary)
    return .sum(entry.rate.rule.readConditions.map(operands.rate))
  }

  /// Returns the rate at which rules start a demand on one of these devices.
  private func starts(on targets: Set<DeviceID>) -> RateBound {
    .sum(
      rules.flatMap { entry in
        entry.rate.rule.directives.filter { item in
          guard case .start = item.directive.action else { return false }
          return !targets.isDisjoint(with: item.directive.targets)
        }.map { entry.rate.beginnings(of: $0) }
      })
  }
}

extension ComputedFact {
  /// True for a fact about a circular zone.
  fileprivate var isPlace: Bool {
    guard case .zone(let zone, _) = source, case .circle = zone.shape else { return false }
    return true
  }
}
