import StintFormats
import StintGovernor
import StintLanguage
import StintModel
import StintSimulation
import StintUnits
import Testing

@testable import StintJournal
@testable import StintReplay
@testable import StintRuntime

@Suite("Recorder of a host's journal")
struct JournalRecorderTests {
  /// A disk with a limited and adjustable capacity.
  private final class Disk: JournalStorage {
    let path = "disk.journal"
    private let state = Locked((bytes: [UInt8](), room: Int.max))

    var bytes: [UInt8] { state.withLock { $0.bytes } }

    func setRoom(_ room: Int) { state.withLock { $0.room = room } }

    func append(_ more: UnsafeRawBufferPointer, at offset: Int64) throws(Problem) {
      let added = Array(more)
      let fits = state.withLock { state in
        guard state.bytes.count + added.count <= state.room else { return false }
        state.bytes += added
        return true
      }
      if !fits { throw Problem(.full, place: path, cause: "no room is left", remedy: "free some") }
    }

    func truncate(to length: Int64) throws(Problem) {
      state.withLock { state in state.bytes.removeSubrange(min(Int(length), state.bytes.count)...) }
    }

    func synchronize() throws(Problem) {}

    /// Blocks every synchronization while it is false; nil for a disk that synchronizes at once.
    let isOpen: Monitor<Bool>?
    let syncs = Monitor(0)

    init(isOpen: Monitor<Bool>? = nil) { self.isOpen = isOpen }

    func synchronization() -> (@Sendable () throws(Problem) -> Void)? {
      guard let isOpen else { return nil }
      return { [syncs] () throws(Problem) in
        syncs.changeForAll { $0 += 1 }
        _ = isOpen.wait { $0 ? true : nil }
        throw Problem(.refused, place: "disk.journal", cause: "the disk is worn", remedy: "check the disk")
      }
    }
  }

  private static let policy = """
    policy "walk" version 1
    use location.gnss as gps
    rule saver while battery.level below 20 % release 25 % { downgrade gps to 50 m }
    """

  private let manifests: [Manifest]
  private let texts: [String]
  private let program: Program

  init() throws {
    manifests = try ReferencePhone.manifests()
    texts = manifests.map { ReferencePhone.manifestText($0.device) }
    let source = SourceText(file: "walk.stint", text: Self.policy)
    program = try #require(PolicyLoader(vocabulary: Vocabulary(manifests: manifests)).load([source]).program)
  }

