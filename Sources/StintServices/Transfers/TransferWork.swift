import StintModel
import StintUnits

/// Runs the tasks of a session. It starts tasks at good moments, raises their demands, retries failed
/// attempts and sends notices to the client.
struct TransferWork: Sendable {
  let configuration: TransferConfiguration
  private(set) var tasks: TransferTasks
  private(set) var notices: SessionNotices
  private var moment = TransferMoment()
  /// Whether a task began since the last `drained` notice.
  private(set) var isBusy: Bool

  init(
    _ configuration: TransferConfiguration, _ tasks: TransferTasks = TransferTasks(),
    _ notices: SessionNotices = SessionNotices(), isBusy: Bool = false
  ) {
    self.configuration = configuration
    self.tasks = tasks
    self.notices = notices
    self.isBusy = isBusy
  }

  // MARK: The client

  /// Connects the client to the session, and sends the waiting notices to the client.
  mutating func join(_ outbox: inout ServiceOutbox) { notices.join(&outbox) }

  /// Records that the client left the session.
  mutating func leave(at instant: Instant) { notices.leave(at: instant) }

  /// Adapts the tasks to a restart, which ended their attempts and the process of the client.
  mutating func restart(at instant: Instant) {
    tasks.restart()
    notices.leave(at: notices.leftAt ?? instant)
  }

  // MARK: Commands

  /// Creates a task, which starts after a resume. An existing or ended task is only acknowledged again.
  mutating func create(
    _ name: String, _ request: TransferRequest, window: TimeSpan, _ context: ServiceContext,
    _ outbox: inout ServiceOutbox
  ) {
    if !tasks.contains(name) {
      let isLarge = configuration.largeTask.map { request.bytes > $0 } ?? false
      tasks.add(
        TransferTask(
          name, request, window: window, isDeferrable: configuration.isDiscretionary || isLarge,
          at: context.instant))
    }
    notices.send(.accepted(name), context, &outbox)
  }

  /// Handles a command to an open task.
  mutating func handle(
    _ command: TransferCommand, _ index: Int, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch command {
    case .resume: resume(index, context)
    case .cancel: fail(index, .cancelled, context, &outbox)
    case .promote: promote(index, context, &outbox)
    case .credentials: if tasks[index].phase == .parked { tasks[index].phase = .waiting }
    case .report(_, let attempt, let report):
      if tasks[index].attempt == attempt { handle(report, index, context, &outbox) }
    case .create, .start, .window, .reconfigure: return
    }
  }

  private mutating func resume(_ index: Int, _ context: ServiceContext) {
    guard tasks[index].phase == .suspended else { return }
    tasks[index].phase = .waiting
    tasks[index].submitted = context.instant
    // The system chooses the time of transfers that begin in the background.
    if context.isInBackground { tasks[index].isDeferrable = true }
    isBusy = true
  }

  /// Begins the tasks that rules allow to begin, as if the client had resumed them. These tasks continue when
  /// the rules are no longer in force.
  private mutating func followStarts(_ context: ServiceContext) {
    let starts = context.starts(ofSession: context.id.name)
    moment.set(startsAtOnce: starts.atOnce)
    guard starts.any else { return }
    for index in tasks.indices where !tasks[index].isOver { resume(index, context) }
  }

  private mutating func promote(
    _ index: Int, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard !tasks[index].isUrgent else { return }
    tasks[index].isUrgent = true
    switch tasks[index].phase {
    // A demand that is held back is replaced: the new demand has no hold. A transfer in progress continues.
    case .carrying where tasks[index].isHeld: withdraw(index, to: .waiting, context, &outbox)
    case .resting: tasks[index].phase = .waiting
    default: break
    }
  }

  // MARK: Progress

  /// Advances all tasks as far as is possible now.
  mutating func proceed(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    followStarts(context)
    stopOnSlowLink(context, &outbox)
    for index in tasks.indices where !tasks[index].isOver { proceed(index, context, &outbox) }
    tasks.removeEnded()
    noteDrained(context, &outbox)
  }

  /// Returns the next instant after now at which `proceed` must be called even without an event.
  func nextTimer(_ context: ServiceContext) -> Instant {
    var timers = moment.timers(for: tasks.all, configuration, context)
    for task in tasks.all {
      timers.append(task.expiry)
      if case .resting(let until) = task.phase { timers.append(until) }
    }
    return timers.filter { $0 > context.instant }.min() ?? .distantFuture
  }

