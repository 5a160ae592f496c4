import StintFormats
public import StintGovernor
public import StintJournal
import StintLanguage
public import StintModel
import StintRuntime
public import StintUnits

/// A replay of a journal with a candidate policy. It compares the decisions with those of the
/// recorded policies.
///
/// Clients, facts and devices come from the journal. When the candidate gives a device a setting that differs
/// from the recorded setting, the journal does not contain the reports of the device under that setting. The
/// device is then simulated from its manifest and its recorded behaviour, and the result contains the
/// intervals with missing facts.
public struct WhatIf: Sendable {
  /// The result of the comparison.
  public struct Result: Sendable {
    /// The instant of the first record.
    public var began: Instant
    /// The instant of the last record that was read.
    public var reached: Instant
    /// True when the journal ends within a record.
    public var isTorn: Bool
    /// The reason why records after `reached` cannot be read; nil when there is no damage.
    public var damage: Problem?
    /// The gaps in the journal, in order. After a gap, both policies continue from the recorded snapshot.
    public var gaps: [JournalGap]
    /// True when the first files of the journal have been removed.
    public var beginsInTheMiddle: Bool
    /// The rules of local time at the end.
    public var timeZone: TimeZoneRules
    /// The decisions that differ, in order of time, then of subject.
    public var divergences: [DecisionDivergence]
    /// The intervals with missing facts, in order of time, then of device.
    public var unknown: [UnknownInterval]
    /// The energy ledger under the journal's policies.
    public var oldLedger: Ledger
    /// The energy ledger under the candidate policy.
    public var newLedger: Ledger
    /// The number of decisions under the journal's policies.
    public var oldDecisions: Int
    /// The number of decisions under the candidate policy.
    public var newDecisions: Int
  }

  private let path: String
  private let start: Instant
  private let timeZone: TimeZoneRules
  private let program: Program
  private var behaviors: [DeviceBehavior]
  private let vocabulary: Vocabulary
  private let numbers: JournalIndexMap

  /// Reads the journal once to determine its devices and their behaviour.
  ///
  /// - Parameters:
  ///   - more: devices and facts that the candidate may use besides those of the journal. The journal has no
  ///     values of these additional facts. When a name is in `more` and in the journal, the device or fact of
  ///     the journal is used.
  ///   - compile: compiles the candidate policy for the devices of the journal and of `more`.
  public init(
    journal path: String, adding more: Vocabulary? = nil, compile: (Vocabulary) throws -> Program
  ) throws {
    self.path = path
    var events = try JournalEventReader(path: path)
    let world = try events.world()
    start = events.instant
    timeZone = world.timeZone
    let recorded = try events.vocabulary(of: world)
    vocabulary = more.map { recorded.extended(by: $0) } ?? recorded
    numbers = JournalIndexMap(of: recorded, in: vocabulary)
    program = try compile(vocabulary)
    behaviors = vocabulary.manifests.map { DeviceBehavior($0) }
    while let event = try events.nextWhole() {
      guard case .inputs(let inputs) = event else { continue }
      for case .outcome(let number, let outcome) in inputs {
        guard let device = numbers.device(number) else { continue }
        behaviors[device].learn(outcome, at: events.instant)
      }
    }
  }

  /// Replays the journal with both policies.
  public func run() throws(Problem) -> Result {
    var events = try JournalEventReader(path: path)
    _ = try events.world()
    var pair = WhatIfPair(
      vocabulary: vocabulary, timeZone: timeZone, program: program, behaviors: behaviors, at: start)
    var gaps: [JournalGap] = []
    var memory: GovernorMemory?
    // True while the records only repeat earlier records, for readers that start at the current file.
    var isRepeating = false
    // True while no record was missing.
    var isExact = !events.beginsInTheMiddle
    let beginsInTheMiddle = events.beginsInTheMiddle
    while let event = try events.nextWhole() {
      switch event {
      case .inputs(let inputs):
        isRepeating = false
        pair.step(inputs.map(numbers.translated), at: events.instant)
      case .policies(let sources):
        if isRepeating { continue }
        let loaded = PolicyLoader(vocabulary: pair.old.vocabulary).load(sources)
        guard let recorded = loaded.program else {
          throw events.failure(
            "its policies can no longer be loaded", "use the version of stint that wrote the journal")
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
        guard !isExact else { continue }
        pair.step(pair.old.inputsMissing(in: inputs.map(numbers.translated)), at: events.instant)
      case .decision, .image, .world, .end, .other: continue
      }
    }
    let reached = events.instant
    pair.finish(at: reached)
    return Result(
      began: start, reached: reached, isTorn: events.isTorn, damage: events.damage, gaps: gaps,
      beginsInTheMiddle: beginsInTheMiddle, timeZone: pair.old.timeZone,
      divergences: pair.divergences.found, unknown: pair.unknown.intervals,
      oldLedger: pair.old.ledger(at: reached),
      newLedger: pair.new.ledger(at: reached), oldDecisions: pair.oldDecisions,
      newDecisions: pair.newDecisions)
  }
}
