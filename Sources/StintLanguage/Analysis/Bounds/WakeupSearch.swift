package import StintModel
package import StintUnits

/// Computes the wake-up bound of devices from the events that can switch them on.
///
/// A sensor has two upper bounds, and the result is the smaller one. The first bound is the number of events
/// that can switch the sensor on:
/// - A rule begins to read the sensor's facts.
/// - An act requests a fix.
/// - A directive begins or ends, and this moves a demand to the sensor.
///
/// The second bound follows from the linger time. The sensor stays on for at least this time, so at least
/// this time passes between two switch-ons. A radio has one bound: each time it wakes, it stays on for its
/// promotion and its tail.
package struct WakeupSearch {
  private let vocabulary: Vocabulary
  private let lingerTimes: [DeviceID: TimeSpan]
  private let rules: [RuleRate]
  private let sensing: SensingRate
  private let openTimes: OpenTimes
  /// The rules that override a rule, by the id of the overridden rule.
  private var winners: [RuleID: [RuleRate]] = [:]

  package init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    var begins = Self.demandedDevices(policies).reduce(into: [DeviceID: RateBound]()) { begins, device in
      begins[device] = .unbounded("rules demand \(device) in reaction to other demands")
    }
    self.init(policies, vocabulary: vocabulary, demandBegins: begins)
    // Each round computes valid bounds from the valid bounds of the previous round. A device occurs at most
    // once in a chain of dependencies between devices, so one round per device is sufficient.
    for _ in begins {
      let former = begins
      for device in begins.keys { begins[device] = demandBegins(of: device) }
      guard begins != former else { break }
      self.init(policies, vocabulary: vocabulary, demandBegins: begins)
    }
  }

  private init(
    _ policies: [CheckedPolicy], vocabulary: Vocabulary, demandBegins: [DeviceID: RateBound]
  ) {
    let vocabulary = vocabulary.computing(policies.flatMap(\.computed))
    self.vocabulary = vocabulary
    let lingerTimes = Self.lingerTimes(policies, vocabulary)
    let maxAges = policies.flatMap(\.defaults).compactMap { item in item.maxAge.map { (item.device, $0) } }
    var facts = FactRate(
      vocabulary: vocabulary, cycles: lingerTimes, maxAges: Dictionary(maxAges, uniquingKeysWith: min))
    facts.demandBegins = demandBegins
    facts.adjusted = Self.adjusted(policies, vocabulary)
    facts.machines = StateMachineRates(policies, facts: facts, vocabulary: vocabulary).byPath
    var entries: [SensingRate.Entry] = []
    for policy in policies {
      let conditions = ConditionRate(facts: facts, schedules: policy.schedules)
      let guards = ReadingGuards(policy, vocabulary)
      entries += policy.rules.map { rule in
        let reads = guards.reads(of: rule).filter { !$0.isForPlace }.map(\.path)
        return (RuleRate(rule, conditions: conditions), conditions, Set(reads))
      }
    }
    self.lingerTimes = lingerTimes
    rules = entries.map(\.rate)
    sensing = SensingRate(entries, vocabulary: vocabulary)
    openTimes = OpenTimes(policies: policies, facts: facts)
    for rule in rules { for loser in rule.rule.overrides { winners[loser, default: []].append(rule) } }
  }

  /// Returns the devices whose sampling rate a rule may change. A rule can change the rate by a directive or
  /// a fix for the device or its ladder, by reading a zone, or by reading a fact of the device.
  private static func adjusted(_ policies: [CheckedPolicy], _ vocabulary: Vocabulary) -> Set<DeviceID> {
    let rules = policies.flatMap(\.rules).filter { !$0.isInert }
    let targets = Set(
      rules.flatMap { $0.directives.flatMap(\.directive.targets) + $0.acts.flatMap(\.targets) })
    let ladders = Set(targets.compactMap { vocabulary.manifest($0)?.ladder?.name })
    let facts = Set(rules.flatMap(\.readConditions).flatMap(\.facts))
    let readsZones = vocabulary.computed.contains { facts.contains($0.schema.path) && $0.isZone }
    return Set(
      vocabulary.manifests.filter { manifest in
        targets.contains(manifest.device) || manifest.ladder.map { ladders.contains($0.name) } ?? false
          || (readsZones && manifest.publishesPositions(vocabulary))
          || facts.contains { path in
            vocabulary.schema(path).map { manifest.isSensed($0) } ?? false
          }
      }.map(\.device))
  }

  /// Returns the devices in `demanded(...)` of all rules, which include the transitions of state machines.
  private static func demandedDevices(_ policies: [CheckedPolicy]) -> Set<DeviceID> {
    var devices: Set<DeviceID> = []
    for condition in policies.flatMap(\.rules).flatMap(\.readConditions) {
      condition.visit { if case .demanded(let device) = $0.kind { devices.insert(device) } }
    }
    return devices
  }

  /// Returns how long each sensor stays on after its last demand. This is the shortest `linger` of the
  /// policies, or the manifest's value when no policy specifies one.
  private static func lingerTimes(_ policies: [CheckedPolicy], _ vocabulary: Vocabulary) -> [DeviceID:
    TimeSpan]
  {
    var lingerTimes: [DeviceID: TimeSpan] = [:]
    for defaults in policies.flatMap(\.defaults) {
      guard let linger = defaults.linger else { continue }
      lingerTimes[defaults.device] = min(lingerTimes[defaults.device] ?? linger, linger)
    }
    for manifest in vocabulary.manifests where lingerTimes[manifest.device] == nil {
      if case .number(let seconds)? = manifest.attribute(named: "linger")?.fallback {
        lingerTimes[manifest.device] = TimeSpan(seconds: seconds)
      }
    }
    return lingerTimes
  }

  /// The sensors that rules switch on to read their facts.
  package var sensed: [DeviceID] {
    vocabulary.manifests.filter { $0.kind == .sensor && sensing.isRead($0) }.map(\.device)
  }

  /// Returns how often a rule begins to need a sensor for facts that are not about zones.
  package func readings(of device: Manifest, by rule: RuleID) -> RateBound {
    sensing.begins(of: device, by: rule)
  }

  /// Returns an upper bound on the daily time for which a condition of a policy is true or unknown. Nil when
  /// this may be the whole day.
  package func openTime(of condition: CheckedExpression, in policy: CheckedPolicy) -> OpenTime? {
    openTimes.bound(condition, true, in: policy)
  }

  /// Returns how long a sensor stays on after its last demand.
  package func linger(of device: DeviceID) -> TimeSpan { lingerTimes[device] ?? .zero }

  package func bound(of device: DeviceID) -> WakeupBound {
    guard let manifest = vocabulary.manifest(device) else {
      return WakeupBound(device: device, limit: .unbounded(because: "\(device) is missing"))
    }
    let pace: RateBound =
      switch manifest.kind {
      case .sensor: sensor(manifest)
      case .radio: radio(manifest)
      case .processor, .source: .unbounded("rules do not wake \(device)")
      }
    switch pace {
    case .atMost(let count): return WakeupBound(device: device, limit: .atMost(count))
    case .unbounded(let reason): return WakeupBound(device: device, limit: .unbounded(because: reason))
    }
  }

  /// Returns the bound of a radio. Each wake-up takes at least the time of the promotion and the tail,
  /// whichever client causes it.
  private func radio(_ manifest: Manifest) -> RateBound {
    guard let tail = manifest.figures["tail"]?.timeSpan, tail > .zero else {
      return .unbounded("“tail” is missing in the figures of \(manifest.device)")
    }
    return .spaced(tail + (manifest.figures["promotion"]?.timeSpan ?? .zero))
  }

  private func sensor(_ manifest: Manifest) -> RateBound {
    let sum = RateBound.atMost(1) + events(on: manifest)
    let cycles = RateBound.spaced(
      lingerTimes[manifest.device] ?? .zero, else: "\(manifest.device) has no “linger”")
    if case (.unbounded(let reason), .unbounded(let other)) = (sum, cycles) {
      return .unbounded(reason.hasPrefix(other) ? reason : "\(reason), and \(other)")
    }
    return .min(sum, cycles)
  }

  /// Returns the rate of the events that may switch the device on. These events are beginnings of readings,
  /// fixes, and directives that begin or end.
  ///
  /// - Parameter keepsDemands: if true, leaves out the directives that only move the demands for this device
  ///   to other devices and back.
  private func events(on manifest: Manifest, keepsDemands: Bool = false) -> RateBound {
    var sum = sensing.begins(of: manifest)
    for rate in rules where !rate.rule.isInert {
      for directive in rate.rule.directives {
        if keepsDemands, case .limitAccuracy = directive.directive.action,
          directive.directive.targets == [manifest.device]
        {
          continue
        }
        sum = sum + switches(directive, of: rate, manifest)
      }
      for act in rate.rule.acts where act.targets.contains(where: { serves(manifest, $0) }) {
        if case .fix = act { sum = sum + rate.acts }
      }
    }
    return sum
  }

  /// Returns how often `demanded(device)` becomes true because of rules. The linger time does not limit this
  /// rate, because a new demand on a stopped device makes `demanded` true without switching the device on.
  private func demandBegins(of device: DeviceID) -> RateBound {
    vocabulary.manifest(device).map { events(on: $0, keepsDemands: true) } ?? .never
  }

  /// Returns how often the beginning or end of a directive may move a demand to the device.
  private func switches(_ directive: CheckedDirective, of rate: RuleRate, _ device: Manifest) -> RateBound {
    let served = directive.directive.targets.filter { serves(device, $0) }
    // A service decides by itself when it needs positions, so only the linger time limits its wake-ups.
    if case .serve(let word) = directive.directive.action, word.isWatched, !served.isEmpty {
      return rate.rule.isInert ? .never : .unbounded("\(word.rawValue) may request positions at any time")
    }
    let effects = served.map { effect(of: directive.directive.action, on: $0, device) }
    let atBegin = effects.contains(where: \.atBegin)
    let atEnd = effects.contains(where: \.atEnd)
    guard atBegin || atEnd else { return .never }
    // All targets are affected at the same instant, so the device is switched on at most once per instant.
    let begins = atBegin ? rate.beginnings(of: directive) : .never
    let ends = atEnd ? rate.ends(of: directive) : .never
    return begins + ends + .sum((winners[rate.rule.id] ?? []).map(\.changes))
  }

  /// Returns true when the device may serve a demand on the target.
  private func serves(_ device: Manifest, _ target: DeviceID) -> Bool {
    if device.device == target { return true }
    guard let mine = device.ladder, let its = vocabulary.manifest(target)?.ladder, mine.name == its.name
    else { return false }
    return mine.rank <= its.rank
  }

  private func effect(
    of action: Directive.Action, on target: DeviceID, _ device: Manifest
  ) -> (atBegin: Bool, atEnd: Bool) {
    switch action {
    case .start, .resume: return (true, false)
    case .stop, .pause, .postpone, .stopService: return (false, true)
    case .serve: return (true, true)
    // The probes of a zone count as readings.
    case .locate, .slow, .limitAttributes, .batch: return (false, false)
    case .limitAccuracy(let metres):
      let fitting = cheaper(than: target, for: metres)
      // While the directive is in force, the cheapest device that meets the lower accuracy takes over the
      // demand. When the directive ends, the demand may return to any other device.
      guard let first = fitting.first else { return (false, false) }
      return (fitting.contains(device.device), first != device.device)
    }
  }

  /// Returns the cheaper devices of the target's ladder that meet the accuracy, cheapest first.
  private func cheaper(than target: DeviceID, for metres: Double) -> [DeviceID] {
    guard let ladder = vocabulary.manifest(target)?.ladder else { return [] }
    let fitting = vocabulary.manifests.filter { candidate in
      guard candidate.device != target, let place = candidate.ladder, place.name == ladder.name else {
        return false
      }
      return place.rank <= ladder.rank && place.serves.map { $0 <= metres } ?? true
    }
    return fitting.sorted { ($0.ladder?.rank ?? 0) < ($1.ladder?.rank ?? 0) }.map(\.device)
  }
}

extension ComputedFact {
  fileprivate var isZone: Bool { if case .zone = source { true } else { false } }
}
