public import StintBus
public import StintGovernor
import StintJournal
public import StintModel
import StintPluginHost
public import StintServices
public import StintUnits

extension Host {
  /// Hands the host inputs from outside and returns when it has dealt with them.
  ///
  /// Another task must run the host at a pace, and `notify` must wake it. A host that is closed answers at once.
  @discardableResult
  public func submit(_ inputs: [Input], notify: @Sendable () -> Void) async -> SubmissionOutcome {
    await submit(.inputs(inputs), notify: notify)
  }

  /// Tells the services something on behalf of clients, and returns when it is done and settled.
  @discardableResult
  public func submit(_ inputs: [ServiceInput], notify: @Sendable () -> Void) async -> SubmissionOutcome {
    await submit(.services(inputs), notify: notify)
  }

  /// Has the host put a prepared program in force between two steps, and returns when it has.
  @discardableResult
  public func submit(_ program: PreparedProgram, notify: @Sendable () -> Void) async -> SubmissionOutcome {
    await submit(.program(program), notify: notify)
  }

  private func submit(_ work: Submission.Work, notify: @Sendable () -> Void) async -> SubmissionOutcome {
    guard !isClosed else { return .closed }
    guard inbox.count < Self.mostSubmissions else {
      losses.refusedCalls += 1
      return .overloaded
    }
    let done = Promise<SubmissionOutcome>()
    inbox.append(Submission(work: work, done: done))
    notify()
    return await done.value()
  }

  /// Reserves a channel for the batches of a demand that will be raised; the demand must be raised, or the channel
  /// given back by `cancelReservation(of:)`.
  public func reserve(_ channel: BatchChannel, for demand: DemandID) {
    if isClosed { channel.finish(throwing: Self.shutDown) } else { reserved[demand] = channel }
  }

  /// Forgets the channel of a demand that was not raised.
  public func cancelReservation(of demand: DemandID) { reserved[demand] = nil }

  /// What readers of demands hear that stand when the host closes.
  private static let shutDown = ClientFailure(
    .shutDown, device: "host", cause: "the host was closed", nextStep: "open another one")

  /// Answers the calls that wait, and all that come from now on: nothing runs the host any more.
  private func shut() {
    isClosed = true
    let waiting = inbox
    inbox.removeAll()
    for submission in waiting { submission.done.fill(.closed) }
    for demand in mailboxes.keys.sorted() where mailboxes[demand]?.isReadByClient == true {
      mailboxes[demand]?.channel.finish(throwing: Self.shutDown)
    }
    for demand in reserved.keys.sorted() { reserved[demand]?.finish(throwing: Self.shutDown) }
    reserved.removeAll()
  }

  /// Deals with everything that was handed in.
  func settleInbox(at instant: Instant) async {
    for device in ports.indices { collect(device) }
    await step(instant)
    let submissions = inbox
    inbox.removeAll()
    for submission in submissions {
      var outcome = SubmissionOutcome.done
      switch submission.work {
      case .inputs(let inputs): await step(instant, inputs: inputs)
      case .services(let inputs): await serve(inputs, at: instant)
      case .program(let program):
        do throws(Problem) {
          _ = try await load(program, policies: [], at: instant)
        } catch {
          observer?.refused("the policies are not put in force: \(error)", at: instant)
          outcome = .failed("\(error)")
        }
      }
      submission.done.fill(outcome)
    }
  }

  /// Local time is another than it was: the wall clock was set, or the time zone has other rules.
  public func follow(_ change: WallClock.Change, at instant: Instant) async {
    let moment = max(instant, governor.now)
    await step(moment, inputs: [.localTime(change.rules)])
    if let sentence = change.sentence { observer?.logged(sentence, at: moment) }
  }

  /// Puts a program in force between two steps; tells what became of the state of the one before.
  ///
  /// When it fails nothing has happened, and the journal does not know of it. `recalling` is what the process before
  /// remembered, for the first policies after a restart.
  @discardableResult
  public func load(
    _ program: Program, policies: [JournalPolicy], at instant: Instant,
    recalling memory: GovernorMemory? = nil
  ) async throws(Problem) -> ReloadReport {
    guard let memory else {
      return try await load(governor.prepare(program), policies: policies, at: instant)
    }
    let reload = try governor.load(program, at: max(instant, governor.now), recalling: memory)
    recorder?.record(memory, at: governor.now)
    await enter(reload, recording: recorder == nil ? nil : PolicyRecord(policies, program))
    recorder?.syncPolicies()
    return reload.report
  }

