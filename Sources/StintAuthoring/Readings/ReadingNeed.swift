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
  /// The sensor that publishes the fact. For a circular zone, all sensors that can locate the phone.
  public var devices: [DeviceID]
  /// Conditions in the policy language. The rule reads the fact only while none of them is false.
  public var guards: [String]
  /// The time between two samples. With `isPaced`, this is the shortest time; for a zone, it is the shortest
  /// time between two probes of a sensor.
  public var period: TimeSpan
  /// True when the time between two samples is longer while the values are far from the limits of the rule.
  public var isPaced = false
  /// True when the need is for a circular zone. The governor then requests single fixes, and the distance to
  /// the zone's border determines the time between them.
  public var isPlace: Bool
  /// The largest energy of the readings in 24 hours, computed from the manifests. This bound includes the
  /// sensors, and the wake-ups of the processor for the samples. The assumptions are those of `WakeupBound`.
  public var maxPerDay: Energy
  /// The longest time within 24 hours in which no guard is false; nil when this may be the whole day.
  public var longestOpen: TimeSpan?
  /// The energy of one hour of readings, wake-ups included. It excludes the extra energy that each beginning
  /// of the need costs.
  public var perHour: Energy
  /// The largest energy that each beginning of the need adds, wake-ups included.
  public var perBeginning: Energy
  /// True when the rule reads the facts only while a device has a demand. Then each demand of a client can
  /// begin the need. `maxPerDay` assumes that clients keep their demands.
  public var dependsOnDemands: Bool
  /// The first rule, in the order of the policies, with a need for the same readings. While both rules have
  /// the need, the readings are charged to the rule whose need began earlier. Nil for that first rule itself.
  public var sharedWith: RuleID?

  /// Returns true when both needs have the same sensors, guards and rate; their rules may differ.
  public func hasSameReading(as other: ReadingNeed) -> Bool {
    devices == other.devices && guards == other.guards && period == other.period
      && isPaced == other.isPaced && isPlace == other.isPlace
  }

  /// The need as `check` and `diff` print it: `location.gnss for p/r: while battery.level < 10 %, every 5 s,
  /// at most …`.
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

  /// The longest time of the readings per day, if it is limited. If not, their energy per hour when the need
  /// has guards, or when its beginnings cost more than the readings; otherwise nil.
  private var span: String? {
    if let longestOpen { return "for at most \(longestOpen) per day" }
    let hourly = "\(Self.joules(perHour)) J per h"
    if !guards.isEmpty { return "\(hourly) while this holds" }
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
  private let text: ConditionText
  private let movers: Set<RuleID>
  private let price: ReadingPrice

  init(_ policy: CheckedPolicy, _ vocabulary: Vocabulary, _ price: ReadingPrice) {
    self.policy = policy
    self.vocabulary = vocabulary
    self.price = price
    text = ConditionText(policy.schedules)
    movers = Set(policy.moves.map(\.rule))
  }

  func needs(of rule: CheckedRule) -> [ReadingNeed] {
    guard !rule.isInert else { return [] }
    var reads: [(path: String, guards: [Guard], span: TimeSpan?)] = []
    for condition in rule.readConditions {
      collect(condition, [], nil) { reads.append(($0, $1, $2)) }
    }
    let places = reads.filter { isPlace($0.path) }.map(\.guards)
    let watches = rule.watches
    // A `while` rule watches the zones of its `watch` directives while its condition is true.
    let condition = rule.trigger.isLevel ? rule.trigger.condition : nil
    let watched = condition.map { [guardOf($0)] } ?? []
    if let activity = vocabulary.schema("motion.activity") {
      reads += (places + watches.map { _ in watched }).map { (activity.path, $0, nil) }
    }
    var needs: [ReadingNeed] = []
    for manifest in vocabulary.manifests {
      let own = reads.filter { sensor(of: $0.path)?.device == manifest.device }
      guard !own.isEmpty, let demanded = demandGuards(of: rule, observing: related(to: manifest)) else {
        continue
      }
      let wanted = own.compactMap { read in
        wantedPeriod(of: read.path, on: manifest, within: read.span)
      }.min()
      let period = manifest.honoured(wanted)
      let guards = common(own.map(\.guards))
      let open = openTime(guards)
      needs.append(
        ReadingNeed(
          rule: rule.id, devices: [manifest.device], guards: guards.map(\.text) + demanded,
          period: period ?? manifest.defaultPeriod ?? .seconds(1),
          isPaced: own.allSatisfy { input(of: $0.path) == nil && schema(of: $0.path)?.maxRate != nil },
          isPlace: false,
          maxPerDay: price.maxPerDay(of: manifest, every: period, for: rule.id, open: open),
          longestOpen: open?.span, perHour: price.perHour(of: manifest, every: period),
          perBeginning: price.perBeginning(of: manifest, every: period),
          dependsOnDemands: !demanded.isEmpty))
    }
    return needs + placeNeed(rule, places, by: nil)
      + watches.flatMap { placeNeed(rule, [watched], by: $0.directive.targets) }
  }

  /// Returns the need of a rule for positions. `devices` are the devices of a `watch` directive. They are nil
  /// for a zone that a condition reads, because then any device may determine the position.
  private func placeNeed(
    _ rule: CheckedRule, _ guards: [[Guard]], by devices: [DeviceID]?
  ) -> [ReadingNeed] {
    let providers = vocabulary.manifests.filter {
      $0.publishesPositions(vocabulary) && devices?.contains($0.device) ?? true
    }
    guard !guards.isEmpty, !providers.isEmpty,
      let demanded = demandGuards(of: rule, observing: providers.map(\.device))
    else { return [] }
    let guards = common(guards)
    let open = openTime(guards)
    let most = providers.reduce(Energy.zero) { $0 + price.maxProbesPerDay(of: $1, open: open) }
    let perHour = providers.reduce(Energy.zero) { $0 + price.maxProbesPerDay(of: $1, open: nil) }
    let perBeginning = providers.reduce(Energy.zero) {
      $0 + price.perBeginning(of: $1, every: nil, isProbe: true)
    }
    return [
      ReadingNeed(
        rule: rule.id, devices: providers.map(\.device).sorted(), guards: guards.map(\.text) + demanded,
        period: providers.map(\.shortestProbePause).min() ?? .zero, isPlace: true, maxPerDay: most,
        longestOpen: open?.span, perHour: Energy(nanojoules: perHour.nanojoules / 24),
        perBeginning: perBeginning, dependsOnDemands: !demanded.isEmpty)
    ]
  }

  // MARK: Conditions

  private func collect(
    _ part: CheckedExpression, _ guards: [Guard], _ span: TimeSpan?,
    _ found: (String, [Guard], TimeSpan?) -> Void
  ) {
    func shorter(_ other: TimeSpan) -> TimeSpan { min(span ?? other, other) }
    switch part.kind {
    case .known, .age: break
    case .fact(let path): found(path, guards, span)
    case .window(_, let path, let length): found(path, guards, shorter(length))
    case .heldFor(let operand, let length, _), .inLast(let operand, let length):
      collect(operand, guards, shorter(length), found)
    case .and(let operands):
      for operand in operands {
        let own = cheaper(operands, than: operand).map { guardOf($0) }
        collect(operand, guards + own.filter { !guards.contains($0) }, span, found)
      }
    case .or(let operands):
      for operand in operands {
        let own = cheaper(operands, than: operand).map { part in
          Guard(text: "not (\(text.text(part)))", condition: part.negation)
        }
        collect(operand, guards + own.filter { !guards.contains($0) }, span, found)
      }
    default: for child in part.children { collect(child, guards, span, found) }
    }
  }

  private func guardOf(_ condition: CheckedExpression) -> Guard {
    let text = text.text(condition)
    // Guards are joined by `and`, which binds more tightly than `or`.
    if case .or = condition.kind { return Guard(text: "(\(text))", condition: condition) }
    return Guard(text: text, condition: condition)
  }

  /// Returns the operands that cost less power than `other`. The governor reads `other` only when none of
  /// these operands decides the condition.
  private func cheaper(_ operands: [CheckedExpression], than other: CheckedExpression) -> [CheckedExpression]
  {
    let limit = price(of: other)
    return operands.filter { !$0.isAlwaysUnknown && price(of: $0) < limit }
  }

  /// Returns the power of the sensors that the condition reads, in nanowatts. Each circular zone adds 1 nW,
  /// so that it counts as more expensive than a fact that needs no sensor.
  private func price(of part: CheckedExpression) -> Int64 {
    var paths: Set<String> = []
    collect(part, paths: &paths)
    return paths.reduce(0) { sum, path in
      if let sensor = sensor(of: path) { return sum + sensor.readingPower(at: nil).nanowatts }
      return sum + (isPlace(path) ? 1 : 0)
    }
  }

  private func collect(_ part: CheckedExpression, paths: inout Set<String>) {
    switch part.kind {
    case .known, .age: break
    default:
      if let path = part.path { paths.insert(path) }
      for child in part.children { collect(child, paths: &paths) }
    }
  }

  /// Returns the guards under which a fact is read: those that all reads have in common and, when each read
  /// has further guards, one guard that joins the further guards with `or`. The parameter contains the guards
  /// of each read.
  private func common(_ guards: [[Guard]]) -> [Guard] {
    guard let first = guards.first else { return [] }
    let common = first.filter { entry in guards.allSatisfy { $0.contains(entry) } }
    var others: [[Guard]] = []
    for own in guards.map({ $0.filter { !common.contains($0) } }) where !others.contains(own) {
      others.append(own)
    }
    guard others.allSatisfy({ !$0.isEmpty }) else { return common }
    return common + [Guard.any(others)]
  }

  private func openTime(_ guards: [Guard]) -> OpenTime? {
    guard let all = Guard.all(guards) else { return nil }
    return price.openTime(of: all, in: policy)
  }

  // MARK: Facts and devices

  private func zone(of path: String) -> Zone? {
    guard let fact = vocabulary.computed.first(where: { $0.schema.path == path }),
      case .zone(let zone, _) = fact.source
    else { return nil }
    return zone
  }

  private func isPlace(_ path: String) -> Bool {
    guard case .circle? = zone(of: path)?.shape else { return false }
    return true
  }

  private func input(of path: String) -> ComputedFact.SensedInput? {
    vocabulary.computed.first { $0.schema.path == path }?.sensedInput
  }

  private func schema(of path: String) -> FactSchema? {
    vocabulary.schema(input(of: path)?.path ?? path)
  }

  private func wantedPeriod(of path: String, on manifest: Manifest, within span: TimeSpan?) -> TimeSpan? {
    guard let schema = schema(of: path) else { return nil }
    guard let input = input(of: path) else {
      let period = manifest.readingPeriod(of: schema, within: span)
      return schema.maxRate == nil ? period : [period, manifest.defaultPeriod].compactMap(\.self).min()
    }
    return manifest.readingPeriod(of: schema, as: input, within: span)
  }

  private func sensor(of path: String) -> Manifest? {
    guard let schema = schema(of: path), let manifest = schema.device.flatMap({ vocabulary.manifest($0) }),
      manifest.isSensed(schema)
    else { return nil }
    return manifest
  }

  private func related(to manifest: Manifest) -> [DeviceID] {
    guard let ladder = manifest.ladder?.name else { return [manifest.device] }
    return vocabulary.manifests.filter { $0.ladder?.name == ladder }.map(\.device)
  }

  /// Returns the guard `demanded(…)`: a demand exists on at least one of the devices that the rule limits.
  /// The `related` devices do not count.
  ///
  /// - Returns: an empty array when the rule also has an effect without a demand. Nil when the rule only
  ///   observes: it is a requirement, or it limits only `related` devices.
  private func demandGuards(of rule: CheckedRule, observing related: [DeviceID]) -> [String]? {
    guard let targets = rule.targets(without: related, moves: movers.contains(rule.id)) else { return nil }
    guard !targets.isEmpty else { return [] }
    let demands = targets.sorted().map { "demanded(\($0))" }.joined(separator: " or ")
    return [targets.count > 1 ? "(\(demands))" : demands]
  }
}

/// A condition that must not be false before a rule reads a fact. Guards with equal texts are equal.
private struct Guard: Equatable {
  var text: String
  var condition: CheckedExpression

  static func == (left: Guard, right: Guard) -> Bool { left.text == right.text }

  /// Returns the conjunction of the conditions; nil for an empty array.
  static func all(_ guards: [Guard]) -> CheckedExpression? {
    guard let first = guards.first?.condition else { return nil }
    return CheckedExpression(kind: .and(guards.map(\.condition)), type: .boolean, span: first.span)
  }

  /// Returns one guard that joins several conjunctions with `or`. Each conjunction has at least one guard.
  static func any(_ alternatives: [[Guard]]) -> Guard {
    let conditions = alternatives.compactMap { all($0) }
    let texts = alternatives.map { $0.map(\.text).joined(separator: " and ") }
    return Guard(
      text: "(\(texts.joined(separator: " or ")))",
      condition: CheckedExpression(kind: .or(conditions), type: .boolean, span: conditions[0].span))
  }
}

extension CheckedExpression {
  fileprivate var negation: CheckedExpression {
    CheckedExpression(kind: .not(self), type: .boolean, span: span)
  }
}
