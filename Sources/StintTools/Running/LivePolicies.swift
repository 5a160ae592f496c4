import StintFormats
package import StintGovernor
import StintJournal
package import StintLanguage
import StintModel
package import StintRuntime
package import StintUnits

/// The policies of a running daemon: the current ones, earlier generations, and the state file.
package final class LivePolicies: Sendable {
  struct State {
    var loaded: PolicyLoader.Loaded
    var generations: PolicyGenerations
    /// The last known contents of the watched folder.
    var seen: [JournalPolicy]
    var reports: [JSONValue] = []
    var nextSave = MonotonicInstant(nanoseconds: 0)
    /// True when the last save failed.
    var hasFailed = false
    /// True after the last save was requested.
    var isOver = false
    /// Edits that are not prepared yet, oldest first.
    var edits: [LiveEdit] = []
    /// True while an edit is being prepared, waits for the host, or is being reported.
    var isPreparing = false
    var ready: PreparedEdit?
    /// Edits in force whose callers have not received the outcome yet, oldest first.
    var exchanged: [AppliedEdit] = []
    /// Completes when the report of the newest edit in force exists.
    var reporting: Promise<Bool>?
  }

  /// The outcome of an attempt to put policies in force.
  package struct Outcome: Sendable {
    /// The reason for a declined request, as a code for programs.
    package enum Problem: String, Sendable {
      case unknownName = "unknown_name"
    }

    package var isDone: Bool
    var text: String
    var problem: Problem?
    /// The report for `--json`; nil when there is only text.
    var report: JSONValue?
  }

  let stage: SimulationStage
  let wallClock: WallClock
  private let path: String?
  private let disk: DiskWriter?
  /// The maximum wait for the last save at the end of the run.
  private static let saveTimeout = TimeSpan.seconds(10)
  /// The free space of the disk that stores the state.
  let room = SimulatedDisk()
  let log: @Sendable (String) -> Void
  let loop: LoopExecutor
  /// Notifies the host that a result is ready. May be called on any thread.
  let notify: @Sendable () -> Void
  /// Checks and compiles policies, on a separate thread.
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

  /// The policies in force.
  var loaded: PolicyLoader.Loaded { state.withLock { $0.loaded } }
  var generations: PolicyGenerations { state.withLock { $0.generations } }
  /// The reports of all reloads since the start of the daemon, as JSON.
  var reports: [JSONValue] { state.withLock { $0.reports } }

  /// Records the contents of the watched folder. Returns true when they changed.
  func see(_ sources: [JournalPolicy]) -> Bool {
    state.withLock { state in
      defer { state.seen = sources }
      return state.seen != sources
    }
  }

  // MARK: Changes

  /// Puts the first policies in force, with the memory of the previous daemon process.
  package func begin(_ host: isolated Host, recalling memory: GovernorMemory?, at instant: Instant) async {
    let loaded = loaded
    guard let program = loaded.program else { return }
    do throws(Problem) {
      try await host.load(program, policies: loaded.journalPolicies, at: instant, recalling: memory)
    } catch {
      // A failed load leaves no partial state: the devices run without policies until a later edit succeeds.
      log("\(LocalMoment(instant, wallClock.rules)) the policies cannot be put in force: \(error)")
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

  // MARK: Saving

  /// Saves the state for the last time. Demands that are released afterwards remain in the saved state.
  package func finish(_ governor: Governor) async {
    save(governor, isUrgent: true)
    state.withLock { $0.isOver = true }
    let isSaved = await disk?.finish(on: loop, within: Self.saveTimeout)
    await waitForReports()
    for edit in drainAnswers() { edit.answer() }
    if isSaved == false, let path {
      log("the state was not saved: \(path): the disk did not answer within \(Self.saveTimeout)")
    }
  }

  /// Requests a save of the state: at once when it is urgent, otherwise at most once per second.
  ///
  /// - Parameter kept: called after the state is saved or the save failed; called at once when nothing is
  ///   saved.
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
    // Copying the governor is cheap for the host; computing its memory is not, so the disk writer does that.
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
    // Log only the first of several consecutive failures. The policies stay in force.
    let isNews = state.withLock { state in
      defer { state.hasFailed = failure != nil }
      return failure != nil && !state.hasFailed
    }
    if isNews, let failure, let path { log("the state cannot be saved: \(path): \(failure.cause)") }
  }
}
