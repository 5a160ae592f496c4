import StintModel
import StintUnits

extension TransferSession {
  /// Advances one task as far as is possible now.
  mutating func proceed(_ index: Int, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
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
      guard tasks[index].isHeld, tasks[index].demand != nil, obstacle(to: tasks[index], context) != nil else {
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
    if let wait = obstacle(to: tasks[index], context) {
      reportWait(wait, index, context, &outbox)
      return
    }
    let wouldWait = tasks[index].isDeferrable && !startsAtOnce && !isGood(at: context.instant)
    if wouldWait, !tasks[index].isUrgent {
      reportWait(.forced, index, context, &outbox)
      forcedAt = context.instant
    }
    raise(index, context, &outbox)
  }

  private mutating func reportWait(
    _ wait: TransferWait, _ index: Int, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard tasks[index].reported != wait else { return }
    tasks[index].reported = wait
    notify(.waiting(tasks[index].name, wait), context, &outbox)
  }

  private mutating func raise(_ index: Int, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let radio = radio(context) else { return }
    var deadline: TimeSpan?
    if tasks[index].isUrgent {
      deadline = .zero
    } else if mayForce {
      deadline = max(.zero, latestStart(of: tasks[index], context) - context.instant)
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
  mutating func withdraw(
    _ index: Int, to phase: TransferTask.Phase, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if let demand = tasks[index].demand { outbox.release(demand) }
    outbox.order(TransferOrder.close(tasks[index].exchange(in: context.id), keepsPart: true))
    tasks[index].phase = phase
  }

  // MARK: Events of the governor and the radio

  private func taskIndex(of demand: DemandID) -> Int? {
    tasks.firstIndex { $0.demand == demand && !$0.isOver }
  }

  mutating func noteGrant(_ demand: DemandID, _ grant: Grant) {
    guard let index = taskIndex(of: demand) else { return }
    tasks[index].provider = grant.provider
    tasks[index].isHeld = grant.status != .served || !grant.holds.isEmpty
  }

  /// Handles the start of the transfer of an attempt on a radio.
  mutating func transferStarted(
    _ demand: DemandID, on radio: DeviceID, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard let index = taskIndex(of: demand), tasks[index].isCarrying else { return }
    tasks[index].provider = radio
    tasks[index].isHeld = false
    outbox.order(TransferOrder.start(tasks[index].exchange(in: context.id), on: radio))
  }

  mutating func notePart(_ demand: DemandID, _ bytes: Int64) {
    guard let index = taskIndex(of: demand) else { return }
    tasks[index].advance(to: tasks[index].offset + bytes)
  }

  /// Handles the end of the transfer of an attempt. All bytes are transferred; the server's answer is
  /// still missing.
  mutating func transferDone(_ demand: DemandID, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let index = taskIndex(of: demand), tasks[index].isCarrying else { return }
    tasks[index].advance(to: tasks[index].request.bytes)
    tasks[index].phase = .settling
    outbox.order(TransferOrder.complete(tasks[index].exchange(in: context.id)))
  }

  mutating func noteEnd(_ demand: DemandID, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let index = taskIndex(of: demand) else { return }
    tasks[index].demand = nil
    // An end during an attempt comes from the governor; this session did not release the demand.
    if tasks[index].isCarrying { retry(index, .connection, context, &outbox) }
  }

  // MARK: Reports of the carrier

  mutating func handle(
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
      notify(.credentialsNeeded(tasks[index].name), context, &outbox)
      if !context.client.isAttached { outbox.launch(.credentials) }
    case 408, 429, 500...599: retry(index, .server, context, &outbox)
    case 400...499:
      notify(.reply(tasks[index].name, status), context, &outbox)
      fail(index, .rejected, context, &outbox)
    default: notify(.reply(tasks[index].name, status), context, &outbox)
    }
  }

  private mutating func finish(
    _ index: Int, _ file: String?, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if let demand = tasks[index].demand { outbox.release(demand) }
    notify(.finished(tasks[index].name, file: file), context, &outbox)
    conclude(index)
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
    // All bytes were transferred and the attempt failed nevertheless. So the server cannot reuse these bytes,
    // and the next attempt transfers all bytes again.
    if tasks[index].phase == .settling { tasks[index].bytesThrough = 0 }
    withdraw(index, to: .resting(until: context.instant + wait), context, &outbox)
    tasks[index].reported = nil
    reportWait(.retry, index, context, &outbox)
  }

  mutating func fail(
    _ index: Int, _ fault: TransferFault, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if let demand = tasks[index].demand { outbox.release(demand) }
    if tasks[index].attempt > 0 {
      outbox.order(TransferOrder.close(tasks[index].exchange(in: context.id), keepsPart: false))
    }
    notify(.failed(tasks[index].name, fault), context, &outbox)
    conclude(index)
  }

  private mutating func conclude(_ index: Int) {
    tasks[index].isOver = true
    over.append(tasks[index].name)
    if over.count > Self.maxEndedTaskNames { over.removeFirst(over.count - Self.maxEndedTaskNames) }
  }
}
