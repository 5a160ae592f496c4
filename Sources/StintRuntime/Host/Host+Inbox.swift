public import StintBus
public import StintGovernor
import StintJournal
public import StintModel
import StintPluginHost
public import StintServices
public import StintUnits

extension Host {
  /// Submits inputs to the host. Returns when the host has processed them.
  ///
  /// Another task must run the host, and `notify` must wake the host. A closed host returns `closed` at once.
  @discardableResult
  public func submit(_ inputs: [Input], notify: @Sendable () -> Void) async -> SubmissionOutcome {
    await submit(.inputs(inputs), notify: notify)
  }

  /// Submits inputs of clients to the services. Returns when the host has processed them and their effects,
  /// and the services are saved. Does not wait for a disk that is full or does not respond.
  @discardableResult
  public func submit(_ inputs: [ServiceInput], notify: @Sendable () -> Void) async -> SubmissionOutcome {
    await submit(.services(inputs), notify: notify)
  }

  private func submit(_ work: Submission.Work, notify: @Sendable () -> Void) async -> SubmissionOutcome {
    let (done, waits) = inbox.add(work)
    if waits { notify() }
    return await done.value()
  }

  /// Reserves a channel for a demand that the caller will raise. The caller must raise the demand or
  /// call `cancelReservation(of:)`.
  public func reserve(_ channel: BatchChannel, for demand: DemandID) {
    if inbox.isClosed {
      channel.finish(throwing: Self.shutDown)
    } else {
      deliveries.reserve(channel, for: demand)
    }
  }

  /// Cancels the reservation for a demand that was not raised.
  public func cancelReservation(of demand: DemandID) { deliveries.cancelReservation(of: demand) }

  /// The failure that readers of active demands get after their last batch when the host closes.
  static let shutDown = Problem(.closed, cause: "the host was closed", remedy: "open a new one")

  /// Processes all submissions.
  func settleInbox(at instant: Instant) async {
    for device in bay.indices { collect(device) }
    guard hasWork(at: instant) else {
      // Report without a step. The journal would record a step, and the end of that write would cause
      // another step.
      report(max(instant, governor.now))
      return
    }
    await step(instant)
    for submission in inbox.drain() {
      switch submission.work {
      case .inputs(let inputs):
        await step(instant, inputs: inputs)
        submission.done.fill(.done)
      case .services(let inputs):
        await serve(inputs, at: instant)
        complete(submission.done)
      }
    }
  }

  /// Returns whether a device, a client, a timer or the input source needs a step up to an instant.
  private func hasWork(at instant: Instant) -> Bool {
    !inbox.isEmpty || bay.span != nil || desk.hasInput || nextEvent <= instant
      || readOrders.withLock { !$0.isEmpty }
  }

  /// Publishes values of facts on behalf of a client. Invalid values are refused.
  public func publish(_ values: [(fact: Int, value: FactValue)], at instant: Instant) async {
    guard !values.isEmpty else { return }
    await step(max(instant, governor.now), inputs: values.map { .fact($0.fact, $0.value) })
  }

  /// Applies a change of local time: the wall clock was set, or the time zone has changed.
  public func follow(_ change: WallClock.Change, at instant: Instant) async {
    let moment = max(instant, governor.now)
    await step(moment, inputs: [.localTime(change.rules)])
    if let sentence = change.sentence { observer?.logged(.notice(sentence), at: moment) }
  }

  /// Puts a program in force between two steps. Returns the report on the migration of the previous
  /// program's state.
  ///
  /// When this function throws, nothing has changed and nothing is journalled. `recalling` is the state that
  /// the previous process saved; pass it with the first program after a restart.
  @discardableResult
  public func load(
    _ program: Program, policies: [JournalPolicy], at instant: Instant,
    recalling memory: GovernorMemory? = nil
  ) async throws(Problem) -> ReloadReport {
    guard let memory else {
      return try await load(governor.prepare(program), policies: policies, at: instant)
    }
    let reload = try governor.load(program, at: max(instant, governor.now), recalling: memory)
    journal.record(memory, at: governor.now)
    await enter(reload, recording: journal.policyRecord(policies, program))
    journal.syncPolicies()
    return reload.report
  }

