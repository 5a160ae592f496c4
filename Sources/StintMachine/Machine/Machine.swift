import StintModel
public import StintUnits

/// Runs an image: facts go in one at a time, changed directives come out.
///
/// A value without clock or I/O. Only rules that depend on what changed are looked at, and nothing polls: between
/// facts nothing happens before `nextTimer`. Instants never go back. Whoever settles late gets the same directives
/// as whoever settles at each `nextTimer`: what was due in between happens at its own instant, before anything
/// newer; only what is left of it is told, and each rule's acts at most once.
public struct Machine: Sendable {
  public let image: Image
  let timeZone: TimeZoneRules
  public internal(set) var now: Instant

  /// By number in the vocabulary: the place among the image's facts, or -1.
  let places: ContiguousArray<Int32>
  /// What was published last; NaN is unknown.
  var values: ContiguousArray<Double>
  var instants: ContiguousArray<Instant>
  /// What is believed: NaN as well when it is too old.
  var believed: ContiguousArray<Double>
  /// How old each fact may grow; nil for ever, or when nobody reads its value.
  let maxAges: ContiguousArray<TimeSpan?>
  /// By fact: rules that read it, rules that must also be looked at when it is published unchanged, and windows.
  let readers: Adjacency
  let refreshed: Adjacency
  let windows: Adjacency
  var isDemanded: ContiguousArray<Bool>
  let demandReaders: Adjacency
  /// Devices whose demands changed since the last `settle`.
  var turned: MarkSet

  var slots: ContiguousArray<SlotState>
  var schedules: ContiguousArray<ScheduleState>
  let ruleTerms: ContiguousArray<RuleTerms>
  let directiveTerms: ContiguousArray<DirectiveTerms>
  var rules: ContiguousArray<RuleState>
  var runs: ContiguousArray<RunState>
  /// Rules to look at; rules of which something may have to be told; rules that acted.
  var dirty: MarkSet
  var changed: MarkSet
  var fired: MarkSet
  var stack: ContiguousArray<Double>
  /// When the rule whose code runs must be looked at although no fact changed.
  var wake = Instant.distantFuture
  /// When facts grow too old, from 0; then when rules must be looked at, when periods are over, and runs.
  var timers: TimerTree

  /// Makes a machine in which every fact is unknown; the first `settle` looks at every rule.
  public init(image program: VerifiedImage, timeZone: TimeZoneRules, at instant: Instant) {
    let image = program.image
    self.image = image
    self.timeZone = timeZone
    now = instant
    var places = ContiguousArray<Int32>(repeating: -1, count: (image.facts.map(\.number).max() ?? -1) + 1)
    for (place, fact) in image.facts.enumerated() { places[fact.number] = Int32(place) }
    self.places = places
    values = ContiguousArray(repeating: .nan, count: image.facts.count)
    believed = values
    instants = ContiguousArray(repeating: .epoch, count: image.facts.count)
    let dependencies = Dependencies(image)
    maxAges = ContiguousArray(zip(image.facts, dependencies.readers).map { $1.isEmpty ? nil : $0.maxAge })
    readers = Adjacency(dependencies.readers)
    refreshed = Adjacency(dependencies.refreshed)
    windows = Adjacency(dependencies.windows)
    demandReaders = Adjacency(dependencies.demandReaders)
    isDemanded = ContiguousArray(repeating: false, count: image.devices.count)
    turned = MarkSet(count: image.devices.count)
    slots = ContiguousArray(
      image.slots.map { slot in
        guard case .window(_, _, _, let capacity) = slot.kind else { return SlotState() }
        return SlotState(window: SampleWindow(capacity: capacity))
      })
    schedules = ContiguousArray(repeating: ScheduleState(), count: image.schedules.count)
    ruleTerms = ContiguousArray(image.rules.map { RuleTerms($0, in: image) })
    directiveTerms = ContiguousArray(image.directives.map { DirectiveTerms($0) })
    rules = ContiguousArray(repeating: RuleState(), count: image.rules.count)
    runs = ContiguousArray(repeating: RunState(), count: image.directives.count)
    dirty = MarkSet(count: image.rules.count)
    changed = dirty
    fired = dirty
    stack = ContiguousArray(repeating: 0, count: ImageVerifier.deepestStack + 1)
    timers = TimerTree(count: image.facts.count + 2 * image.rules.count + image.directives.count)
    for (rule, terms) in ruleTerms.enumerated() {
      dirty.insert(rule)
      guard terms.trigger == .period, !terms.isInert else { continue }
      setPeriod(rule, to: instant + TimeSpan(nanoseconds: terms.span))
    }
  }

  // MARK: Timers

  func lookTimer(_ rule: Int) -> Int { image.facts.count + rule }
  func periodTimer(_ rule: Int) -> Int { image.facts.count + ruleTerms.count + rule }
  func runTimer(_ directive: Int) -> Int { image.facts.count + 2 * ruleTerms.count + directive }

  mutating func setPeriod(_ rule: Int, to instant: Instant) {
    rules[rule].nextPeriod = instant
    timers.set(periodTimer(rule), to: instant.nanoseconds)
  }
}