  /// Sends `drained` once, when all started tasks have ended or wait for credentials. Launches the client for
  /// this notice if the client is not attached.
  private mutating func noteDrained(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard isBusy, tasks.all.allSatisfy({ $0.phase == .suspended || $0.phase == .parked }) else { return }
    isBusy = false
    notices.send(.drained, context, &outbox)
    if !context.client.isAttached { outbox.launch(.transfers) }
  }

  /// Handles a fact that affects whether tasks start.
  mutating func note(_ path: String, _ value: FactValue, _ context: ServiceContext) {
    if path == "net.throughput", case .number(let rate) = value {
      moment.note(rate: rate, configuration, at: context.instant)
    }
    updateMoment(context)
  }

  mutating func updateMoment(_ context: ServiceContext) { moment.update(configuration, context) }

  /// Advances one task as far as is possible now.
  private mutating func proceed(_ index: Int, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard context.instant < tasks[index].expiry else {
      fail(index, .expired, context, &outbox)
      return
    }
    if case .resting(let until) = tasks[index].phase, until <= context.instant {
      tasks[index].phase = .waiting
    }
    switch tasks[index].phase {
    case .waiting: consider(index, context, &outbox)
    case .carrying:
      // Withdraw a task that must wait again and whose transfer the governor has not started yet.
      guard tasks[index].isHeld, tasks[index].demand != nil,
        moment.obstacle(to: tasks[index], configuration, context) != nil
      else {
        return
      }
      withdraw(index, to: .waiting, context, &outbox)
    case .suspended, .settling, .resting, .parked: break
    }
  }

  private mutating func consider(
    _ index: Int, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard tasks[index].demand == nil else { return }
    if let wait = moment.obstacle(to: tasks[index], configuration, context) {
      reportWait(wait, index, context, &outbox)
      return
    }
    if moment.isForced(tasks[index], configuration, at: context.instant) {
      reportWait(.forced, index, context, &outbox)
    }
    raise(index, context, &outbox)
  }

  private mutating func reportWait(
    _ wait: TransferWait, _ index: Int, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard tasks[index].reported != wait else { return }
    tasks[index].reported = wait
    notices.send(.waiting(tasks[index].name, wait), context, &outbox)
  }

  private mutating func raise(_ index: Int, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let radio = TransferMoment.radio(configuration, context) else { return }
    var deadline: TimeSpan?
    if tasks[index].isUrgent {
      deadline = .zero
    } else if configuration.windowEnd == .force {
      let latest = TransferMoment.latestStart(of: tasks[index], configuration, context)
      deadline = max(.zero, latest - context.instant)
    }
    tasks[index].attempt = tasks[index].attempt.addingSaturated(1)
    tasks[index].offset = tasks[index].bytesThrough
    tasks[index].phase = .carrying
    tasks[index].isHeld = true
    tasks[index].provider = nil
    tasks[index].demand = outbox.raise(
      radio, DemandSettings(transfer: tasks[index].transfer(deadline: deadline)))
    outbox.order(TransferOrder.open(tasks[index].exchange(in: context.id)))
  }

  /// Withdraws a task from the governor and the radio. A `part` event then reports its transferred bytes.
  private mutating func withdraw(
    _ index: Int, to phase: TransferTask.Phase, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if let demand = tasks[index].demand { outbox.release(demand) }
    outbox.order(TransferOrder.close(tasks[index].exchange(in: context.id), keepsPart: true))
    tasks[index].phase = phase
  }

  // MARK: Events of the governor and the radio

  mutating func noteGrant(_ demand: DemandID, _ grant: Grant) {
    guard let index = tasks.index(of: demand) else { return }
    tasks[index].provider = grant.provider
    tasks[index].isHeld = grant.status != .served || !grant.holds.isEmpty
  }

  /// Handles the start of the transfer of an attempt on a radio.
  mutating func transferStarted(
    _ demand: DemandID, on radio: DeviceID, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard let index = tasks.index(of: demand), tasks[index].isCarrying else { return }
    tasks[index].provider = radio
    tasks[index].isHeld = false
    outbox.order(TransferOrder.start(tasks[index].exchange(in: context.id), on: radio))
  }

