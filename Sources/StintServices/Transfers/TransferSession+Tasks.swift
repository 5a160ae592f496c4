import StintModel
import StintUnits

extension TransferSession {
  mutating func handle(
    _ command: TransferCommand, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch command {
    case .create(let name, let request): create(name, request, context, &outbox)
    case .resume(let name): if let index = taskIndex(of: name) { resume(index, context) }
    case .cancel(let name):
      if let index = taskIndex(of: name) { fail(index, .cancelled, context, &outbox) }
    case .promote(let name): if let index = taskIndex(of: name) { promote(index, context, &outbox) }
    case .credentials(let name):
      if let index = taskIndex(of: name), tasks[index].phase == .parked { tasks[index].phase = .waiting }
    case .window(let span):
      if span > .zero {
        window = span
      } else {
        outbox.notify(ServiceFailure(.invalid, "the window is \(span); it must be above 0 s"))
      }
    case .reconfigure(let other): if other != configuration { warnFrozen(&outbox) }
    case .report(let name, let attempt, let report):
      if let index = taskIndex(of: name), tasks[index].attempt == attempt {
        handle(report, index, context, &outbox)
      }
    }
  }

  /// Returns the index of an open task; nil when there is no open task of this name.
  private func taskIndex(of name: String) -> Int? { tasks.firstIndex { $0.name == name && !$0.isOver } }

  private mutating func create(
    _ name: String, _ request: TransferRequest, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    let nameFault = InputBounds.rejectionReason(forName: name).map { ServiceFailure(.invalid, $0) }
    if let rejectionReason = nameFault ?? request.rejectionReason {
      notify(.refused(name, rejectionReason), context, &outbox)
      return
    }
    if taskIndex(of: name) == nil, !over.contains(name) {
      guard tasks.count < Self.mostTasks else {
        let sentence = "“\(context.id.name)” has \(Self.mostTasks) open tasks; wait for some, or cancel them"
        notify(.refused(name, ServiceFailure(.full, sentence)), context, &outbox)
        return
      }
      let isLarge = configuration.largeTask.map { request.bytes > $0 } ?? false
      tasks.append(
        TransferTask(
          name, request, window: window, isDeferrable: configuration.isDiscretionary || isLarge,
          at: context.instant))
    }
    notify(.accepted(name), context, &outbox)
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
  mutating func followStarts(_ context: ServiceContext) {
    let starts = context.starts(ofSession: context.id.name)
    startsAtOnce = starts.atOnce
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

  // MARK: Notices for the client

  /// Notifies the client, or queues the notice until the client has joined the session.
  mutating func notify(
    _ notice: TransferNotice, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    guard !context.client.isAttached || !isJoined else {
      deliver(notice, &outbox)
      return
    }
    kept.append(notice)
    guard kept.count > Self.maxKept, kept.count(where: { !$0.promisesPersistence }) > Self.maxKept,
      let oldest = kept.firstIndex(where: { !$0.promisesPersistence })
    else { return }
    kept.remove(at: oldest)
    dropped += 1
  }

  func deliver(_ notice: TransferNotice, _ outbox: inout ServiceOutbox) {
    outbox.notify(notice)
    switch notice {
    case .reply: outbox.signal(.reply)
    case .finished(_, file: .some): outbox.signal(.fileReady)
    default: break
    }
  }

  func warnFrozen(_ outbox: inout ServiceOutbox) {
    outbox.notify(
      TransferNotice.warning(
        "W-FROZEN", "the settings of a session cannot change; create another session"))
  }

  mutating func noteClient(_ isAttached: Bool, _ context: ServiceContext) {
    guard !isAttached else { return }
    isJoined = false
    leftAt = context.instant
  }

  /// Reports once that all begun tasks have ended or wait for credentials, and launches the client for this
  /// notice.
  mutating func noteDrained(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard isBusy, tasks.allSatisfy({ $0.phase == .suspended || $0.phase == .parked }) else { return }
    isBusy = false
    notify(.drained, context, &outbox)
    if !context.client.isAttached { outbox.launch(.transfers) }
  }
}
