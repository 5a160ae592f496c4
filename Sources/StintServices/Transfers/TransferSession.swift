import StintModel
import StintUnits

/// A session of transfers. It keeps a client's tasks across crashes and restarts, raises their demands at
/// good moments, retries failed tasks, and notifies the client in order.
///
/// The governor decides whether, when and on which radio a demand is carried. The process that carries the
/// transfers sends reports to the session.
struct TransferSession: PersistentService {
  static let kind = "transfers"

  private var work: TransferWork
  private var created = Instant.epoch
  /// The window of tasks created from now on.
  private var window: TimeSpan
  private(set) var nextTimer = Instant.distantFuture

  init(_ configuration: TransferConfiguration) {
    work = TransferWork(configuration)
    window = configuration.window.timeSpan
  }

  private var configuration: TransferConfiguration { work.configuration }

  var isValid: Bool {
    configuration.rejectionReason == nil && window > .zero && work.notices.isValid && work.tasks.isValid
  }

  func need(_ roles: DeviceRoles) -> PermissionNeed { .network }
  var commandType: (any ServiceCommand.Type)? { TransferCommand.self }
  var outlivesClient: Bool { configuration.outlivesClient }

  var signals: [String: Double] {
    var signals = ["net.failed": 0.0, "net.auth_needed": 0, "net.session_done": 0]
    for task in work.tasks.all {
      if case .resting = task.phase { signals["net.failed", default: 0] += 1 }
      if task.phase == .parked { signals["net.auth_needed", default: 0] += 1 }
    }
    if !work.isBusy, work.tasks.hasEnded { signals["net.session_done"] = 1 }
    return signals
  }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if configuration.mustExist {
      outbox.fail(ServiceFailure(.lost, "“\(context.id.client)” has no session “\(context.id.name)”"))
      return
    }
    work = TransferWork(configuration.following(context.defaults(ofSession: context.id.name)))
    created = context.instant
    work.join(&outbox)
    work.updateMoment(context)
    proceed(context, &outbox)
  }

  /// Resumes the session after a restart of the host. The session has no client until the client's process
  /// joins it again with `rejoin`.
  mutating func resume(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    work.restart(at: context.instant)
    work.updateMoment(context)
    proceed(context, &outbox)
  }

  mutating func rejoin(
    _ request: any ServiceRequest, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) -> Bool {
    guard let asked = request as? TransferConfiguration, !work.notices.isJoined else { return false }
    var effective = asked.following(context.defaults(ofSession: context.id.name))
    effective.mustExist = configuration.mustExist
    work.join(&outbox)
    warnIfFrozen(effective, &outbox)
    proceed(context, &outbox)
    return true
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .command(let command as TransferCommand): handle(command, context, &outbox)
    case .granted(let demand, let grant): work.noteGrant(demand, grant)
    case .started(let demand, let radio): work.transferStarted(demand, on: radio, context, &outbox)
    case .part(let demand, let bytes): work.notePart(demand, bytes)
    case .carried(let demand): work.transferDone(demand, context, &outbox)
    case .ended(let demand): work.noteEnd(demand, context, &outbox)
    case .fact(let path, let value):
      guard TransferMoment.facts.contains(path) else { return }
      work.note(path, value, context)
    case .device(let device, .available(false)): work.leave(device, context, &outbox)
    case .permissions(let permissions):
      // `ServiceBoard` ends the session after this event, so the session must stop its transfers here.
      if !permissions.allow(need(context.roles)) { end(context, &outbox) }
      return
    case .client(isAttached: false): work.leave(at: context.instant)
    case .client, .timer, .starts, .presence, .device(_, .available(true)): break
    default: return
    }
    proceed(context, &outbox)
  }

  mutating func end(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    for task in work.tasks.all where task.attempt > 0 {
      outbox.order(TransferOrder.close(task.exchange(in: context.id), keepsPart: false))
    }
    // No client will read these files.
    for file in work.notices.files { outbox.order(TransferOrder.discard(file)) }
  }

  func rejectionReason(of command: any ServiceCommand) -> ServiceFailure? {
    switch command as? TransferCommand {
    case .resume(let name), .cancel(let name), .promote(let name), .credentials(let name):
      work.tasks.rejectionReason(forTask: name)
    case .window(let duration): ServiceFailure(duration, "the window", .period)
    case .create(let name, let request), .start(let name, let request):
      InputBounds.rejectionReason(forName: name).map { ServiceFailure(.invalid, $0) }
        ?? request.rejectionReason.map { ServiceFailure(.invalid, "the task “\(name)”: \($0.sentence)") }
        ?? work.tasks.rejectionReason(forNewTask: name)
    case .reconfigure, .report, nil: nil
    }
  }

  /// Returns a summary of the session under its name.
  func summary(_ id: ServiceID, at instant: Instant) -> TransferSummary {
    let tasks = work.tasks.all
    return TransferSummary(
      owner: id.client, name: id.name, age: (instant - created).duration, tasks: tasks.count,
      queuedBytes: tasks.reduce(0) { $0 + $1.bytesLeft })
  }

  private mutating func handle(
    _ command: TransferCommand, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch command {
    case .create(let name, let request): work.create(name, request, window: window, context, &outbox)
    case .start(let name, let request):
      work.create(name, request, window: window, context, &outbox)
      if let index = work.tasks.index(of: name) { work.handle(.resume(name), index, context, &outbox) }
    case .window(let duration):
      window = duration.timeSpan
    case .reconfigure(let other): warnIfFrozen(other, &outbox)
    case .resume(let name), .cancel(let name), .promote(let name), .credentials(let name),
      .report(let name, _, _):
      if let index = work.tasks.index(of: name) { work.handle(command, index, context, &outbox) }
    }
  }

  /// Advances all tasks as far as is possible now, and sets the next timer. A session that has neither tasks
  /// nor a client ends when `configuration.window` has passed since the client left.
  private mutating func proceed(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    work.proceed(context, &outbox)
    nextTimer = work.nextTimer(context)
    guard work.tasks.isEmpty, let leftAt = work.notices.leftAt else { return }
    let end = leftAt + configuration.window.timeSpan
    if end <= context.instant {
      outbox.finish()
    } else {
      nextTimer = min(nextTimer, end)
    }
  }

  private func warnIfFrozen(_ requested: TransferConfiguration, _ outbox: inout ServiceOutbox) {
    guard requested != configuration else { return }
    outbox.notify(
      TransferNotice.warning(
        "W-FROZEN", "the settings of a session cannot change; create another session"))
  }
}

/// The saved state. The members of the tasks and notices are in the same JSON object as the members of the
/// session.
extension TransferSession {
  enum CodingKeys: String, CodingKey {
    case configuration, created, window
    case isBusy = "busy"
  }

  init(from decoder: any Decoder) throws {
    let state = try decoder.container(keyedBy: CodingKeys.self)
    work = TransferWork(
      try state.decode(TransferConfiguration.self, forKey: .configuration), try TransferTasks(from: decoder),
      try SessionNotices(from: decoder), isBusy: try state.decode(Bool.self, forKey: .isBusy))
    created = try state.decode(Instant.self, forKey: .created)
    window = try state.decode(TimeSpan.self, forKey: .window)
  }

  func encode(to encoder: any Encoder) throws {
    var state = encoder.container(keyedBy: CodingKeys.self)
    try state.encode(configuration, forKey: .configuration)
    try state.encode(created, forKey: .created)
    try work.tasks.encode(to: encoder)
    try state.encode(window, forKey: .window)
    try work.notices.encode(to: encoder)
    try state.encode(work.isBusy, forKey: .isBusy)
  }
}
