public import StintGovernor
public import StintLanguage
import StintMachine
public import StintModel
public import StintUnits

/// The report on why a device is not on or a rule is not in force. It contains the obstacles and the earliest
/// possible time.
public struct WhyNotReport: Sendable {
  /// A reason why the device is not on or the rule is not in force.
  public enum Obstacle: Hashable, Sendable {
    /// The fact has the value `present`. The nearest sufficient value is `needed`.
    case fact(path: String, present: FactValue, needed: FactValue)
    /// No demand exists for the device.
    case demand(DeviceID)
    /// The device is not available.
    case missing(DeviceID)
    /// A directive of the rule keeps the device off or delays its transfers. `until` is nil when the end is
    /// unknown.
    case directive(RuleID, until: Instant?)
  }

  /// The name of the device or of the rule.
  public let thing: String
  /// True when the device is on or the rule is in force now. `obstacles` is then empty.
  public let happens: Bool
  /// The obstacles. All of them must be removed.
  public let obstacles: [Obstacle]
  /// The earliest instant at which the device can be on or the rule in force. Assumes that the obstacles are
  /// removed now. Nil when the instant is unknown.
  public let earliest: Instant?
  /// The instant at which the device turns on or the rule comes into force if no fact and no demand changes.
  /// Nil when there is no such instant.
  public let unaided: Instant?
  /// Explanations of conditions with current values. For a rule, its condition is explained; for a device,
  /// the condition of each rule that keeps the device off.
  public let conditions: [String]
  /// The facts that rules read and that no sensor measures at present, each with the reason. For a rule,
  /// these are facts that the rule reads. For a device, these are facts that the device can measure. Empty
  /// when the device is on or the rule is in force.
  public let closedReadings: [InactiveReading]
  private let policies: [CheckedPolicy]
  private let governor: Governor

  /// Creates the report for a device, as in `location.gnss`, or a rule, as in `hiking/still`. Nil when no
  /// such device or rule exists, or the device is a source.
  public init?(_ thing: String, governor: Governor, policies: [CheckedPolicy]) {
    let parts = thing.split(separator: "/", maxSplits: 1).map(String.init)
    if parts.count == 2 {
      self.init(rule: RuleID(policy: parts[0], rule: parts[1]), governor: governor, policies: policies)
    } else {
      self.init(device: DeviceID(thing), governor: governor, policies: policies)
    }
  }

  /// Creates the report for a rule. Nil when no policy has the rule.
  public init?(rule: RuleID, governor: Governor, policies: [CheckedPolicy]) {
    guard let policy = policies.first(where: { $0.name == rule.policy }),
      let checked = policy.rules.first(where: { $0.id == rule })
    else { return nil }
    thing = rule.description
    self.governor = governor
    self.policies = policies
    let isInForce = governor.rulesInForce.contains(rule)
    closedReadings = isInForce ? [] : governor.closedReadings().filter { $0.rule == rule }
    happens = isInForce
    guard !happens, !checked.isInert, let search = RuleSearch(governor, policy, checked) else {
      obstacles = []
      earliest = happens ? governor.now : nil
      unaided = earliest
      conditions = checked.isInert ? ["a device that the rule needs is missing"] : []
      return
    }
    let situation = Situation(governor, policy, rule)
    conditions = [checked.condition].compactMap(\.self)
      .map { ConditionExplainer(situation).explain($0).sentence }
    let result = search.result()
    obstacles = result.changes.map { .fact(path: $0.path, present: $0.present, needed: $0.needed) }
    earliest = result.earliest
    unaided = result.unaided
  }

  /// Creates the report for a device and its demands. Nil when the device does not exist or is a source.
  public init?(device: DeviceID, governor: Governor, policies: [CheckedPolicy]) {
    guard let status = governor.status(of: device), status.manifest.kind != .source else { return nil }
    thing = device.path
    self.governor = governor
    self.policies = policies
    happens = status.state?.isOn == true
    closedReadings = happens ? [] : governor.closedReadings().filter { $0.devices.contains(device) }
    var obstacles: [Obstacle] = []
    var sentences: [String] = []
    var goals: [ObstacleSearch.Goal] = []
    var latest = governor.now
    var isTimeKnown = true
    var unaided: Instant?
    if !happens {
      if !status.isAvailable { obstacles.append(.missing(device)) }
      if status.holders.isEmpty { obstacles.append(.demand(device)) }
      for reach in status.reaches where reach.isInForce && !reach.isPutAside && reach.directive.keepsOff {
        let id = reach.directive.rule
        guard let policy = policies.first(where: { $0.name == id.policy }),
          let rule = policy.rules.first(where: { $0.id == id }), case .whilst(let condition) = rule.trigger
        else {
          let end = governor.end(of: reach.directive)
          obstacles.append(.directive(id, until: end))
          if let end { latest = max(latest, end) } else { isTimeKnown = false }
          continue
        }
        let situation = Situation(governor, policy, id, asking: reach.demand?.id)
        goals.append(ObstacleSearch.Goal(situation: situation, condition: condition, wanted: false))
        sentences.append("\(id): \(ConditionExplainer(situation).explain(condition).sentence)")
      }
    }
    for hold in happens ? [] : Self.holds(status) {
      obstacles.append(.directive(hold.rule, until: hold.end))
      if let end = hold.end { latest = max(latest, end) } else { isTimeKnown = false }
    }
    if !goals.isEmpty {
      // A simulation does not remove the other obstacles. So with other obstacles, only the forecast counts.
      let hasOtherObstacles = !obstacles.isEmpty
      let result = ObstacleSearch(goals, vocabulary: governor.vocabulary).nearest { way in
        hasOtherObstacles
          ? way.at
          : TrialRun(governor, of: goals.map(\.condition)).instant(way) {
            $0.status(of: device)?.setting.isOn == true
          }
      }
      obstacles += Self.facts(result.soonest, governor)
      if let way = result.soonest { latest = max(latest, way.at) } else { isTimeKnown = false }
      unaided = hasOtherObstacles ? nil : result.unaided
    }
    self.obstacles = obstacles
    self.unaided = happens ? governor.now : unaided
    conditions = sentences
    earliest = isTimeKnown ? latest : nil
  }

