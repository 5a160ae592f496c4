public import StintGovernor
public import StintJournal
public import StintLanguage
import StintModel
public import StintRuntime
public import StintUnits

/// The replay of a journal with a governor, up to any instant.
///
/// The replay compares every decision with the journal: equal inputs must produce identical bytes.
public struct JournalReplay {
  /// The state and the results of a replay at an instant.
  public struct Moment: Sendable {
    /// The governor after the last replayed event.
    public var governor: Governor
    /// The policies in force.
    public var policies: [CheckedPolicy]
    /// The number of decisions that were equal to those in the journal.
    public var decisions: Int
    /// The SHA-256 of the lines of these decisions, in hexadecimal.
    public var digest: String
    /// The number of records that were read.
    public var records: Int
    /// The number of times that policies came into force.
    public var loads: Int
    /// The number of times that the policies compiled to an image other than the recorded image.
    public var otherImages: Int
    /// The instant of the first record.
    public var began: Instant
    /// The instant of the last record that was read.
    public var reached: Instant
    /// True when the journal ends within a record, because its writer was interrupted.
    public var isTorn: Bool
    /// The reason why records after `reached` cannot be read; nil when there is no damage.
    public var damage: Problem?
    /// The gaps in the journal, in order.
    public var gaps: [JournalGap] = []
    /// True when the first files of the journal have been removed.
    public var beginsInTheMiddle = false
    /// The number of decisions after missing records, which cannot be verified.
    public var unconfirmed = 0
    var program: Program?
  }

  private var events: JournalEventReader
  private var log = DecisionLog()
  /// Replayed decisions that are not yet compared with the journal, in reverse order.
  private var expected: [String] = []
  /// True while the records at the start of a file repeat state from earlier files. Only a reader that starts
  /// at this file needs these records.
  private var isRepeating = false
  /// True while no record was missing. Every decision must then be equal to the recorded decision.
  private var isExact = true
  /// The saved state with which the next policies start; nil when they start without saved state.
  private var memory: GovernorMemory?

  private init(path: String) throws(Problem) { events = try JournalEventReader(path: path) }

  /// Returns the world and the start of a journal without replaying it.
  public static func world(of path: String) throws(Problem) -> (world: JournalWorld, start: Instant) {
    var replay = try JournalReplay(path: path)
    return (try replay.events.world(), replay.events.instant)
  }

  /// Replays a journal up to and including an instant, or to its end when `instant` is nil.
  ///
  /// - Throws: `Problem` when the file is not a journal of a known version, or when its policies can no
  ///   longer be loaded. The function also throws when a decision differs from the recorded decision.
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
    let isComplete = !moment.isTorn && moment.damage == nil
    if let limit, limit > moment.governor.now, limit <= moment.reached || isComplete {
      // There are no events between the last record and `limit`, so a step without inputs is enough.
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
          "the replay does not make the decision “\(line)”",
          "use the version of stint that wrote the journal",
          .mismatch)
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
      throw events.failure(
        "its policies can no longer be loaded", "use the version of stint that wrote the journal")
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
        "its policies cannot be put in force: \(error.cause)",
        "use the version of stint that wrote the journal")
    }
    expect(effects, of: &moment.governor)
  }

  private mutating func expect(_ effects: [Effect], of governor: inout Governor) {
    guard isExact else { return }
    for effect in effects.reversed() {
      if let line = governor.decisionText(of: effect) { expected.append(line) }
    }
  }

  /// Throws when a replayed decision is missing in the journal.
  private func confirmAll() throws(Problem) {
    guard let line = expected.last else { return }
    throw events.failure(
      "the replay makes the decision “\(line)”, which the journal does not contain",
      "use the version of stint that wrote the journal", .mismatch)
  }
}

extension Governor {
  /// Returns the inputs that bring this governor to the state of a snapshot.
  ///
  /// These are the inputs of the snapshot that this governor does not have, and the release of each demand
  /// that the snapshot does not have.
  func inputsMissing(in snapshot: [Input]) -> [Input] {
    let mine = snapshotInputs
    var inputs: [Input] = []
    for case .raise(let demand) in mine where !snapshot.contains(.raise(demand)) {
      inputs.append(.release(demand.id))
    }
    return inputs + snapshot.filter { !mine.contains($0) }
  }
}