  /// Puts a program in force that was prepared while others ran; between two steps.
  @discardableResult
  public func load(
    _ prepared: PreparedProgram, policies: [JournalPolicy], at instant: Instant
  ) async throws(Problem) -> ReloadReport {
    let isFirst = governor.program == nil
    let record = recorder == nil ? nil : PolicyRecord(policies, prepared.program)
    let report = try await exchange(prepared, recording: record, at: instant).report
    if !isFirst { note(report, at: governor.now) }
    recorder?.syncPolicies()
    return report
  }

  /// Puts a program in force for which everything was prepared, its record in the journal too; between two steps.
  ///
  /// Only the exchange itself is done here. What the caller asks of the result later keeps no step waiting; its report
  /// belongs into the journal by `note(_:at:)`.
  public func exchange(
    _ prepared: PreparedProgram, recording record: PolicyRecord?, at instant: Instant
  ) async throws(Problem) -> Reload {
    let reload = try governor.load(prepared, at: max(instant, governor.now))
    await enter(reload, recording: record)
    return reload
  }

  /// Notes in the journal what became of state at a reload.
  public func note(_ report: ReloadReport, at instant: Instant) {
    recorder?.record(report, at: max(instant, governor.now))
  }

  /// Notes the exchange and carries its effects out.
  private func enter(_ reload: Reload, recording record: PolicyRecord?) async {
    governorTimer = governor.nextTimer
    if let record { recorder?.record(record, at: governor.now) }
    sendDefaults()
    await perform(reload.effects, at: governor.now)
    await step(governor.now)
  }

  /// Answers the calls that wait, ends every demand, switches every device off and closes the devices, right to left.
  public func close(at instant: Instant) async {
    guard !isClosed else { return }
    // What devices said by themselves until now still goes to those who wanted it.
    for device in ports.indices { collect(device) }
    let end = max(instant, governor.now, pending.last?.instant ?? instant)
    if !pending.isEmpty { await step(end) }
    shut()
    await step(end, inputs: activeDemands.keys.sorted().map(Input.release))
    for device in plugins.members.indices where plugins.members[device].sensor != nil {
      await plugins.apply(.off, to: device, at: end)
      collect(device)
    }
    await step(end)
    await plugins.close(at: end)
    for device in plugins.members.indices { collect(device) }
    // A device with a thread of its own may have said something since; its last word is behind that.
    let last = max(end, pending.last?.instant ?? end)
    await step(last)
    recorder?.finish(at: last)
  }

  /// Files changed where the journal is: sees whether it still has its own.
  public func checkJournal(at instant: Instant) async {
    guard recorder != nil else { return }
    recorder?.checkPlace(governor, at: max(instant, governor.now))
    await step(instant)
  }

  /// Writes the rest of the journal; the host takes no part in it after that.
  public func finishJournal(at instant: Instant) { recorder?.finish(at: instant) }

  /// How far the host has come.
  public var now: Instant { governor.now }

  /// The governor as it stands, to ask it things.
  public var snapshot: Governor { governor }

  /// How many decisions there were, and the SHA-256 of all of them.
  public var decisions: (count: Int, digest: String) { (log.count, log.digest) }

  /// Why the journal could not go on, if it could not.
  public var journalFailure: Problem? { recorder?.failure }
}

/// Work that a caller handed in and waits for.
struct Submission {
  enum Work {
    case inputs([Input])
    case services([ServiceInput])
    case program(PreparedProgram)
  }

  var work: Work
  var done: Promise<SubmissionOutcome>
}

/// What became of something that was handed to a host.
public enum SubmissionOutcome: Hashable, Sendable {
  /// The host has dealt with it.
  case done
  /// The host could not do it, for this reason.
  case failed(String)
  /// Too many calls wait already; none of it was done.
  case overloaded
  /// The host is closed; none of it was done.
  case closed
}
