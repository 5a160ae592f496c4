import StintModel
public import StintUnits

/// A virtual machine that evaluates the rules of an image. The caller sets facts and reads the changes of
/// directives.
///
/// The VM is a value without clock and I/O. It evaluates only the rules that depend on a change, and it does
/// not poll: without new facts nothing happens before `nextTimer`. Instants must not decrease. A late call of
/// `propagate` results in the same directives as calls at each `nextTimer`. The reason is that the timers in
/// between run at their own instants, before newer input. A late call reports only the net changes, and the
/// one-time actions of each rule at most once.
public struct RuleVM: Sendable {
  /// The verified image.
  public let image: Image
  let plan: RuleVMPlan
  var timeZone: TimeZoneRules
  /// The instant of the last input or evaluation.
  public internal(set) var now: Instant

  var facts: ContiguousArray<FactState>
  var isDemanded: ContiguousArray<Bool>
  /// The devices whose demand changed since the last evaluation.
  var turned: BitSet

  /// The state of the indexed rules. The other rules are evaluated by their code.
  var indexedRules: IndexedRuleState
  var slots: ContiguousArray<SlotState>
  var schedules: ContiguousArray<ScheduleState>
  var rules: ContiguousArray<RuleState>
  var runs: ContiguousArray<RunState>
  /// The rules to evaluate, the rules that may have a change to report, and the rules that acted.
  var dirty: BitSet
  var changed: BitSet
  var fired: BitSet
  /// The `when` rules whose numbers changed in a reload and that have not been evaluated since then. At their
  /// next evaluation, these rules do not act.
  var unmoved: BitSet
  var stack: ContiguousArray<Double>
  /// The instant at which the rule under evaluation must be evaluated again even if no fact changes.
  var wake = Instant.distantFuture
  /// `ages` has the expiry of each fact. `timers` has the next evaluation of rules and the ends of periods
  /// and runs.
  var ages: TimerTree
  var timers: TimerTree
  /// The ends of the periods of rules that may act late. These instants cause no evaluation. From the end of
  /// its period on, such a rule acts at the next evaluation that happens for another reason.
  var opportunities: TimerTree

  /// Creates a VM in which every fact is unknown. The first `propagate` evaluates every rule.
  public init(image program: VerifiedImage, timeZone: TimeZoneRules, at instant: Instant) {
    self.init(RuleVMPlan(program), timeZone: timeZone, at: instant)
  }

  /// Creates a VM from a plan that was prepared before.
  public init(_ plan: RuleVMPlan, timeZone: TimeZoneRules, at instant: Instant) {
    let image = plan.image
    self.image = image
    self.plan = plan
    self.timeZone = timeZone
    now = instant
    facts = ContiguousArray(repeating: FactState(), count: image.facts.count)
    isDemanded = ContiguousArray(repeating: false, count: image.devices.count)
    turned = BitSet(count: image.devices.count)
    indexedRules = IndexedRuleState(plan.index)
    slots = ContiguousArray(
      image.slots.map { slot in
        guard case .window(_, _, _, let capacity) = slot.kind else { return SlotState() }
        return SlotState(window: SampleWindow(capacity: capacity))
      })
    schedules = ContiguousArray(repeating: ScheduleState(), count: image.schedules.count)
    rules = ContiguousArray(repeating: RuleState(), count: image.rules.count)
    runs = ContiguousArray(repeating: RunState(), count: image.directives.count)
    dirty = BitSet(count: image.rules.count)
    changed = dirty
    fired = dirty
    unmoved = dirty
    stack = ContiguousArray(repeating: 0, count: PolicyLimits.maxStackDepth + 1)
    ages = TimerTree(count: image.facts.count)
    timers = TimerTree(count: plan.timers.rules.count)
    opportunities = TimerTree(count: plan.timers.flexibleRules.count)
    for device in image.devices.indices { move(source: image.facts.count + device, to: 0) }
    for rule in plan.unindexedRules {
      dirty.insert(Int(rule))
      let terms = plan.ruleTerms[Int(rule)]
      guard terms.trigger == .period else { continue }
      setPeriod(Int(rule), to: instant + TimeSpan(nanoseconds: terms.span))
    }
  }

  // MARK: Timers

  mutating func setPeriod(_ rule: Int, to instant: Instant) {
    rules[rule].nextPeriod = instant
    setTimer(plan.timers.period[rule], to: instant + TimeSpan(nanoseconds: plan.ruleTerms[rule].flex))
    let opportunity = plan.timers.opportunity[rule]
    if opportunity >= 0 { opportunities.set(Int(opportunity), to: instant.nanoseconds) }
  }

  /// Sets a timer. An index of -1 means that the rule or directive has no timer because it never waits.
  @inline(__always)
  mutating func setTimer(_ timer: Int32, to instant: Instant) {
    if timer >= 0 { timers.set(Int(timer), to: instant.nanoseconds) }
  }
}
