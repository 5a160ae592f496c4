import StintFormats
import StintGovernor
import StintJournal
import StintLanguage
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// A reader of a host's journal, event by event. Its errors contain the byte offset in the file up to which
/// records were read.
struct JournalEventReader {
  private let path: String
  private var reader: JournalReader
  private var record = JournalRecord(kind: 0, instant: .epoch, payload: [])
  private(set) var records = 0
  /// The reason why later records cannot be read; nil when there is no damage.
  private(set) var damage: Problem?
  /// True when the first files of the journal have been removed.
  private(set) var beginsInTheMiddle = false

  init(path: String) throws(Problem) {
    self.path = path
    reader = try JournalReader(path: path)
  }

  /// The instant of the event read last.
  var instant: Instant { record.instant }

  /// True when the journal ends within a record.
  var isTorn: Bool { if case .torn = reader.ending { true } else { false } }

  /// Reads the `JournalWorld`: the devices, scenario and time zone of the run. This is the first record of a
  /// journal file. In a file that continues an earlier file, only the record `fileBegins` precedes it.
  mutating func world() throws(Problem) -> JournalWorld {
    while let event = try next() {
      switch event {
      case .world(let world): return world
      case .fileBegins:
        beginsInTheMiddle = true
        continue
      default: break
      }
      break
    }
    throw failure(
      "it does not begin with the devices, scenario and time zone of a run",
      "use a journal of stint sim or stint run")
  }

  /// Returns the next event; nil at the end of the journal and when a record is damaged. In the second case,
  /// `damage` has the reason.
  mutating func nextWhole() throws(Problem) -> JournalEvent? {
    do throws(Problem) {
      return try next()
    } catch {
      guard [.corrupt, .missingPart, .refused, .notFound].contains(error.code) else { throw error }
      damage = error
      return nil
    }
  }

  /// Returns the next event. Returns nil at the end.
  mutating func next() throws(Problem) -> JournalEvent? {
    guard try reader.next(into: &record) else { return nil }
    records += 1
    switch record.kind {
    case JournalGap.kind: return JournalGap(record).map { .gap($0) } ?? .other
    case JournalSegments.kind: return JournalSegments.number(in: record).map { .fileBegins($0) } ?? .other
    default: break
    }
    var bytes = ByteReader(record.payload)
    do throws(CodingFault) {
      switch JournalRecorder.Kind(rawValue: record.kind) {
      case .inputs: return .inputs(try Self.inputs(from: &bytes))
      case .decision: return .decision(String(decoding: record.payload, as: UTF8.self))
      case .policies: return .policies(try Self.policies(from: &bytes))
      case .world: return .world(try JournalWorld(from: &bytes))
      case .image: return .image(record.payload)
      case .snapshot: return .snapshot(try Self.inputs(from: &bytes))
      case .memory: return .memory(try GovernorMemory(from: &bytes))
      case .end: return .end
      case .reload, .author: return .other
      case nil: return .other
      }
    } catch {
      throw failure(
        "a record of kind \(record.kind) cannot be read: expected \(error.expected) at its byte "
          + "\(error.offset)",
        "it may come from another version")
    }
  }

  private static func inputs(from bytes: inout ByteReader) throws(CodingFault) -> [Input] {
    var inputs: [Input] = []
    let count = try bytes.count()
    inputs.reserveCapacity(count)
    for _ in 0..<count { inputs.append(try Input(from: &bytes)) }
    return inputs
  }

  private static func policies(from bytes: inout ByteReader) throws(CodingFault) -> [SourceText] {
    var sources: [SourceText] = []
    for _ in 0..<(try bytes.count()) {
      let file = try bytes.text()
      sources.append(SourceText(file: file, text: try bytes.text()))
    }
    return sources
  }

  /// Returns the devices and facts of a world.
  func vocabulary(of world: JournalWorld) throws(Problem) -> Vocabulary {
    do throws(Problem) {
      var manifests: [Manifest] = []
      for text in world.manifests {
        manifests.append(try ManifestReader.manifest(of: Array(text.utf8), source: "journal"))
      }
      guard !world.scenario.isEmpty else { return Vocabulary(manifests: manifests) }
      let scenario = try ScenarioReader.scenario(
        of: Array(world.scenario.utf8), source: "journal", requests: .all)
      return Vocabulary(manifests: manifests, declared: scenario.declares)
    } catch {
      throw failure(
        "its manifests or its scenario cannot be read: \(error)", "it may come from another version")
    }
  }

  /// Returns an error about the last record that was read.
  func failure(
    _ cause: String, _ remedy: String, _ code: Problem.Code = .corrupt
  ) -> Problem {
    Problem(code, place: Problem.Place(path, byte: reader.offset), cause: cause, remedy: remedy)
  }
}
