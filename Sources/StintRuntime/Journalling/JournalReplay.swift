import StintFormats
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
    /// How many decisions were taken again, all of them the same.
    public var decisions: Int
    /// The instant of the journal's first and last record read.
    public var began: Instant
    public var reached: Instant
    /// True when the journal is torn: it ends where its writer was interrupted.
    public var isTorn: Bool
  }

  private let path: String
  private var reader: JournalReader
  private var decisions = 0
  /// Decisions taken that the journal has yet to confirm.
  private var expected: [String] = []

  private init(path: String) throws(JournalError) {
    self.path = path
    reader = try JournalReader(path: path)
  }

  /// The journal's world, without replaying anything.
  public static func world(of path: String) throws(JournalError) -> (world: JournalWorld, start: Instant) {
    var replay = try JournalReplay(path: path)
    return try replay.readWorld()
  }

  /// Replays the journal up to and including an instant; to its end when nil.
  ///
  /// Throws when the file is no journal of this version, is corrupt, or does not decide as it did.
  public static func moment(of path: String, at instant: Instant?) throws(JournalError) -> Moment {
    var replay = try JournalReplay(path: path)
    return try replay.run(until: instant)
  }

  private mutating func readWorld() throws(JournalError) -> (world: JournalWorld, start: Instant) {
    guard let record = try reader.next(), record.kind == JournalRecorder.Kind.world.rawValue else {
      throw failure(
        "it does not begin with the world that it is about", "use a journal of stint sim or stint run")
    }
    var bytes = ByteReader(record.payload)
    do throws(CodingFault) {
      return (try JournalWorld(from: &bytes), record.instant)
    } catch {
      throw failure(
        "its world cannot be read: expected \(error.expected)", "it may come from another version")
    }
  }

  private mutating func run(until limit: Instant?) throws(JournalError) -> Moment {
    let (world, start) = try readWorld()
    let vocabulary = try vocabulary(of: world)
    var moment = Moment(
      governor: Governor(vocabulary: vocabulary, timeZone: world.timeZone, at: start), policies: [],
      decisions: 0, began: start, reached: start, isTorn: false)
    while let record = try reader.next() {
      if let limit, record.instant > limit { break }
      moment.reached = record.instant
      try take(record, &moment)
    }
    if case .torn = reader.ending { moment.isTorn = true }
    if let limit, limit > moment.governor.now, limit <= moment.reached || !moment.isTorn {
      // Nothing happened between the last record and the instant asked about; only time passed.
      _ = moment.governor.step([], at: limit)
    }
    moment.decisions = decisions
    return moment
  }

  private mutating func take(_ record: JournalRecord, _ moment: inout Moment) throws(JournalError) {
    switch JournalRecorder.Kind(rawValue: record.kind) {
    case .inputs:
      let inputs = try inputs(of: record)
      let effects = moment.governor.step(inputs, at: record.instant)
      expected += effects.compactMap { moment.governor.decisionText(of: $0) }
    case .policies:
      let loader = PolicyLoader(vocabulary: moment.governor.vocabulary)
      let loaded = loader.load(try policies(of: record))
      guard let program = loaded.program else {
        throw failure("its policies do not load any more", "it was written by another version")
      }
      moment.policies = loaded.policies
      let effects: [Effect]
      do throws(ReloadError) {
        effects = try moment.governor.load(program, at: record.instant).effects
      } catch {
        throw failure(
          "its policies cannot be put in force: \(error.cause)", "it was written by another version")
      }
      expected += effects.compactMap { moment.governor.decisionText(of: $0) }
    case .decision:
      let line = String(decoding: record.payload, as: UTF8.self)
      guard !expected.isEmpty, expected.removeFirst() == line else {
        throw failure("replaying it decides otherwise than “\(line)”", "it was written by another version")
      }
      decisions += 1
    case .world, .end, .reload, nil: return
    }
  }

  private func inputs(of record: JournalRecord) throws(JournalError) -> [Input] {
    var bytes = ByteReader(record.payload)
    do throws(CodingFault) {
      var inputs: [Input] = []
      for _ in 0..<(try bytes.count()) { inputs.append(try Input(from: &bytes)) }
      return inputs
    } catch {
      throw failure("an input cannot be read: expected \(error.expected)", "it may come from another version")
    }
  }

  private func policies(of record: JournalRecord) throws(JournalError) -> [SourceText] {
    var bytes = ByteReader(record.payload)
    do throws(CodingFault) {
      var sources: [SourceText] = []
      for _ in 0..<(try bytes.count()) {
        let file = try bytes.text()
        sources.append(SourceText(file: file, text: try bytes.text()))
      }
      return sources
    } catch {
      throw failure(
        "its policies cannot be read: expected \(error.expected)", "it may come from another version")
    }
  }

  private func vocabulary(of world: JournalWorld) throws(JournalError) -> Vocabulary {
    do throws(FormatErrors) {
      var manifests: [Manifest] = []
      for text in world.manifests {
        manifests.append(try ManifestReader.manifest(of: Array(text.utf8), source: "journal"))
      }
      guard !world.scenario.isEmpty else { return Vocabulary(manifests: manifests) }
      let scenario = try ScenarioReader.scenario(of: Array(world.scenario.utf8), source: "journal")
      return Vocabulary(manifests: manifests, declared: scenario.declares)
    } catch {
      throw failure(
        "its manifests or its scenario cannot be read: \(error)", "it may come from another version")
    }
  }

  private func failure(_ cause: String, _ step: String) -> JournalError {
    JournalError(.corrupt, source: path, offset: reader.offset, cause: cause, step: step)
  }
}
