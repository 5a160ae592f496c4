import StintGovernor
import StintJournal
import StintLanguage
import StintModel
package import StintPluginHost
import StintPluginKit
package import StintRuntime
package import StintServices
package import StintUnits

/// A daemon before its run: devices, policies, clients and saved state. `stint run` and the bus of an app use
/// this class.
///
/// The steps run on the thread of the loop. Other threads do the blocking work of plugins, prepare edits and
/// save the state. An edit of the policies is checked as a whole. A valid edit comes into force between two
/// steps. An invalid edit is refused with its diagnostics, and the current policies stay in force.
package final class Daemon: Sendable {
  /// The result of a run.
  package struct Outcome: Sendable {
    /// The final state.
    package let finish: RunFinish
    /// The start and the end of the run.
    package let start, end: Instant
    /// The policies at the end, and the reports of all reloads.
    package let policies: PolicyStore
    /// The first reason why the last state or the last decisions are not saved; nil when all is saved.
    package let saveFailure: Problem?
  }

  /// The file for services that outlive the process, with its content at the start. `refusal` is the problem
  /// of a file that was renamed because its content is invalid; nil when no file was renamed.
  package typealias Services = (file: ServicesFile, saved: SavedServices?, refusal: Problem?)

  let setup: DaemonSetup
  let options: DaemonOptions
  let access: PolicyAccess
  let loop: LoopExecutor
  private let report: @Sendable (DaemonEvent) -> Void
  private let logBudget = LogBudget(at: LogBudget.now)
  /// Returns the number of lines that the output of the program has dropped.
  private let droppedOutput: @Sendable () -> Int
  /// The policies in force at the start.
  let loaded: PolicyLoader.Loaded
  let saved: PersistedState?
  let services: Services?
  let locks: RunLocks
  /// The instant at which the run begins or continues.
  let start: Instant
  let clock: ClockFollower
  /// Reads files on threads other than the thread of the loop.
  let files: FileWorker
  /// Answers requests at the socket from `init` until `open`; nil in the process of an app.
  private let startWatch: StartWatch?

  /// Locks the paths, creates the devices, and reads the saved state and the policies; `run` or `open` starts
  /// the run.
  ///
  /// - Parameters:
  ///   - loop: the loop of the run; nil to create one for `run`.
  ///   - readServices: reads the file of the services that outlive the process; called once, after the paths
  ///     are locked. Returns nil to keep no services.
  ///   - makeSetup: creates the devices; called once, after the paths are locked.
  ///   - makeAccess: makes the access to the policies of these devices.
  ///   - droppedOutput: returns the number of lines that the output has dropped, for `status`.
  ///   - report: receives events, on the thread of the run.
  /// - Throws: `Problem` when an input cannot be read or another process uses a path. Also the errors of the
  ///   functions in `PolicyAccess`.
  package init(
    _ options: DaemonOptions, on loop: LoopExecutor? = nil,
    services readServices: () throws(Problem) -> Services? = { () throws(Problem) in nil },
    setup makeSetup: (LoopExecutor) throws -> DaemonSetup,
    policies makeAccess: (DaemonSetup) -> PolicyAccess,
    droppedOutput: @escaping @Sendable () -> Int = { 0 }, report: @escaping @Sendable (DaemonEvent) -> Void
  ) throws {
    self.droppedOutput = droppedOutput
    self.options = options
    let report = logBudget.limiting(report)
    self.report = report
    let log = RunLog(report)
    let startWatch = options.ownsProcess ? try StartWatch(options, log: log) : nil
    self.startWatch = startWatch
    locks = try RunLocks(options, log: log) { startWatch?.mayListen() }
    let services = try readServices()
    self.services = services
    let loop = try loop ?? LoopExecutor()
    self.loop = loop
    let files = FileWorker(on: loop, log: log)
    self.files = files
    if let refusal = services?.refusal { files.note("the services are not restored: \(refusal)") }
    let inputs = options.inputs.map(\.path).joined(separator: ", ")
    startWatch?.enter("\(inputs) and the files that it names")
    var setup = try makeSetup(loop)
    let access = makeAccess(setup)
    self.access = access
    startWatch?.enter(options.state ?? "the saved state")
    let saved = try options.state.flatMap {
      try PersistedState(at: $0, setup: setup, load: access.load, note: files.note)
    }
    let wallClock: WallClock
    if let clock = setup.liveClock {
      wallClock = clock
      // The clients of a site make their requests at the instant at which the run continues.
      if let saved { setup.start(at: saved.resume(wallClock, log: log)) }
      start = setup.script.start
    } else {
      start = saved.flatMap { $0.continuesDay ? $0.state.memory.instant : nil } ?? setup.script.start
      wallClock = WallClock(
        setup.timeZone,
        clock: RunClock(start: start, anchor: SystemClock.monotonic(), speed: options.speed), reading: nil)
      if let saved, saved.continuesDay { wallClock.resume(at: start, ahead: saved.state.clock.ahead) }
    }
    clock = ClockFollower(wallClock, offsetFile: options.clockOffset, zone: setup.zoneName, log: log)
    self.setup = setup
    self.saved = saved
    startWatch?.enter(options.policies ?? "the policies")
    if let saved {
      // The saved policies run even when a policy file cannot be read; the first comparison reports the file.
      // But a path at which nothing exists is a mistake, which `read` reports now.
      if let path = options.policies, Folder.entry(at: path) == .nothing { _ = try access.read() }
      loaded = saved.loaded
    } else {
      loaded = try access.loadFirst()
    }
  }

  /// Runs until the end of the script or a terminating signal. Then turns every device off, waits for the
  /// last saves, and returns.
  ///
  /// - Parameters:
  ///   - observer: observes the host in addition to the daemon's own observers.
  /// - Throws: `Problem` when the journal, the socket or the watched files cannot be opened.
  package func run(
    beside observer: any HostObserver
  ) throws(Problem) -> Outcome {
    let run = try open(beside: { _, _ in observer })
    let (finish, end) = Spawner.run(on: loop) { await run.run() }.get()
    return Outcome(
      finish: finish, start: setup.script.start, end: end, policies: run.policies,
      saveFailure: run.saveFailure)
  }

  /// Creates the parts of the run and opens its files. The caller starts `DaemonRun.run` on the loop.
  ///
  /// - Parameter observer: makes an observer of the host in addition to the daemon's own observers.
  /// - Throws: `Problem` when the journal, the socket or the watched files cannot be opened.
  package func open(
    beside observer: (PluginSet, DemandStates) -> any HostObserver
  ) throws(Problem) -> DaemonRun {
    // From `makeTime` on, signals are caught and no longer end the process at once. So files are opened
    // before `makeTime`: a signal can still end a start that waits for a disk.
    let wake = LateCall()
    let notify: @Sendable () -> Void = { wake() }
    let disk = DiskFullSwitch()
    startWatch?.enter(options.journal ?? "the journal")
    let journal = try journal(disk, notify)
    let decisions = DecisionStore(
      in: options.state.map { durableFile($0 + ".permissions", of: "the list of permissions", disk) },
      on: loop, notify: notify)
    startWatch?.enter(options.state.map { $0 + ".permissions" } ?? "the list of permissions")
    let known = try decisions.load(files)
    startWatch?.enter(options.control ?? "the socket")
    startWatch?.end()
    let control = try options.control.map { path throws(Problem) in
      let isOpenToAll = setup.site?.site.apps.contains { $0.user != nil } ?? false
      return try ControlSocket(
        at: path, on: loop, group: options.controlGroup, isOpenToAll: isOpenToAll, notify: notify)
    }
    let time = try makeTime()
    wake.set(time.notify)
    let policies = PolicyStore(
      setup: setup, wallClock: clock.wallClock, loaded: loaded, kept: saved?.state,
      in: options.state.map { durableFile($0, of: "the state", disk) }, on: loop, files: files,
      watched: options.policies ?? "policies", notify: notify, load: access.load,
      log: log)
    let plugins = try setup.plugins(onReady: notify)
    logOutput(of: setup.supervised)
    let states = DemandStates(policies, plugins)
    let clients = ClientConnections(
      ClientAccess(setup.site?.site.apps ?? []), vocabulary: setup.vocabulary,
      declared: Set(setup.declares.map(\.path)), reserved: Set(setup.script.clients.map(\.name)),
      states: states, on: loop, log: clientLog, notify: notify)
    let own = DaemonEvents(clock: clock.wallClock, policies: policies, report: report)
    let host = Host(
      governor: Governor(vocabulary: setup.vocabulary, timeZone: setup.timeZone, at: start),
      plugins: plugins, source: source,
      observer: ObserverPair(ObserverPair(own, observer(plugins, states)), clients),
      journal: journal, filter: setup.filter(plugins, disk: disk))
    return DaemonRun(
      daemon: self, host: host, policies: policies, time: time, decisions: known,
      connections: ControlConnections(control, clients, on: loop, notify: notify),
      answers: ControlAnswers(
        policies: policies, setup: setup, decisions: decisions,
        info: DaemonInfo(
          version: options.version, logBudget: logBudget, droppedOutput: droppedOutput,
          unreceivedEvents: { clients.unreceived.count }),
        files: files, log: log))
  }

  /// Writes the output lines of plugins to the log. Each plugin has a budget of its own, so that a flood
  /// displaces only lines of the same plugin. Lines beyond the budget are counted as dropped lines of the
  /// log.
  private func logOutput(of plugins: [any SupervisedPlugin]) {
    for plugin in plugins {
      let device = plugin.manifest.device
      let budget = LogBudget(at: LogBudget.now)
      plugin.listen { [report, logBudget] line in
        guard let dropped = budget.spend(at: LogBudget.now) else { return logBudget.countDropped() }
        if dropped > 0 {
          report(
            .notice(
              "\(device): \(dropped == 1 ? "1 printed line was" : "\(dropped) printed lines were") dropped",
              about: .output(device)))
        }
        report(.notice("\(device) prints: \(line)", about: .output(device)))
      }
    }
  }

  private func durableFile(_ path: String, of subject: String, _ disk: DiskFullSwitch) -> DurableFile {
    DurableFile(at: path, of: subject, disk: disk, on: loop, files: files, log: log)
  }

  private func makeTime() throws(Problem) -> RunTime {
    if setup.isVirtual { return .virtual(VirtualClock(loop: loop, start: start)) }
    let targets = watchTargets
    let watcher = try watcher(targets)
    let interval = watcher == nil && !targets.isEmpty ? Self.recheck : nil
    let events =
      try options.ownsProcess
      ? LoopEvents(daemonOn: loop, watching: watcher, files: files, rechecking: interval)
      : LoopEvents(on: loop, watching: watcher, watchesClock: true, files: files, rechecking: interval)
    let wallClock = clock.wallClock
    let hostClock = DaemonClock(events: events, clock: wallClock.clock, wallClock: wallClock) {
      [log] number in
      if let sentence = DaemonRun.sentence(on: number) { log(sentence) }
    }
    return .events(events, hostClock)
  }

  /// The interval at which files are read again when they cannot be watched.
  private static let recheck = TimeSpan.minutes(1)

  /// Returns the watcher of the files; nil without files, and when the system has no watches left. When the
  /// system has no watches left, the daemon reads the files once a minute and at SIGHUP.
  private func watcher(_ targets: [WatchTarget]) throws(Problem) -> FolderWatcher? {
    guard !targets.isEmpty else { return nil }
    do throws(Problem) {
      return try FolderWatcher(targets)
    } catch {
      guard error.code == .tooMany else { throw error }
      let paths = targets.map(\.path).joined(separator: ", ")
      files.note("\(error); the files are read at SIGHUP and once a minute: \(paths)")
      return nil
    }
  }

  private func journal(
    _ disk: DiskFullSwitch, _ notify: @escaping @Sendable () -> Void
  ) throws(Problem) -> JournalRecorder? {
    guard let path = options.journal else { return nil }
    return JournalRecorder(
      writer: try JournalFolder.begin(
        in: path, limit: options.journalLimit.map { JournalLimit(bytes: $0) }, room: disk),
      world: setup.journalWorld, at: start, durability: .each(.seconds(10)), files: (files, loop, notify))
  }

  private var source: ScriptSource {
    var source = ScriptSource(setup.script, vocabulary: setup.vocabulary)
    if let memory, setup.liveClock == nil { source.resume(at: start, activeDemands: Set(memory.demands)) }
    return source
  }

  /// The governor state that the previous process saved; nil when the run does not continue it.
  var memory: GovernorMemory? { saved.flatMap { $0.continuesDay ? $0.state.memory : nil } }

  var log: RunLog { RunLog(report) }

  /// The log for messages about client programs. These messages are marked, because their number is limited.
  private var clientLog: RunLog {
    RunLog(events: { [report] text, _, subject in
      var event = DaemonEvent.notice(text, about: subject)
      event.isFromClient = true
      report(event)
    })
  }

  private var watchTargets: [WatchTarget] {
    let policies: [WatchTarget] =
      options.policies.map { path in
        [Folder.entry(at: path) == .folder ? .folder(path, suffix: ".stint") : .file(path)]
      } ?? []
    let site: [WatchTarget] = setup.site.map { ([$0.path] + $0.descriptors).map { .file($0) } } ?? []
    let journal: [WatchTarget] = options.journal.map { [.folder($0, suffix: "")] } ?? []
    return policies + site + clock.targets + journal
  }
}
