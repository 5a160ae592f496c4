public import StintGovernor
public import StintJournal
public import StintLanguage
import StintModel
public import StintUnits

/// Reads a journal back and takes a governor through it again, up to any instant.
///
/// Every decision on the way is compared with the one in the journal: the same inputs must give the same
/// bytes.
public struct JournalReplay {
  /// Where a replay stands.
  public struct Moment: Sendable {
    public var governor: Governor
    public var policies: [CheckedPolicy]
    /// The number of decisions that were repeated with the same result, and the SHA-256 of their lines.
    public var decisions: Int
    public var digest: String
    /// How many records were read.
    public var records: Int
    /// How often policies came into force.
    public var loads: Int
    /// How often the policies compile to another image now than they did.
    public var otherImages: Int
    /// The instant of the journal's first and last record read.
    public var began: Instant
    public var reached: Instant
    /// True when the journal is torn: it ends where its writer was interrupted.
    public var isTorn: Bool
    /// Why nothing behind `reached` could be read; nil when the journal was read to its end.
    public var damage: Problem?
    /// Records that are missing, in order.
    public var gaps: [JournalGap] = []
    /// Whether the journal's first files have been removed.
    public var beginsInTheMiddle = false
    /// Decisions that stand behind something missing: nothing can be said of them.
    public var unconfirmed = 0
    var program: Program?
  }

  private var events: JournalEventReader
  private var log = DecisionLog()
  /// Decisions taken that the journal has yet to confirm, the next of them last.
  private var expected: [String] = []
  /// Whether what comes next was written for readers who have not read what came before.
  private var isRepeating = false
  /// Whether all that came before was there, so that every decision must come out as it stands.
  private var isExact = true
  /// What the policies that follow begin with.
  private var memory: GovernorMemory?

  private init(path: String) throws(Problem) { events = try JournalEventReader(path: path) }

  /// The journal's world, without replaying anything.
  public static func world(of path: String) throws(Problem) -> (world: JournalWorld, start: Instant) {
    var replay = try JournalReplay(path: path)
    return (try replay.events.world(), replay.events.instant)
  }

  /// Replays the journal up to and including an instant; to its end when nil.
  ///
  /// Throws when the file is no journal of this version, is corrupt, or does not decide as it did.
  public static func moment(of path: String, at instant: Instant?) throws(Problem) -> Moment {
    var replay = try JournalReplay(path: path)
    return try replay.run(until: instant)
  }

  private mutating func run(until limit: Instant?) throws(Problem) -> Moment {
    let world = try events.world()
    let start = events.instant
    let vocabulary = try events.vocabulary(of: world)
    var moment = Moment(
      governor: Governor(vocabulary: vocabulary, timeZone: world.timeZone, at: start), policies: [],
      decisions: 0, digest: "", records: 0, loads: 0, otherImages: 0, began: start, reached: start,
      isTorn: false)
    isExact = !events.beginsInTheMiddle
    moment.beginsInTheMiddle = events.beginsInTheMiddle
    while let event = try events.nextWhole() {
      if let limit, events.instant > limit { break }
      moment.reached = events.instant
      try apply(event, &moment)
    }
    moment.isTorn = events.isTorn
    moment.damage = events.damage
    let isKnown = !moment.isTorn && moment.damage == nil
    if let limit, limit > moment.governor.now, limit <= moment.reached || isKnown {
      // Nothing happened between the last record and the instant asked about; only time passed.
      _ = moment.governor.step([], at: limit)
    }
    moment.decisions = log.count
    moment.digest = log.digest
    moment.records = events.records
    return moment
  }

  private mutating func apply(_ event: JournalEvent, _ moment: inout Moment) throws(Problem) {
    switch event {
    case .inputs(let inputs):
      isRepeating = false
      try confirmAll()
      let effects = moment.governor.step(inputs, at: events.instant)
      if !effects.isEmpty { expect(effects, of: &moment.governor) }
    case .policies(let sources):
      if isRepeating { return }
      try confirmAll()
      try load(sources, &moment)
    case .image(let digest):
      if let program = moment.program, ImageFingerprint.digest(of: program) != digest {
        moment.otherImages += 1
      }
    case .decision(let line):
      isRepeating = false
      guard isExact else {
        moment.unconfirmed += 1
        return
      }
      guard let next = expected.popLast(), next == line else {
        throw events.failure(
          "replaying it decides otherwise than “\(line)”", "it was written by another version", .mismatch)
      }
      log.append(line)
    case .gap(let gap):
      moment.gaps.append(gap)
      isExact = false
      expected.removeAll()
    case .fileBegins: isRepeating = true
    case .snapshot(let inputs):
      isRepeating = false
      if !isExact { _ = moment.governor.step(moment.governor.inputsMissing(in: inputs), at: events.instant) }
    case .memory(let memory): self.memory = memory
    case .end: try confirmAll()
    case .world, .other: return
    }
  }

  private mutating func load(_ sources: [SourceText], _ moment: inout Moment) throws(Problem) {
    let loaded = PolicyLoader(vocabulary: moment.governor.vocabulary).load(sources)
    guard let program = loaded.program else {
      throw events.failure("its policies do not load any more", "it was written by another version")
    }
    moment.policies = loaded.policies
    moment.program = program
    moment.loads += 1
    let effects: [Effect]
    do throws(Problem) {
      if let memory = memory.take() {
        effects = try moment.governor.load(program, at: events.instant, recalling: memory).effects
      } else {
        effects = try moment.governor.load(program, at: events.instant).effects
      }
    } catch {
      throw events.failure(
        "its policies cannot be put in force: \(error.cause)", "it was written by another version")
    }
    expect(effects, of: &moment.governor)
  }

  private mutating func expect(_ effects: [Effect], of governor: inout Governor) {
    guard isExact else { return }
    for effect in effects.reversed() {
      if let line = governor.decisionText(of: effect) { expected.append(line) }
    }
  }

  /// All that was decided must stand in the journal before it goes on.
  private func confirmAll() throws(Problem) {
    guard let line = expected.last else { return }
    throw events.failure(
      "replaying it decides “\(line)”, and the journal does not", "it was written by another version",
      .mismatch)
  }
}

extension Governor {
  /// Of what stood when a journal went on: what this governor does not know, and the end of what stands no more.
  func inputsMissing(in status: [Input]) -> [Input] {
    let mine = snapshotInputs
    var inputs: [Input] = []
    for case .raise(let demand) in mine where !status.contains(.raise(demand)) {
      inputs.append(.release(demand.id))
    }
    return inputs + status.filter { !mine.contains($0) }
  }
}
