import StintModel
public import StintUnits

/// Runs an image: facts go in one at a time, changed directives come out.
///
/// A value without clock or I/O. Only rules that depend on what changed are looked at, and nothing polls:
/// between facts nothing happens before `nextTimer`. Instants never go back. A late `settle` gives the same
/// directives as a `settle` at each `nextTimer`: timers in between run at their own instants, before anything
/// newer. It returns only the remaining changes, and each rule's acts at most once.
public struct RuleVM: Sendable {
  public let image: Image
  let plan: RuleVMPlan
  var timeZone: TimeZoneRules
  public internal(set) var now: Instant

  var facts: ContiguousArray<FactState>
  var isDemanded: ContiguousArray<Bool>
  /// Devices whose demands changed since the last `settle`.
  var turned: BitSet

  /// Rules that the index answers for; all others have a state each.
  var indexedRules: IndexedRuleState
  var slots: ContiguousArray<SlotState>
  var schedules: ContiguousArray<ScheduleState>
  var rules: ContiguousArray<RuleState>
  var runs: ContiguousArray<RunState>
  /// Rules to evaluate; rules that may have a change to announce; rules that acted.
  var dirty: BitSet
  var changed: BitSet
  var fired: BitSet
  /// Edge rules of other numbers since a reload, until looked at: what is true of them then is no edge.
  var unmoved: BitSet
  var stack: ContiguousArray<Double>
  /// When the rule whose code runs must be looked at although no fact changed.
  var wake = Instant.distantFuture
  /// When facts grow too old; when rules must be looked at, and when periods and runs are over.
  var ages: TimerTree
  var timers: TimerTree

  /// Makes a machine in which every fact is unknown; the first `settle` looks at every rule.
  public init(image program: VerifiedImage, timeZone: TimeZoneRules, at instant: Instant) {
    self.init(RuleVMPlan(program), timeZone: timeZone, at: instant)
  }

  /// The same for an image of which a plan was made before.
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
    stack = ContiguousArray(repeating: 0, count: PolicyLimits.deepestStack + 1)
    ages = TimerTree(count: image.facts.count)
    timers = TimerTree(count: plan.timers.rules.count)
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
    setTimer(plan.timers.period[rule], to: instant)
  }

  /// Sets a timer; what has none never needs it.
  @inline(__always)
  mutating func setTimer(_ timer: Int32, to instant: Instant) {
    if timer >= 0 { timers.set(Int(timer), to: instant.nanoseconds) }
  }
}
