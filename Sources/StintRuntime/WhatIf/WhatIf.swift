import StintFormats
public import StintGovernor
public import StintJournal
import StintLanguage
public import StintModel
public import StintUnits

/// A journal taken through once more beside a candidate policy: what would have been decided otherwise.
///
/// Clients, facts and devices are those of the journal. Where the candidate gives a device another setting
/// than the journal has, the journal has no answer. Then the device answers as its manifest and its habits in
/// the journal suggest, and the result says for how long facts are missing.
public struct WhatIf: Sendable {
  /// What came of it.
  public struct Result: Sendable {
    public var began: Instant
    public var reached: Instant
    public var isTorn: Bool
    /// Why nothing behind `reached` could be read; nil when the journal was read to its end.
    public var damage: Problem?
    /// Records that are missing, in order; behind them both policies begin with what stood there.
    public var gaps: [JournalGap]
    /// Whether the journal's first files have been removed.
    public var beginsInTheMiddle: Bool
    public var timeZone: TimeZoneRules
    /// In order of time, then of subject.
    public var divergences: [DecisionDivergence]
    /// In order of time, then of device.
    public var unknown: [UnknownInterval]
    /// What was booked under the journal's policies, and what the candidate would have been.
    public var oldLedger: Ledger
    public var newLedger: Ledger
    public var oldDecisions: Int
    public var newDecisions: Int
  }

  private let path: String
  private let start: Instant
  private let timeZone: TimeZoneRules
  private let program: Program
  private var habits: [DeviceBehavior]
  private let vocabulary: Vocabulary

  /// Reads the journal once, to know the devices and their habits; nothing is decided yet. `compile` makes the
  /// candidate for the journal's devices.
  public init(
    journal path: String, compile: (Vocabulary) throws -> Program
  ) throws {
    self.path = path
    var events = try JournalEventReader(path: path)
    let world = try events.world()
    start = events.instant
    timeZone = world.timeZone
    vocabulary = try events.vocabulary(of: world)
    program = try compile(vocabulary)
    habits = vocabulary.manifests.map { DeviceBehavior($0) }
    while let event = try events.nextWhole() {
      guard case .inputs(let inputs) = event else { continue }
      for case .outcome(let device, let outcome) in inputs where habits.indices.contains(device) {
        habits[device].learn(outcome, at: events.instant)
      }
    }
  }

  /// Takes the journal through.
  public func run() throws(Problem) -> Result {
    var events = try JournalEventReader(path: path)
    _ = try events.world()
    var pair = WhatIfPair(
      vocabulary: vocabulary, timeZone: timeZone, program: program, habits: habits, at: start)
    var gaps: [JournalGap] = []
    var memory: GovernorMemory?
    var isRepeating = false
    var isExact = !events.beginsInTheMiddle
    let beginsInTheMiddle = events.beginsInTheMiddle
    while let event = try events.nextWhole() {
      switch event {
      case .inputs(let inputs):
        isRepeating = false
        pair.step(inputs, at: events.instant)
      case .policies(let sources):
        if isRepeating { continue }
        let loaded = PolicyLoader(vocabulary: pair.old.vocabulary).load(sources)
        guard let recorded = loaded.program else {
          throw events.failure("its policies do not load any more", "it was written by another version")
        }
        do throws(Problem) {
          try pair.load(recorded, recalling: memory.take(), at: events.instant)
        } catch {
          throw events.failure("policies cannot be put in force: \(error.cause)", error.remedy)
        }
      case .memory(let remembered): memory = remembered
      case .gap(let gap):
        gaps.append(gap)
        isExact = false
      case .fileBegins: isRepeating = true
      case .snapshot(let inputs):
        isRepeating = false
        if !isExact { pair.step(pair.old.inputsMissing(in: inputs), at: events.instant) }
      case .decision, .image, .world, .end, .other: continue
      }
    }
    let reached = events.instant
    pair.finish(at: reached)
    return Result(
      began: start, reached: reached, isTorn: events.isTorn, damage: events.damage, gaps: gaps,
      beginsInTheMiddle: beginsInTheMiddle, timeZone: pair.old.timeZone,
      divergences: pair.divergences.found, unknown: pair.unknown.stretches,
      oldLedger: pair.old.ledger(at: reached),
      newLedger: pair.new.ledger(at: reached), oldDecisions: pair.oldDecisions,
      newDecisions: pair.newDecisions)
  }
}