  @Test("a slow disk delays no step; one synchronization runs at a time, and its failure is reported")
  func slowSync() throws {
    let isOpen = Monitor(false)
    let disk = Disk(isOpen: isOpen)
    var recorder = JournalRecorder(
      writer: try JournalWriter(fresh: disk, droppedBytes: 0),
      world: JournalWorld(manifests: texts, scenario: "", seed: 1, timeZone: .utc),
      at: .epoch, durability: .each(.seconds(1)))
    #expect(try run(&recorder, minutes: 20) { _ in }.news == [])
    let before = disk.bytes.count
    #expect(disk.syncs.wait { $0 > 0 ? $0 : nil } == 1)
    isOpen.changeForAll { $0 = true }
    var news: [RunMessage] = []
    let governor = Governor(vocabulary: Vocabulary(manifests: manifests), at: .epoch)
    while news.isEmpty { news = recorder.settled(at: .epoch) { governor } }
    #expect(
      news == [
        .problem(
          "the journal cannot be written, and the run continues: disk.journal: the disk is worn; check the disk"
        )
      ])
    #expect(before > 10_000)
  }

  /// Runs a governor with a changing battery level, and records the run as a host does. The run lasts
  /// `minutes` minutes.
  private func run(_ recorder: inout JournalRecorder, minutes: Int, during: (Int) -> Void) throws
    -> (news: [String], rules: [RuleID])
  {
    var governor = Governor(vocabulary: Vocabulary(manifests: manifests), at: .epoch)
    let battery = try #require(governor.vocabulary.fact("battery.level"))
    var news: [String] = []
    let loaded = try governor.load(program, at: .epoch)
    recorder.record(
      PolicyRecord([JournalPolicy(file: "walk.stint", text: Self.policy)], program), at: .epoch)
    record(loaded.effects, &governor, &recorder)
    let demand = Demand(
      id: DemandID(1), client: "app", target: "location.gnss", wants: DemandSettings(accuracy: 10))
    for minute in 1...minutes {
      during(minute)
      let instant = Instant.epoch + .minutes(Int64(minute))
      // The fact is repeated, so that the journal grows without many steps.
      let fact = Input.fact(battery, .number(minute / 10 % 2 == 0 ? 0.5 : 0.1))
      var inputs = Array(repeating: fact, count: 25)
      if minute == 5 { inputs.append(.raise(demand)) }
      recorder.record(inputs, at: instant)
      let effects = governor.step(inputs, at: instant)
      record(effects, &governor, &recorder)
      news += recorder.settled(at: instant) { governor }.map(\.text)
    }
    recorder.finish(at: governor.now)
    return (news, governor.rulesInForce)
  }

  private func record(_ effects: [Effect], _ governor: inout Governor, _ recorder: inout JournalRecorder) {
    for effect in effects {
      if let line = governor.decisionText(of: effect) { recorder.record(decision: line, at: governor.now) }
    }
  }

  private func recorder(_ writer: sending JournalWriter, _ durability: JournalRecorder.Durability)
    -> JournalRecorder
  {
    let world = JournalWorld(manifests: texts, scenario: "", seed: 1, timeZone: .utc)
    return JournalRecorder(writer: writer, world: world, at: .epoch, durability: durability)
  }

  private func replay(_ bytes: [UInt8]) throws -> JournalReplay.Moment {
    let folder = TemporaryFolder()
    let path = folder.at("j")
    try FileText.write(bytes, to: path)
    return try JournalReplay.moment(of: path, at: nil)
  }

  @Test(
    "a disk that is full for a while is reported at once, causes a gap record and does not stop the run"
  )
  func fullDisk() throws {
    let disk = Disk()
    var recorder = recorder(try JournalWriter(fresh: disk, droppedBytes: 0), .each(.seconds(10)))
    let (news, rules) = try run(&recorder, minutes: 4000) { minute in
      if minute == 100 { disk.setRoom(disk.bytes.count) }
      if minute == 3600 { disk.setRoom(.max) }
    }
    #expect(news.count == 2)
    #expect(news.first?.contains("cannot be written, and the run continues") == true)
    #expect(news.last?.contains("the journal continues") == true)
    #expect(recorder.failure?.code == .missingPart)
    let moment = try replay(disk.bytes)
    #expect(moment.gaps.count == 1)
    #expect(moment.decisions > 10 && moment.unconfirmed > 10)
    #expect(moment.reached == Instant.epoch + .minutes(4000))
    // After the gap, the snapshot restores the state.
    #expect(moment.governor.status(of: "location.gnss")?.demands.map(\.demand.client) == ["app"])
    #expect(moment.governor.rulesInForce == rules)
  }

  @Test("a disk that is full for a short time loses no record")
  func shortOutage() throws {
    let disk = Disk()
    var recorder = recorder(try JournalWriter(fresh: disk, droppedBytes: 0), .each(.seconds(10)))
    let (news, _) = try run(&recorder, minutes: 400) { minute in
      if minute == 100 { disk.setRoom(disk.bytes.count) }
      if minute == 350 { disk.setRoom(.max) }
    }
    #expect(news.count == 1)
    #expect(recorder.failure == nil)
    let moment = try replay(disk.bytes)
    #expect(moment.gaps.isEmpty && moment.unconfirmed == 0 && moment.decisions > 40)
  }

  @Test(
    "the replay of a limited journal is complete while the first file exists, and later begins in the middle"
  )
  func rotation() throws {
    for (minutes, isWhole) in [(500, true), (4000, false)] {
      let folder = TemporaryFolder()
      let path = folder.at("j")
      let limit = JournalLimit(bytes: 1 << 20)
      var recorder = recorder(try JournalWriter(creating: path, limit: limit), .atEnd)
      #expect(try run(&recorder, minutes: minutes) { _ in }.news.isEmpty)
      #expect(recorder.failure == nil)
      #expect(JournalSegments.paths(of: path).count > 1)
      let moment = try JournalReplay.moment(of: path, at: nil)
      #expect(moment.beginsInTheMiddle == !isWhole)
      #expect((moment.unconfirmed == 0) == isWhole)
      #expect((moment.decisions > 40) == isWhole)
      #expect(moment.reached == Instant.epoch + .minutes(Int64(minutes)))
      #expect(moment.governor.status(of: "location.gnss")?.demands.count == 1)
    }
  }
}