  /// Puts a prepared program in force between two steps. Returns the report on the migration of the previous
  /// program's state.
  @discardableResult
  public func load(
    _ prepared: PreparedProgram, policies: [JournalPolicy], at instant: Instant
  ) async throws(Problem) -> ReloadReport {
    let isFirst = governor.program == nil
    let record = journal.policyRecord(policies, prepared.program)
    let report = try await exchange(prepared, recording: record, at: instant).report
    if !isFirst { note(report, at: governor.now) }
    journal.syncPolicies()
    return report
  }

  /// Puts a prepared program with a prepared journal record in force between two steps.
  ///
  /// Does only the exchange itself, to keep the pause short. Later, the caller computes the migration report
  /// from the result, and records the report with `note(_:at:)`.
  public func exchange(
    _ prepared: PreparedProgram, recording record: PolicyRecord?, at instant: Instant
  ) async throws(Problem) -> Reload {
    let reload = try governor.load(prepared, at: max(instant, governor.now))
    await enter(reload, recording: record)
    return reload
  }

  /// Records the migration report of a reload in the journal.
  public func note(_ report: ReloadReport, at instant: Instant) {
    journal.record(report, at: max(instant, governor.now))
  }

  /// Records the exchange and performs its effects.
  private func enter(_ reload: Reload, recording record: PolicyRecord?) async {
    if let record { journal.record(record, at: governor.now) }
    desk.sendDefaults(of: governor)
    await perform(reload.effects, at: governor.now)
    await step(governor.now)
  }

  /// Closes the host: switches all devices off, then waits for its files for at most 10 s.
  public func close(at instant: Instant) async {
    await turnOff(at: instant)
    await finishFiles(by: EndDeadline())
  }

  /// Completes waiting calls, ends all demands, switches all devices off and closes them in reverse order. A
  /// second call has no effect.
  public func turnOff(at instant: Instant) async {
    guard !inbox.isClosed else { return }
    // Deliver the reports that devices made before this call.
    for device in bay.indices { collect(device) }
    let end = max(instant, governor.now, bay.span?.last ?? instant)
    if bay.span != nil { await step(end) }
    inbox.close()
    await step(end, inputs: deliveries.active.map(Input.release))
    for device in plugins.members.indices where plugins.members[device].sensor != nil {
      await plugins.apply(.off, to: device, at: end)
      collect(device)
    }
    await step(end)
    await plugins.close(at: end)
    for device in plugins.members.indices { collect(device) }
    // A device with its own thread may have reported later than `end`.
    await step(max(end, bay.span?.last ?? end))
  }

  /// Waits until the services and the journal are on the disk, but at most until `deadline`. Each stream
  /// ends after the samples that devices held for its demand. Must be called after `turnOff(at:)`.
  public func finishFiles(by deadline: EndDeadline) async {
    await finishSaving(by: deadline, at: governor.now)
    deliveries.finishStreams(throwing: Self.shutDown)
    await finishJournal(at: governor.now, by: deadline)
  }

  /// Checks whether the journal file is still at its path. Called when files in its folder change.
  public func checkJournal(at instant: Instant) async {
    guard journal.hasJournal else { return }
    journal.checkPlace({ governor }, at: max(instant, governor.now))
    await step(instant)
  }

  /// Writes all remaining records and the end of the journal. Later events are not journalled.
  public func finishJournal(at instant: Instant, by deadline: EndDeadline = EndDeadline()) async {
    guard let work = journal.fileWork else { return journal.finish(at: instant) }
    await work.finish(within: min(.seconds(2), deadline.remaining))
    report(instant)
    await work.finish(within: min(.seconds(2), deadline.remaining))
    let synchronize = journal.end(at: instant)
    journal.noteEnd(await work.run(synchronize, within: deadline.remaining))
  }

  /// The instant of the last step.
  public var now: Instant { governor.now }

  /// A copy of the governor, for queries.
  public var snapshot: Governor { governor }

  /// Calls a function with the governor. The host handles no event during the call.
  package func read<Value: Sendable>(_ body: @Sendable (borrowing Governor) -> Value) -> Value {
    body(governor)
  }

  /// The number of decisions, and the SHA-256 of their lines in hexadecimal.
  public var decisions: (count: Int, digest: String) { journal.decisions }

  /// The reason why the journal is not written at present, or the number of its missing records. Nil when the
  /// journal is complete.
  package var journalProblem: String? { journal.problem }

  /// The reason why the journal is incomplete; nil when no record is missing. It is known after the end of
  /// the journal was recorded.
  public var journalFailure: Problem? { journal.failure }
}