  mutating func notePart(_ demand: DemandID, _ bytes: Int64) {
    guard let index = tasks.index(of: demand) else { return }
    tasks[index].advance(to: tasks[index].offset + bytes)
  }

  /// Handles the end of the transfer of an attempt. All bytes are transferred; the server's answer is still
  /// missing.
  mutating func transferDone(_ demand: DemandID, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let index = tasks.index(of: demand), tasks[index].isCarrying else { return }
    tasks[index].advance(to: tasks[index].request.bytes)
    tasks[index].phase = .settling
    outbox.order(TransferOrder.complete(tasks[index].exchange(in: context.id)))
  }

  mutating func noteEnd(_ demand: DemandID, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let index = tasks.index(of: demand) else { return }
    tasks[index].demand = nil
    // This session has not released the demand, so the governor has ended it during an attempt.
    if tasks[index].isCarrying { retry(index, .connection, context, &outbox) }
  }

  // MARK: Reports of the carrier

  private mutating func handle(
    _ report: TransferReport, _ index: Int, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard tasks[index].isCarrying || tasks[index].phase == .settling else { return }
    switch report {
    case .progress(let bytes): tasks[index].advance(to: bytes)
    case .reply(let status): handle(status: status, index, context, &outbox)
    case .finished(let file): finish(index, file, context, &outbox)
    case .failed(let fault):
      if fault.isTransient {
        retry(index, fault, context, &outbox)
      } else {
        fail(index, fault, context, &outbox)
      }
    }
  }

  private mutating func handle(
    status: Int, _ index: Int, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch status {
    case 401, 407:
      withdraw(index, to: .parked, context, &outbox)
      notices.send(.credentialsNeeded(tasks[index].name), context, &outbox)
      if !context.client.isAttached { outbox.launch(.credentials) }
    case 408, 429, 500...599: retry(index, .server, context, &outbox)
    case 400...499:
      notices.send(.reply(tasks[index].name, status), context, &outbox)
      fail(index, .rejected, context, &outbox)
    default: notices.send(.reply(tasks[index].name, status), context, &outbox)
    }
  }

  private mutating func finish(
    _ index: Int, _ file: String?, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if let demand = tasks[index].demand { outbox.release(demand) }
    notices.send(.finished(tasks[index].name, file: file), context, &outbox)
    tasks.end(index)
  }

  /// Schedules a retry, or fails the task when its retries are used up.
  private mutating func retry(
    _ index: Int, _ fault: TransferFault, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    tasks[index].failures = tasks[index].failures.addingSaturated(1)
    guard
      let wait = configuration.retries.wait(
        after: tasks[index].failures, of: tasks[index].exchange(in: context.id).key)
    else {
      fail(index, fault, context, &outbox)
      return
    }
    // The attempt failed although all bytes were transferred. So the server cannot reuse these bytes, and the
    // next attempt transfers all bytes again.
    if tasks[index].phase == .settling { tasks[index].bytesThrough = 0 }
    withdraw(index, to: .resting(until: context.instant + wait), context, &outbox)
    tasks[index].reported = nil
    reportWait(.retry, index, context, &outbox)
  }

  private mutating func fail(
    _ index: Int, _ fault: TransferFault, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if let demand = tasks[index].demand { outbox.release(demand) }
    if tasks[index].attempt > 0 {
      outbox.order(TransferOrder.close(tasks[index].exchange(in: context.id), keepsPart: false))
    }
    notices.send(.failed(tasks[index].name, fault), context, &outbox)
    tasks.end(index)
  }

  // MARK: The link

  /// Stops all transfers except urgent transfers when the link has been slow for too long.
  private mutating func stopOnSlowLink(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let isCarrying = tasks.all.contains(where: \.isCarrying)
    guard moment.pass(configuration, isCarrying: isCarrying, at: context.instant) else { return }
    for index in tasks.indices where tasks[index].isCarrying && !tasks[index].isUrgent {
      withdraw(index, to: .waiting, context, &outbox)
    }
  }

  /// Handles the loss of a radio: its transfers continue over another radio from their current offset.
  mutating func leave(
    _ device: DeviceID, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    for index in tasks.indices where tasks[index].isCarrying && tasks[index].provider == device {
      withdraw(index, to: .waiting, context, &outbox)
    }
  }
}
