import StintDaemon
import StintFormats
import StintGovernor
import StintJournal
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTools
import StintUnits

/// Measures the time for which a daemon can run no step while it applies an edit.
///
/// The edit is prepared, journalled, saved in the state file and reported as in `stint run`; only the socket
/// and the signals are missing. The measured time is the duration of `PolicyStore.applyPrepared` on the
/// host.
enum DaemonReload {
  /// Applies `edits` edits to policies with `rules` rules, after two edits that are not counted. The time of
  /// an edit is the elapsed time of its longest call of `applyPrepared`. Returns the median, the shortest and
  /// the longest of these times.
  static func measure(rules: Int, edits: Int = 25) throws -> Timing {
    guard let folder = ChildProcess.temporaryFolder() else {
      throw Problem(.file, place: "bench reload", cause: "cannot make a temporary folder")
    }
    defer { ChildProcess.remove(["state", "journal"], folder: folder) }
    let loop = try LoopExecutor()
    let setup = try Setup(rules: rules, folder: folder, loop: loop)
    let spans = try Spawner.run(on: loop) { try await setup.run(edits: edits) }.get().sorted()
    return Timing(
      median: spans[spans.count / 2], fastest: spans.first ?? 0, slowest: spans.last ?? 0)
  }

  /// The parts of a daemon: a host with the simulated phone, a policy store, a journal and a state file.
  private final class Setup: Sendable {
    private let host: Host
    private let policies: PolicyStore
    private let ready: Monitor<Int>
    private let start: Instant
    private let rules: Int

    init(rules: Int, folder: String, loop: LoopExecutor) throws {
      self.rules = rules
      let stage = try SimulationStage(scenario: "day-hike", trace: nil, timeZone: nil, seed: 1)
      let ready = Monitor(0)
      self.ready = ready
      start = stage.scenario.start
      let files = FileWorker(on: loop, log: .none)
      policies = PolicyStore(
        setup: stage.setup(meter: EnergyMeter(), seed: 1),
        wallClock: WallClock(
          stage.scenario.timeZone,
          clock: RunClock(start: stage.scenario.start, anchor: MonotonicInstant(nanoseconds: 0)),
          reading: nil),
        loaded: try stage.load(Self.sources(rules, version: 1)), kept: nil,
        in: DurableFile(
          at: folder + "/state", of: "the state", disk: DiskFullSwitch(), on: loop, files: files,
          log: .none
        ),
        on: loop, files: files, watched: folder,
        notify: { ready.changeForAll { $0 += 1 } }, load: { try stage.load($0) }, log: .none)
      host = Host(
        governor: Governor(vocabulary: stage.vocabulary, timeZone: stage.scenario.timeZone, at: start),
        plugins: try stage.plugins(meter: EnergyMeter(), seed: 1),
        source: ScriptSource(stage.scenario.script, vocabulary: stage.vocabulary),
        journal: JournalRecorder(
          writer: try JournalWriter(creating: folder + "/journal"), world: stage.journalWorld,
          at: start, durability: .each(.seconds(10))))
    }

    /// Returns files with `rules` rules in total, with distinct conditions. `version` changes the first rule
    /// of each file.
    private static func sources(_ rules: Int, version: Int) -> [SourceText] {
      let perFile = 250
      return stride(from: 0, to: rules, by: perFile).map { first in
        var text = "policy \"bench\(first)\" version \(version)\nuse location.gnss as gps required\n"
        for rule in first..<min(first + perFile, rules) {
          let limit = Double(rule) / 10 + (rule == first ? Double(version % 2) / 100 : 0)
          let word = ["walking", "running", "cycling", "automotive"][rule % 4]
          text += "rule r\(rule) while battery.level < \(limit) % and motion.activity is \(word) "
          text += "{ downgrade gps to 1 per \(rule % 9 + 2) s }\n"
        }
        return SourceText(file: "bench\(first).stint", text: text)
      }
    }

    func run(edits: Int) async throws -> [Double] {
      await host.open()
      await policies.begin(host, recalling: nil, at: start)
      var spans: [Double] = []
      var seen = ready.wait { $0 }
      for number in 0..<(edits + 2) {
        let now = start + .minutes(Int64(number + 1))
        await host.run(until: now)
        let answers = Monitor(0)
        let rules = rules
        let edit = PolicyEdit(kind: .files { Self.sources(rules, version: number + 2) }) { outcome in
          answers.changeForAll { $0 += outcome?.isDone == true ? 1 : -1 }
        }
        await policies.submit(edit, host)
        var longest = 0.0
        while answers.wait(for: { $0 }) == 0 {
          seen = await Spawner.runOnThread { [ready, seen] in ready.wait { $0 > seen ? $0 : nil } }
          let began = SystemClock.monotonic()
          await policies.applyPrepared(host, at: now)
          longest = max(longest, Double((SystemClock.monotonic() - began).nanoseconds))
        }
        guard answers.wait(for: { $0 }) == 1 else {
          throw Problem(.content, place: "bench reload", cause: "an edit was rejected")
        }
        if number >= 2 { spans.append(longest) }
      }
      await policies.beginEnd(host, at: await host.now)
      await policies.finish(by: EndDeadline())
      await host.close(at: await host.now)
      return spans
    }
  }
}
