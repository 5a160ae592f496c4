import StintFormats
package import StintGovernor
import StintJournal
package import StintLanguage
import StintModel
package import StintRuntime
package import StintUnits

/// The policies of a daemon at work: what is in force, what was before, and where that is kept.
package final class LivePolicies: Sendable {
  struct State {
    var loaded: PolicyLoader.Loaded
    var generations: PolicyGenerations
    /// The policies as the watched folder had them last.
    var seen: [JournalPolicy]
    var reports: [JSONValue] = []
    var nextSave = MonotonicInstant(nanoseconds: 0)
    var hasFailed = false
    var isOver = false
    /// Edits that wait for their turn, oldest first.
    var edits: [LiveEdit] = []
    /// Whether an edit is being prepared, waits for the host, or is being reported.
    var isPreparing = false
    var ready: PreparedEdit?
    /// Edits that are in force and not answered yet, oldest first.
    var exchanged: [AppliedEdit] = []
    /// Makes the report of the edit that came into force last.
    var reporting: Promise<Bool>?
  }

  /// What came of putting policies in force.
  package struct Outcome: Sendable {
    /// Why a question was declined, where a program must know.
    package enum Problem: String, Sendable {
      case unknownName = "unknown_name"
    }

    package var isDone: Bool
    var text: String
    var problem: Problem?
    /// What `--json` prints; nil where there is only the text.
    var report: JSONValue?
  }

  let stage: SimulationStage
  let wallClock: WallClock
  private let path: String?
  private let disk: DiskWriter?
  /// How long the end waits for the disk.
  private static let patience = TimeSpan.seconds(10)
  /// Of the disk on which the state is kept.
  let room = DiskSpace()
  let log: @Sendable (String) -> Void
  let loop: LoopExecutor
  /// Has the host attend to what is ready; called from any thread.
  let notify: @Sendable () -> Void
  /// Checks and compiles policies, on a thread of its own.
  let load: @Sendable ([SourceText]) throws -> PolicyLoader.Loaded
  let state: Locked<State>

  package init(
    stage: SimulationStage, wallClock: WallClock, loaded: PolicyLoader.Loaded, kept: DaemonState?,
    at path: String?, on loop: LoopExecutor, notify: @escaping @Sendable () -> Void,
    load: (@Sendable ([SourceText]) throws -> PolicyLoader.Loaded)? = nil,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.stage = stage
    self.wallClock = wallClock
    self.path = path
    disk = path.map { [room] in DiskWriter(path: $0, room: room) }
    self.log = log
    self.loop = loop
    self.notify = notify
    self.load = load ?? { try stage.load($0) }
    state = Locked(
      State(
        loaded: loaded, generations: kept?.generations ?? PolicyGenerations(),
        seen: kept?.seen ?? loaded.journalPolicies))
  }

  /// Whether there is a state file.
  var isKept: Bool { disk != nil }
  /// What is in force.
  var loaded: PolicyLoader.Loaded { state.withLock { $0.loaded } }
  var generations: PolicyGenerations { state.withLock { $0.generations } }
  /// Reloads so far, as JSON.
  var reports: [JSONValue] { state.withLock { $0.reports } }

  /// Notes what the watched folder holds; true when it is something new.
  func see(_ sources: [JournalPolicy]) -> Bool {
    state.withLock { state in
      defer { state.seen = sources }
      return state.seen != sources
    }
  }

  // MARK: Switching

  /// Puts the first policies in force, with what the process before remembered.
  package func begin(_ host: isolated Host, recalling memory: GovernorMemory?, at instant: Instant) async {
    let loaded = loaded
    guard let program = loaded.program else { return }
    do throws(Problem) {
      try await host.load(program, policies: loaded.journalPolicies, at: instant, recalling: memory)
    } catch {
      // Nothing comes into force by halves; the devices go on without policies until an edit mends them.
      log("\(LocalMoment(instant, wallClock.rules)) the policies are not put in force: \(error)")
      return
    }
    enter(loaded, .file, at: instant)
    save(host.snapshot, isUrgent: true)
  }

  func enter(_ loaded: PolicyLoader.Loaded, _ origin: PolicyGeneration.Origin, at instant: Instant) {
    let generation = PolicyGeneration(policies: loaded.journalPolicies, origin: origin, since: instant)
    state.withLock { state in
      state.loaded = loaded
      state.generations.enter(generation)
    }
  }

  // MARK: Keeping

  /// Writes the state file for the last time: what is released now was no part of it.
  package func finish(_ governor: Governor) async {
    save(governor, isUrgent: true)
    state.withLock { $0.isOver = true }
    let isKept = await disk?.finish(on: loop, within: Self.patience)
    await reported()
    for edit in drainAnswers() { edit.answer() }
    if isKept == false, let path {
      log("the state is not kept: \(path): the disk did not answer for \(Self.patience)")
    }
  }

  /// Has the state file written: at once when it is urgent, else at most once a second.
  ///
  /// - Parameter kept: called when the state is on the disk or cannot be kept; at once where no state is kept.
  func save(_ governor: borrowing Governor, isUrgent: Bool, kept report: @escaping @Sendable () -> Void = {})
  {
    guard let disk else { return report() }
    let now = SystemClock.monotonic()
    let isDue = state.withLock { state in
      guard !state.isOver, isUrgent || state.nextSave <= now else { return false }
      state.nextSave = MonotonicInstant(nanoseconds: now.nanoseconds + 1_000_000_000)
      return true
    }
    guard isDue else { return report() }
    let (generations, seen) = state.withLock { ($0.generations, $0.seen) }
    let world = stage.journalWorld
    let clock = PersistedClock(
      ahead: governor.timeZone.ahead, boot: Boot.name, steady: wallClock.clock.reading(for: governor.now))
    // A copy costs the host little, what is kept of it much: that is worked out where it is written.
    let governor = copy governor
    let bytes: @Sendable () -> [UInt8] = {
      DaemonState(
        world: world, generations: generations, seen: seen, memory: governor.memory, clock: clock
      ).encoded
    }
    disk.submit(making: bytes) { [weak self] failure in
      self?.note(failure)
      report()
    }
  }

  private func note(_ failure: Problem?) {
    // Said once, until it works again: the policies go on.
    let isNews = state.withLock { state in
      defer { state.hasFailed = failure != nil }
      return failure != nil && !state.hasFailed
    }
    if isNews, let failure, let path { log("the state cannot be kept: \(path): \(failure.cause)") }
  }
}
