package import StintBus
import StintFormats
package import StintGovernor
import StintLanguage
package import StintModel
package import StintRuntime
package import StintServices
import StintSystem
package import StintUnits

/// A daemon with its host, policies and connections, for one run.
///
/// The type is a class, because the bus of an app, the calls of the app and several tasks share one run.
package final class DaemonRun: Sendable {
  private let daemon: Daemon
  /// The host of the run. The code of an app must call the functions of `DaemonRun`, not the functions of the
  /// host.
  package let host: Host
  /// The policies of the run.
  package let policies: PolicyStore
  /// The time of the run.
  package let time: RunTime
  private let connections: ControlConnections
  private let answers: ControlAnswers
  /// Releases memory pages of the program's code. Nil in the process of an app, whose code must stay.
  private let codeRelease: CodeRelease?
  private let calls: AppCalls
  /// The saved decisions of operators about clients.
  private let decisions: [ClientID: PermissionDecision]

  init(
    daemon: Daemon, host: Host, policies: PolicyStore, time: RunTime,
    decisions: [ClientID: PermissionDecision], connections: ControlConnections, answers: ControlAnswers
  ) {
    self.daemon = daemon
    self.host = host
    self.policies = policies
    self.time = time
    self.decisions = decisions
    self.connections = connections
    self.answers = answers
    calls = AppCalls(on: daemon.loop)
    codeRelease = daemon.options.ownsProcess ? CodeRelease(on: daemon.loop, files: daemon.files) : nil
  }

  /// The reason why the last state is not saved. When this state is saved, the reason why the last decisions
  /// are not saved; nil when both are saved.
  var saveFailure: Problem? { policies.saveFailure ?? answers.decisions.failure }

  /// The devices and facts that policies may name.
  package var vocabulary: Vocabulary { daemon.setup.vocabulary }

  /// The offset that an app adds to the numbers of its demands. Smaller numbers belong to the clients of the
  /// site. Numbers from `ServiceBoard.firstDemand` on belong to services.
  package var demandsBefore: Int64 { daemon.setup.script.clients.isEmpty ? 0 : ServiceBoard.firstDemand / 2 }

  private var log: RunLog { daemon.log }
  private var wallClock: WallClock { daemon.clock.wallClock }

  /// Gives a name to a client of an app, until `release(_:)`.
  ///
  /// - Throws: `Problem.Code.inUse` when another client of the app, a program at the socket or a client of
  ///   the site has the name.
  package func claim(_ client: ClientID) throws(Problem) {
    try connections.clients.names.claim(client, as: .app)
  }

  /// Frees the name of a client of an app.
  package func release(_ client: ClientID) { connections.clients.names.release(client) }

  /// The publishers of facts, among the clients of an app and the client programs.
  package var publishers: FactPublishers { connections.clients.publishers }

  // MARK: Calls of an app

  /// Passes inputs of clients to the services. Returns when the inputs and their effects are processed.
  package func submit(_ inputs: [ServiceInput]) async -> SubmissionOutcome {
    await calls.run { [host, time] in await host.submit(inputs, notify: time.notify) }
  }

  /// Passes inputs to the governor. Returns when they are processed.
  package func submit(_ inputs: [Input]) async -> SubmissionOutcome {
    await calls.run { [host, time] in await host.submit(inputs, notify: time.notify) }
  }

  /// Returns a copy of the governor, for queries.
  package func snapshot() async -> Governor { await calls.run { [host] in await host.snapshot } }

  /// Calls a function with the governor. No event of the host happens meanwhile.
  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing Governor) -> Value
  ) async -> Value {
    await calls.run { [host] in await host.read(body) }
  }

  /// Returns the largest age at which a notice of a service counts as current. Nil when the service does not
  /// run.
  package func maxAge(of service: ServiceID) async -> TimeSpan? {
    await calls.run { [host] in await host.serviceBoard.maxAge(of: service) }
  }

  /// Returns the services that have paused themselves.
  package func pausedServices() async -> [PausedService] {
    await calls.run { [host] in await host.serviceBoard.pausedServices }
  }

  /// Returns the services that wait for a decision of the user.
  package func undecidedServices() async -> [UndecidedService] {
    await calls.run { [host] in await host.serviceBoard.undecidedServices }
  }

  /// Returns the data for the answer to the question why a device does not serve a client. Returns nil when
  /// the client is not attached.
  package func outlookQuestion(_ device: DeviceID, of client: ClientID) async -> OutlookQuestion? {
    let policies = policies.loaded.policies
    return await calls.run { [host, time] in
      await OutlookQuestion(device, of: client, policies: policies, host, at: time.now)
    }
  }

  /// Returns the state of a client; nil when it was never attached.
  package func status(of client: ClientID) async -> ClientStatus? {
    await calls.run { [host] in await host.serviceBoard.status(of: client) }
  }

  /// Reserves a channel for a demand that the caller will raise.
  package func reserve(_ channel: BatchChannel, for demand: DemandID) async {
    await calls.run { [host] in await host.reserve(channel, for: demand) }
  }

  /// Cancels the reservation for a demand that was not raised.
  package func cancelReservation(of demand: DemandID) async {
    await calls.run { [host] in await host.cancelReservation(of: demand) }
  }

  /// Changes the policies. Returns when the change is in force and saved, or refused.
  ///
  /// - Returns: the outcome; nil when the run has ended.
  package nonisolated(nonsending) func change(_ kind: PolicyEdit.Kind) async -> PolicyStore.Outcome? {
    let done = Promise<PolicyStore.Outcome?>()
    // Queue the edit before the first suspension, so that concurrent calls keep their order.
    if policies.enqueue(PolicyEdit(kind: kind) { done.fill($0) }) {
      await calls.run { [host, policies] in await policies.prepareNext(host) }
    }
    return await done.value()
  }

  /// Runs the host until the end of the script, a terminating signal or `RunTime.stop()`, then turns every
  /// device off. Must run on the loop of the daemon; may be called once.
  ///
  /// - Returns: the final state, and the instant of the end.
  package func run() async -> (RunFinish, Instant) {
    let start = daemon.start
    if case .events(_, let hostClock) = time, !daemon.setup.isSimulated {
      await host.open(
        on: daemon.loop, now: { hostClock.now }, whenOpen: { [codeRelease] in codeRelease?.plan() })
    } else {
      await host.open()
    }
    if wallClock.rules.ahead != .zero { await host.follow(wallClock.resumed(at: start), at: start) }
    await begin(host)
    if let change = wallClock.change(at: start) { await host.follow(change, at: start) }
    codeRelease?.plan()
    switch time {
    case .events(_, let hostClock): await serve(at: hostClock)
    case .virtual(let hostClock): await serve(at: hostClock)
    }
    // Real devices work until the present instant, so a live run ends at this instant. A simulated run ends
    // at the host's time.
    let end = daemon.setup.isSimulated ? await host.now : max(await host.now, time.now)
    await finish(at: end)
    log("ended at \(LocalMoment(end, wallClock.rules)); every device is off")
    let finish = (await host.finish, max(end, await host.now))
    await calls.close()
    return finish
  }

  /// Turns the devices off, then waits for the files of the run. Answers questions while it waits.
  private func finish(at end: Instant) async {
    await policies.beginEnd(host, at: end)
    answers.decisions.beginEnd()
    await connections.beginEnd(host, at: end)
    let attendance = PeriodicCall(every: .milliseconds(50), on: daemon.loop) { [self] in
      await connections.attend(answers, host, at: max(time.now, end))
    }
    await host.turnOff(at: end)
    let deadline = EndDeadline()
    let cancelNote = daemon.loop.call(after: .seconds(1)) { [daemon] in
      daemon.files.note(
        "every device is off; the daemon waits for its files, at most \(EndDeadline.timeLimit), and ends"
      )
    }
    await policies.finish(by: deadline)
    await answers.decisions.finish(by: deadline)
    await host.finishFiles(by: deadline)
    await removeFiles(within: deadline.remaining)
    cancelNote()
    attendance.stop()
    await connections.attend(answers, host, at: max(time.now, end))
    connections.close()
    time.close()
  }

  /// Removes the socket and the lock files on another thread, because their disk may not answer. The system
  /// releases the locks themselves in any case.
  private func removeFiles(within limit: TimeSpan) async {
    do throws(Problem) {
      let options = daemon.options
      let paths = [options.state, options.journal, options.control].compactMap(\.self).joined(separator: ", ")
      try await daemon.files.run("removing the socket and the lock files", paths, within: limit) {
        [daemon, connections] in
        connections.removeFile()
        daemon.locks.release()
      }
    } catch {
      // The worker has logged the problem.
    }
  }

  private func serve(at pace: some HostClock) async {
    let follower = daemon.setup.site.map {
      SiteFollower($0, on: daemon.loop, files: daemon.files, waiting: answers.waiting, log: log)
    }
    await host.run(
      until: daemon.setup.script.end, pace: pace,
      reload: { host, instant in
        follower?.follow()
        daemon.clock.follow(on: daemon.files, daemon.loop, notify: time.notify)
        await host.checkJournal(at: instant)
        reload(host)
        codeRelease?.plan()
      },
      attend: { host, instant in
        let hasChanged = await policies.applyPrepared(host, at: instant)
        let hasAnswered = await connections.attend(answers, host, at: instant)
        if hasChanged || hasAnswered { codeRelease?.plan() }
      })
  }

  /// Puts the first policies in force: the saved policies, or the policies of the watched files when none are
  /// saved. Then applies the watched files when they have changed since the policies were saved or read.
  private func begin(_ host: isolated Host) async {
    let start = daemon.start
    let time = LocalMoment(start, wallClock.rules)
    let memory = daemon.memory
    if let services = daemon.services {
      // In virtual time, no instant may depend on the speed of the disk.
      let keeper: any ServicesKeeper =
        self.time.virtual == nil ? ServicesWriter(services.file, notify: self.time.notify) : services.file
      await host.serve(keeping: keeper, restoring: services.saved, at: start)
    }
    for (client, decision) in decisions { await host.serve([.decide(client, decision)], at: start) }
    await policies.begin(host, recalling: memory, at: start)
    log(greeting)
    if let site = daemon.setup.site {
      for warning in RequestCost.warnings(for: daemon.setup.script) {
        log("\(time) warning: \(site.path): \(warning)")
      }
    }
    for warning in daemon.loaded.warnings(vocabulary) { log("\(time) warning: \(warning)") }
    if daemon.saved != nil {
      log(
        memory == nil
          ? "the saved run cannot continue: it has ended, or is before the start of the scenario; a new run begins"
          : "\(time) the run continues where it was interrupted")
    }
    // Compare the files once: the watch does not report edits from before it began.
    guard let path = daemon.options.policies else { return }
    guard daemon.setup.isSimulated else { return reload(host) }
    let sources: [SourceText]
    do {
      let read = daemon.access.read
      sources = try await daemon.files.run("reading the policies", path) { Result { try read() } }.get()
    } catch {
      log.problem("\(time) \(error)")
      return
    }
    guard policies.noteWatchedTexts(sources) else { return }
    if let outcome = await policies.change(to: sources, host, at: start) { outcome.write(to: log) }
  }

  /// Submits an edit after a change of the policies or of the site. Changed policies come into force all
  /// together or not at all.
  private func reload(_ host: isolated Host) {
    guard daemon.options.policies != nil else { return }
    policies.submit(
      PolicyEdit(kind: .files(daemon.access.read)) { [log] in $0?.write(to: log) }, host)
  }

  /// Returns the log line for a signal; nil for signals that need no explanation.
  static func sentence(on number: Int32) -> String? {
    let name = SignalTable.name(of: number)
    switch SignalTable.response(to: number) {
    case .reload: return "\(name): policies and site are read again"
    case .refuse: return "\(name) is ignored: a stopped daemon would leave devices on; use Ctrl-C to end it"
    case .end, .endIfSent: return [SIGINT, SIGTERM].contains(number) ? nil : "\(name): the run ends"
    case .ignore, .leave, .uncatchable: return nil
    }
  }

  private var greeting: String {
    let setup = daemon.setup
    let names = daemon.loaded.policies.map { "\($0.name) version \($0.version)" }.joined(separator: ", ")
    let count = setup.vocabulary.manifests.count
    let devices = count == 1 ? "1 device" : "\(count) devices"
    let pace =
      setup.isSimulated
      ? "at \(daemon.options.speed) times real time"
      : setup.isVirtual ? "in virtual time" : "on real hardware"
    let parts = ["\(setup.name) \(pace)", devices, names].filter { !$0.isEmpty }.joined(separator: ", ")
    let ending = daemon.options.ownsProcess ? ", Ctrl-C ends" : ""
    let following = time.watchesFiles ? "is watched" : "is read at SIGHUP and once a minute"
    return parts + (daemon.options.policies.map { "; \($0) \(following)\(ending)" } ?? "")
  }
}
