public import StintBus
public import StintGovernor
public import StintJournal
public import StintModel
import StintPluginHost
public import StintServices
public import StintUnits

extension Host {
  /// Hands the host inputs from outside and returns when it has dealt with them.
  ///
  /// Somebody must be running the host at a pace, and be notified by `notify`.
  public func submit(_ inputs: [Input], notify: @Sendable () -> Void) async {
    await submit(.inputs(inputs), notify: notify)
  }

  /// Tells the services something on behalf of clients, and returns when it is done and settled.
  public func submit(_ inputs: [ServiceInput], notify: @Sendable () -> Void) async {
    await submit(.services(inputs), notify: notify)
  }

  /// Has the host put a program in force between two steps, and returns when it has.
  public func submit(_ program: Program, notify: @Sendable () -> Void) async {
    await submit(.program(program), notify: notify)
  }

  private func submit(_ work: Submission.Work, notify: @Sendable () -> Void) async {
    let done = OneShot<Void>()
    inbox.append(Submission(work: work, done: done))
    notify()
    await done.value()
  }

  /// Reserves a channel for the batches of a demand that will be raised.
  public func reserve(_ channel: BatchChannel, for demand: DemandID) { reserved[demand] = channel }

  /// Deals with everything that was handed in.
  func settleInbox(at instant: Instant) async {
    for device in ports.indices { collect(device) }
    await settle(instant)
    let submissions = inbox
    inbox.removeAll()
    for submission in submissions {
      switch submission.work {
      case .inputs(let inputs): await settle(max(instant, governor.now), inputs: inputs)
      case .services(let inputs): await serve(inputs, at: instant)
      case .program(let program):
        do throws(ReloadError) {
          _ = try await load(program, policies: [], at: instant)
        } catch {
          observer?.refused("the policies are not put in force: \(error)", at: instant)
        }
      }
      submission.done.fill(())
    }
  }

  /// Puts a program in force between two steps; tells what became of the state of the one before.
  ///
  /// When it fails nothing has happened, and the journal does not know of it. `recalling` is what the process before
  /// remembered, for the first policies after a restart.
  @discardableResult
  public func load(
    _ program: Program, policies: [JournalPolicy], at instant: Instant,
    recalling memory: GovernorMemory? = nil
  ) async throws(ReloadError) -> ReloadReport {
    let isFirst = governor.program == nil
    let moment = max(instant, governor.now)
    let reload: Reload
    if let memory {
      reload = try governor.load(program, at: moment, recalling: memory)
      recorder?.record(memory, at: governor.now)
    } else {
      reload = try governor.load(program, at: moment)
    }
    governorTimer = governor.nextTimer
    recorder?.record(policies: policies, program: program, at: governor.now)
    if !isFirst { recorder?.record(reload.report, at: governor.now) }
    tellDefaults()
    await perform(reload.effects, at: governor.now)
    await settle(governor.now)
    return reload.report
  }

  /// Ends every demand, lets lingers pass, switches everything off and closes the devices, right to left.
  public func close(at instant: Instant) async {
    // What devices said by themselves until now still goes to those who wanted it.
    for device in ports.indices { collect(device) }
    let end = max(instant, governor.now, pending.last?.instant ?? instant)
    if !pending.isEmpty { await settle(end) }
    await settle(end, inputs: standingDemands.keys.sorted().map(Input.release))
    for device in plugins.members.indices where plugins.members[device].sensor != nil {
      await plugins.apply(.off, to: device, at: end)
      collect(device)
    }
    await settle(end)
    await plugins.close(at: end)
    for device in plugins.members.indices { collect(device) }
    // A device with a thread of its own may have said something since; its last word is behind that.
    let last = max(end, pending.last?.instant ?? end)
    await settle(last)
    recorder?.finish(at: last)
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
  public var journalFailure: JournalError? { recorder?.failure }
}

/// Something that somebody handed in and waits for.
struct Submission {
  enum Work {
    case inputs([Input])
    case services([ServiceInput])
    case program(Program)
  }

  var work: Work
  var done: OneShot<Void>
}
