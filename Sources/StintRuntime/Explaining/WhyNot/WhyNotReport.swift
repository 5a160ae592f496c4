public import StintGovernor
public import StintLanguage
import StintMachine
public import StintModel
public import StintServices
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
    /// A service that uses the device has paused itself, and no other demand exists.
    case paused(PausedService)
    /// The device is not available, and no other device serves in its place.
    case missing(DeviceID)
    /// The client lacks the permission for the samples of the device. The sentence gives the reason.
    case permission(String)
    /// The client is in the background, and its demands are for the foreground only.
    case background(ClientID)
    /// A directive of the rule keeps the device off or delays its transfers. `until` is nil when the end
    /// is unknown.
    case directive(RuleID, until: Instant?)
  }

  /// The name of the device or of the rule.
  public let thing: String
  /// True when the device is on or the rule is in force now. In a report on the demands of a client, true
  /// when they are served now. `obstacles` is then empty.
  public let happens: Bool
  /// The obstacles. All of them must be removed.
  public let obstacles: [Obstacle]
  /// The earliest instant at which the device can be on or the rule in force. Assumes that the obstacles are
  /// removed now. Nil when the instant is unknown.
  public let earliest: Instant?
  /// The instant at which the device turns on or the rule comes into force, if no fact or demand changes. Nil
  /// when there is no such instant.
  public let unaided: Instant?
  /// Explanations of conditions with current values. The report on a rule explains the condition of the rule.
  /// The report on a device explains the condition of each rule that keeps the device off.
  public let conditions: [String]
  /// The facts that are read by rules but measured by no sensor at present, each with the reason. For a rule,
  /// these are the facts in its condition. For a device, these are facts that the device can measure. Empty
  /// when the device is on or the rule is in force.
  public let maskedReadings: [InactiveReading]
  /// The services that have paused themselves and use the device when they continue. They are reported also
  /// when the device is on, or has a demand, for another reason. Empty for a rule.
  public let pauses: [PausedService]
  private let policies: [CheckedPolicy]
  /// The facts that must or must not get new values before `earliest`, because conditions test their ages.
  private let awaited: AwaitedValues
  /// The facts of which the conditions read only the age, or only whether they are known. All new values of
  /// such a fact have an equal effect.
  private let valueless: Set<String>
  private let governor: Governor

  /// Creates the report for a device, as in `location.gnss`, or a rule, as in `hiking/still`. Nil when no
  /// such device or rule exists, or the device is a source.
  ///
  /// - Parameter pauses: the services that have paused themselves.
  public init?(
    _ thing: String, governor: Governor, policies: [CheckedPolicy], pauses: [PausedService] = []
  ) {
    let parts = thing.split(separator: "/", maxSplits: 1).map(String.init)
    if parts.count == 2 {
      self.init(rule: RuleID(policy: parts[0], rule: parts[1]), governor: governor, policies: policies)
    } else {
      self.init(device: DeviceID(thing), governor: governor, policies: policies, pauses: pauses)
    }
  }

  /// Creates the report for a rule. Nil when no policy has the rule.
  public init?(rule: RuleID, governor: Governor, policies: [CheckedPolicy]) {
    guard let policy = policies.first(where: { $0.name == rule.policy }),
      let checked = policy.rules.first(where: { $0.id == rule })
    else { return nil }
    thing = rule.description
    pauses = []
    self.governor = governor
    self.policies = policies
    let isInForce = governor.rulesInForce.contains(rule)
    maskedReadings = isInForce ? [] : governor.maskedReadings().filter { $0.rule == rule }
    happens = isInForce
    let condition = checked.condition
    valueless = FactCandidates([condition].compactMap(\.self), vocabulary: governor.vocabulary).valueless
    guard !happens, !checked.isInert, let search = RuleSearch(governor, policy, checked) else {
      awaited = AwaitedValues()
      obstacles = []
      earliest = happens ? governor.now : nil
      unaided = earliest
      conditions = checked.isInert ? ["a device that the rule needs is missing"] : []
      return
    }
    let situation = Situation(governor, policy, rule)
    conditions = [condition].compactMap(\.self).map {
      let sentence = ConditionExplainer(situation).explain($0).sentence
      return search.hasActed ? "true already, and must first end: \(sentence)" : sentence
    }
    let result = search.result()
    obstacles = result.changes.map { .fact(path: $0.path, present: $0.present, needed: $0.needed) }
    earliest = result.earliest
    unaided = result.unaided
    awaited = result.awaited
  }

  /// Creates the report for a device and its demands. Nil when the device does not exist or is a source.
  ///
  /// - Parameters:
  ///   - client: nil for a report on whether the device is on. Otherwise, the report is on whether the
  ///     demands of this client for the device are served, by this device or another device.
  ///   - pauses: the services that have paused themselves.
  ///   - permission: the sentence about the permission that the client lacks; nil when it lacks none.
  ///   - undecided: the services that wait for a decision of the user.
  public init?(
    device: DeviceID, of client: ClientID? = nil, governor: Governor, policies: [CheckedPolicy],
    pauses: [PausedService] = [], lacking permission: String? = nil, undecided: [UndecidedService] = []
  ) {
    guard let status = governor.status(of: device), status.manifest.kind != .source else { return nil }
    thing = device.path
    self.governor = governor
    self.policies = policies
    let subject = Subject(
      device: device, client: client, pauses: pauses, permission: permission, undecided: undecided)
    happens = subject.happens(status)
    self.pauses = subject.relevantPauses
    maskedReadings = happens ? [] : governor.maskedReadings().filter { $0.devices.contains(device) }
    guard !happens else {
      (obstacles, conditions) = ([], [])
      (earliest, unaided) = (governor.now, governor.now)
      (awaited, valueless) = (AwaitedValues(), [])
      return
    }
    var obstacles = subject.obstacles(status)
    var sentences: [String] = []
    var goals: [ObstacleSearch.Goal] = []
    /// The rules of `goals`.
    var keepers: [RuleID] = []
    for directiveEntry in status.directives where subject.isKeptOff(by: directiveEntry) {
      let id = directiveEntry.directive.rule
      guard let policy = policies.first(where: { $0.name == id.policy }),
        let rule = policy.rules.first(where: { $0.id == id }), case .whilst(let condition) = rule.trigger
      else {
        obstacles.append(.directive(id, until: governor.end(of: directiveEntry.directive)))
        continue
      }
      let situation = Situation(governor, policy, id, asking: directiveEntry.demand?.id)
      goals.append(ObstacleSearch.Goal(situation: situation, condition: condition, wanted: false))
      keepers.append(id)
      sentences.append("\(id): \(ConditionExplainer(situation).explain(condition).sentence)")
    }
    obstacles += subject.holds(status).map { .directive($0.rule, until: $0.end) }
    let ends = obstacles.compactMap { obstacle -> Instant?? in
      if case .directive(_, let end) = obstacle { .some(end) } else { nil }
    }
    var latest: Instant? = ends.reduce(governor.now) { latest, end in
      if let latest, let end { max(latest, end) } else { nil }
    }
    var unaided: Instant?
    var awaited = AwaitedValues()
    if !goals.isEmpty {
      // A simulation does not remove the other obstacles. So with other obstacles, only the forecast counts.
      let hasOtherObstacles = !obstacles.isEmpty
      let result = ArrivalSearch(goals, governor).nearest { solution, arriving in
        hasOtherObstacles
          ? solution.at
          : TrialRun(governor, of: goals.map(\.condition), arriving: arriving).instant(solution) {
            $0.status(of: device).map(subject.isReached) == true
          }
      }
      obstacles += Self.facts(result.soonest, governor)
      // No known change of a fact would help, for example against the directives of a budget.
      if result.soonest == nil {
        obstacles += keepers.map { .directive($0, until: nil) }
      }
      latest = latest.flatMap { latest in result.soonest.map { max(latest, $0.at) } }
      unaided = hasOtherObstacles ? nil : result.unaided
      awaited = result.awaited
    }
    self.awaited = awaited
    valueless = FactCandidates(goals.map(\.condition), vocabulary: governor.vocabulary).valueless
    self.obstacles = obstacles
    self.unaided = unaided
    conditions = sentences
    earliest = latest
  }

  private static func facts(_ solution: ObstacleSearch.Solution?, _ governor: Governor) -> [Obstacle] {
    let values = PresentValues(governor)
    return (solution?.changes ?? []).map { change in
      .fact(path: change.path, present: values[change.path], needed: change.value)
    }
  }

  // MARK: For people

  /// The complete report for people.
  public var text: String {
    let pauseLines = otherPauses.map { "  paused      \(words(.paused($0)))" }
    guard !happens else { return (["\(thing): \(presence)"] + pauseLines).joined(separator: "\n") + "\n" }
    var lines = ["\(thing): not now"]
    lines += obstacles.map { "  obstacle    \(words($0))" }
    if obstacles.isEmpty {
      lines.append("  obstacle    \(earliest == nil ? "cannot be determined" : "time")")
    }
    lines += conditions.map { "  condition   \($0)" }
    lines += readingLines.map { "  not read    \($0)" }
    lines += pauseLines
    lines.append("  earliest    \(earliest.map(assumption) ?? "unknown")")
    if let unaided, unaided != earliest {
      lines.append("  expected    \(time(unaided)), if no fact changes")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The words for a device that is on, or a rule in force.
  private var presence: String { thing.contains("/") ? "it is in force" : "it is on" }

  /// The pauses that are not obstacles, because another demand exists.
  private var otherPauses: [PausedService] {
    pauses.filter { !$0.pause.isChecking && !obstacles.contains(.paused($0)) }
  }

  /// Returns the earliest time with its assumptions.
  private func assumption(_ instant: Instant) -> String {
    guard instant > governor.now else { return "immediately, if these obstacles are removed" }
    var assumptions = obstacles.isEmpty ? [] : ["these obstacles are removed now"]
    assumptions += awaited.sentences
    let time = time(instant)
    return assumptions.isEmpty ? time : "\(time), if \(assumptions.joined(separator: " and "))"
  }

  /// Returns an instant in local time. The date is included when the instant is not on the present day.
  private func time(_ instant: Instant) -> String {
    LocalMoment(instant, governor.timeZone).text(at: LocalMoment(governor.now, governor.timeZone))
  }

  /// The readings of `maskedReadings` as lines without repetition. Each line names the fact, and in the
  /// report on a device also the rule.
  private var readingLines: [String] {
    var lines: [String] = []
    for reading in maskedReadings {
      let reader = thing == reading.rule.description ? "" : " for \(reading.rule)"
      let line = "\(path(of: reading))\(reader): \(words(reading))"
      if !lines.contains(line) { lines.append(line) }
    }
    return lines
  }

  /// Returns the type of a fact; nil when no fact has this name.
  public func type(of path: String) -> FactType? { governor.vocabulary.schema(path)?.type }

  /// Returns a value of a fact as text; “unknown” when no fact has this name.
  public func text(_ value: FactValue, of path: String) -> String {
    governor.vocabulary.schema(path)?.text(of: value) ?? "unknown"
  }

  /// Returns the path of the fact that is not read.
  public func path(of reading: InactiveReading) -> String { governor.vocabulary.facts[reading.fact].path }

  /// Returns the reason why a fact is not read, as a sentence without a full stop.
  public func words(_ reading: InactiveReading) -> String {
    MaskedReadingSentence(governor: governor, policies: policies).sentence(reading)
  }

  /// Returns true when any new value of the obstacle's fact is sufficient, because conditions test the age of
  /// the fact, or whether it is known.
  public func isSatisfiedByAnyValue(_ obstacle: Obstacle) -> Bool {
    guard case .fact(let path, let present, let needed) = obstacle else { return false }
    return needed != .unknown && (present == needed || valueless.contains(path))
  }

  /// Returns an obstacle as a sentence without a full stop.
  public func words(_ obstacle: Obstacle) -> String {
    switch obstacle {
    case .fact(let path, let present, let needed):
      // A rule that has acted needs two changes of one fact: to end its condition, and to make it true again.
      if let first = obstacles.first(where: { $0.path == path }), first != obstacle {
        return "then \(path) must become \(text(needed, of: path))"
      }
      let present = "\(path) is \(text(present, of: path)); "
      if isSatisfiedByAnyValue(obstacle) { return present + "a new value would be enough" }
      return present + "\(text(needed, of: path)) would be enough"
    case .demand(let device): return "there is no demand for \(device)"
    case .paused(let service):
      let next = LocalMoment(service.pause.next, governor.timeZone)
      return "“\(service.id.name)” of \(service.id.client): \(service.pause), at the latest at \(next)"
    case .missing(let device): return "\(device) is missing"
    case .permission(let sentence): return sentence
    case .background(let client): return "\(client) is in the background"
    case .directive(let rule, let end):
      let until = end.map { " until \(LocalMoment($0, governor.timeZone))" } ?? ""
      return "\(rule) keeps it off\(until)"
    }
  }
}

/// The question that a report on a device answers. It is whether the device is on, or whether the demands of
/// a client for the device are served.
private struct Subject {
  let device: DeviceID
  /// The client whose demands count; nil for all demands.
  let client: ClientID?
  let pauses: [PausedService]
  /// The sentence about the permission that the client lacks; nil when it lacks none.
  let permission: String?
  let undecided: [UndecidedService]

  /// The services that have paused themselves and use the device when they continue. When `client` is not
  /// nil, only the services of this client.
  var relevantPauses: [PausedService] {
    pauses.filter { $0.device == device && (client == nil || $0.id.client == client) }
  }

  /// True when the device is on, or the client is served.
  func happens(_ status: DeviceStatus) -> Bool {
    client == nil ? status.state?.isOn == true : isReached(status)
  }

  /// True when the governor has switched the device on, or the client is served.
  func isReached(_ status: DeviceStatus) -> Bool {
    client == nil ? status.setting.isOn : demands(status).contains { $0.grant.status == .served }
  }

  private func demands(_ status: DeviceStatus) -> [DeviceStatus.DemandEntry] {
    status.demands.filter { client == nil || $0.demand.client == client }
  }

  /// Returns the obstacles other than rules: a missing permission, a missing device, no demand, a paused
  /// service, a client in the background.
  func obstacles(_ status: DeviceStatus) -> [WhyNotReport.Obstacle] {
    let demands = demands(status)
    var result = permission.map { [WhyNotReport.Obstacle.permission($0)] } ?? []
    if !status.isAvailable { result.append(.missing(device)) }
    guard !demands.isEmpty else {
      let paused = relevantPauses
      let waits = undecided.contains { $0.device == device && $0.id.client == client }
      if paused.isEmpty, permission != nil, waits { return result }
      return result + (paused.isEmpty ? [.demand(device)] : paused.map { .paused($0) })
    }
    if let client, demands.allSatisfy({ $0.grant.status == .background }) {
      result.append(.background(client))
    }
    return result
  }

  /// Returns whether a directive keeps the device off. When `client` is not nil, only directives that affect
  /// the demands of this client count.
  func isKeptOff(by directiveEntry: DeviceStatus.DirectiveEntry) -> Bool {
    guard directiveEntry.isInForce, !directiveEntry.isOverridden, directiveEntry.directive.keepsOff else {
      return false
    }
    guard let client else { return true }
    return directiveEntry.demand.map { $0.client == client } ?? !directiveEntry.exceptions.contains {
      $0.client == client
    }
  }

  /// Returns the rules that hold transfers on a radio by `batch`, each with the end of the hold. The end is
  /// nil without a time bound.
  func holds(_ status: DeviceStatus) -> [(rule: RuleID, end: Instant?)] {
    guard status.manifest.kind == .radio else { return [] }
    var ends: [RuleID: [Instant]] = [:]
    for demandEntry in demands(status) {
      for hold in demandEntry.grant.holds {
        // All transfers start together with the first transfer whose time is over.
        ends[hold.rule, default: []] += hold.bounds.compactMap { bound in
          if case .time(let span) = bound { demandEntry.raised + span } else { nil }
        }
      }
    }
    return ends.sorted { $0.key < $1.key }.map { ($0.key, $0.value.min()) }
  }
}

extension WhyNotReport.Obstacle {
  /// The path of the fact that must change; nil for other obstacles.
  fileprivate var path: String? {
    if case .fact(let path, _, _) = self { path } else { nil }
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