  /// Returns the rules that hold transfers on a radio by `batch`, each with the end of the hold. The end is
  /// nil without a time bound.
  private static func holds(_ status: DeviceStatus) -> [(rule: RuleID, end: Instant?)] {
    guard status.manifest.kind == .radio else { return [] }
    var ends: [RuleID: [Instant]] = [:]
    for holder in status.holders {
      for hold in holder.grant.holds {
        // All transfers start together with the first transfer whose time is over.
        ends[hold.rule, default: []] += hold.bounds.compactMap { bound in
          if case .time(let span) = bound { holder.raised + span } else { nil }
        }
      }
    }
    return ends.sorted { $0.key < $1.key }.map { ($0.key, $0.value.min()) }
  }

  private static func facts(_ way: ObstacleSearch.Way?, _ governor: Governor) -> [Obstacle] {
    (way?.changes ?? []).map { change in
      let number = governor.vocabulary.fact(change.path)
      return .fact(
        path: change.path, present: number.map { governor.facts.value($0) } ?? .unknown,
        needed: change.value)
    }
  }

  // MARK: For people

  /// The complete report for people.
  public var text: String {
    guard !happens else { return "\(thing): it happens now\n" }
    var lines = ["\(thing): not now"]
    lines += obstacles.map { "  obstacle    \(words($0))" }
    if obstacles.isEmpty {
      lines.append("  obstacle    \(earliest == nil ? "cannot be determined" : "time")")
    }
    lines += conditions.map { "  condition   \($0)" }
    lines += readingLines.map { "  not read    \($0)" }
    let when = earliest.map { instant in
      instant <= governor.now
        ? "immediately, if these obstacles are removed"
        : "\(LocalMoment(instant, governor.timeZone)), if these are removed now"
    }
    lines.append("  earliest    \(when ?? "unknown")")
    if let unaided, unaided != earliest {
      lines.append("  expected    \(LocalMoment(unaided, governor.timeZone)), if no fact changes")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The closed readings as lines without repetition. Each line names the fact, and in the report on a device
  /// also the rule.
  private var readingLines: [String] {
    var lines: [String] = []
    for reading in closedReadings {
      let reader = thing == reading.rule.description ? "" : " for \(reading.rule)"
      let line = "\(path(of: reading))\(reader): \(words(reading))"
      if !lines.contains(line) { lines.append(line) }
    }
    return lines
  }

  /// Returns the path of the fact that is not read.
  public func path(of reading: InactiveReading) -> String { governor.vocabulary.facts[reading.fact].path }

  /// Returns the reason why a fact is not read, as a sentence without a full stop.
  public func words(_ reading: InactiveReading) -> String {
    ReadingGuard(governor: governor, policies: policies).sentence(reading)
  }

  /// Returns an obstacle as a sentence without a full stop.
  public func words(_ obstacle: Obstacle) -> String {
    switch obstacle {
    case .fact(let path, let present, let needed):
      let schema = governor.vocabulary.schema(path)
      return "\(path) is \(schema?.text(of: present) ?? "unknown"); "
        + "\(schema?.text(of: needed) ?? "unknown") would be enough"
    case .demand(let device): return "there is no demand for \(device)"
    case .missing(let device): return "\(device) is missing"
    case .directive(let rule, let end):
      let until = end.map { " until \(LocalMoment($0, governor.timeZone))" } ?? ""
      return "\(rule) keeps it off\(until)"
    }
  }
}

extension Directive {
  /// True when the directive keeps devices off.
  fileprivate var keepsOff: Bool {
    switch action {
    case .stop, .pause: true
    default: false
    }
  }
}

extension CheckedRule {
  /// The condition of the rule; nil when the rule has no condition.
  fileprivate var condition: CheckedExpression? { trigger.condition }
}
