/// Generates random policies without type errors.
///
/// The thresholds are in the range of the values that `PlanStory` publishes, so that rules become active
/// and inactive.
struct PlanGenerator {
  var generator: SeededGenerator
  let world: PlanWorld
  /// The minute of the local day at which the story begins, and the duration of the story in minutes.
  let firstMinute: Int
  let minutes: Int
  /// Whether `every` rules may have a `flex`: a maximum delay, within which they wait for a wake-up that
  /// happens anyway.
  var hasFlexibleRules = true
  /// The rules generated until now, as `POLICY/NAME`. A new rule may override them.
  var names: [String] = []
  /// The policy under construction.
  var policy = PlanPolicy(name: "")
  /// The number of states of each state machine of the policy.
  var stateCounts: [Int] = []
  /// The devices for which rules raise demands. For these devices, no condition uses `demanded`.
  var startDevices: Set<Int> = []

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  mutating func once(in count: Int) -> Bool { generator.once(in: count) }
  mutating func pick<Element>(_ elements: [Element]) -> Element { generator.pick(elements) }

  mutating func policies() -> [PlanPolicy] {
    let count = pick([1, 1, 2, 2, 3])
    startDevices = Set([PlanWorld.Device.fast, .slow].filter { _ in !once(in: 3) }.map(\.rawValue))
    return (0..<count).map { policy("p\($0)") }
  }

  private mutating func policy(_ name: String) -> PlanPolicy {
    policy = PlanPolicy(name: name)
    stateCounts = []
    policy.parameters = (0..<number(0...2)).map { _ in number(0...6) }
    policy.schedules = (0..<number(0...2)).map { _ in (0..<number(1...2)).map { _ in window() } }
    policy.zones = (0..<number(0...2)).map { _ in
      once(in: 2)
        ? .circle(enter: number(0...2), exit: number(0...2))
        : .beacon(enter: number(0...2), exit: number(0...3))
    }
    if once(in: 2) { policy.defaults.append(defaults(.fast)) }
    if once(in: 3) { policy.defaults.append(defaults(.slow)) }
    policy.budgets = (0..<pick([0, 0, 1, 1, 2])).map { _ in budget() }
    stateCounts = (0..<pick([0, 0, 1, 1, 2])).map { _ in number(2...3) }
    for _ in 0..<number(0...2) { policy.lets.append(condition(depth: 2)) }
    policy.machines = stateCounts.indices.map { machine($0) }
    for place in policy.budgets.indices {
      for step in policy.budgets[place].steps.indices {
        policy.budgets[place].steps[step].directives = (0..<number(1...2)).map { _ in
          directive(isEdge: false, maySpend: false)
        }
      }
    }
    let rules = (0..<number(2...4)).map { rule("rule\($0)") }
    var items = rules.map(PlanPolicy.Item.rule)
    items += policy.machines.indices.map(PlanPolicy.Item.machine)
    items += policy.budgets.indices.map(PlanPolicy.Item.budget)
    policy.items = items.shuffled(using: &generator)
    policy.requirements = (0..<number(0...1)).map { _ in condition(depth: 2) }
    return policy
  }

  // MARK: Declarations

  private mutating func window() -> PlanPolicy.Window {
    let from = (firstMinute + number(-2...(minutes + 1)) + 1440) % 1440
    let length = number(1...max(minutes, 2))
    let days = once(in: 2) ? [] : (0..<7).filter { _ in !once(in: 3) }
    return PlanPolicy.Window(days: days, from: from, to: (from + length) % 1440)
  }

  private mutating func defaults(_ device: PlanWorld.Device) -> PlanPolicy.Defaults {
    var defaults = PlanPolicy.Defaults(device: device)
    if device == .fast, once(in: 2) { defaults.accuracy = pick([20, 50, 100]) }
    if device == .fast, once(in: 2) { defaults.maxAge = number(2...6) }
    if once(in: 2) { defaults.period = number(1...3) }
    if once(in: 2) { defaults.linger = number(1...3) }
    if once(in: 3) { defaults.isInBackground = once(in: 2) }
    if once(in: 3) || defaults == PlanPolicy.Defaults(device: device) { defaults.mayPause = !once(in: 3) }
    return defaults
  }

  private mutating func budget() -> PlanPolicy.Budget {
    let period = pick(["hour", "day", "week"])
    let minute = firstMinute + number(0...(minutes + 1))
    let percents = [10, 25, 50, 80, 100, 120].filter { _ in once(in: 3) }
    return PlanPolicy.Budget(
      units: number(4...20), period: period, from: period == "hour" ? minute % 60 : minute % 1440,
      devices: pick([[.fast], [.slow], [.fast, .slow]]),
      steps: (percents.isEmpty ? [50] : percents).map { PlanPolicy.Step(percent: $0, directives: []) })
  }

  private mutating func machine(_ place: Int) -> [PlanPolicy.State] {
    let count = stateCounts[place]
    return (0..<count).map { state in
      var directives: [PlanPolicy.Directive] = []
      if once(in: 2) {
        directives.append(directive(isEdge: false))
        names.append("\(policy.name)/mode\(place)-s\(state)")
      }
      let rules = once(in: 3) ? [rule("rule\(place)of\(state)")] : []
      let transitions = (0..<number(1...2)).map { _ in
        let others = (0..<count).filter { $0 != state }
        return PlanPolicy.Transition(target: pick(others), condition: condition(depth: 2))
      }
      return PlanPolicy.State(directives: directives, rules: rules, transitions: transitions)
    }
  }
}
