import StintModel
import StintUnits

/// A session of transfers. It keeps a client's tasks across crashes and restarts, raises their demands at
/// good moments, retries failed tasks, and notifies the client in order.
///
/// The governor decides whether, when and on which radio a demand is carried. The process that carries the
/// transfers sends reports to the session.
struct TransferSession: PersistentService {
  static let kind = "transfers"

  private(set) var configuration: TransferConfiguration
  var created = Instant.epoch
  /// The tasks in the order of creation.
  var tasks: [TransferTask] = []
  /// The names of ended tasks, so that creating them again has no effect. The oldest names are dropped.
  var over: [String] = []
  /// The window of tasks created from now on.
  var window: TimeSpan
  /// The notices that wait for the client, oldest first.
  var kept: [TransferNotice] = []
  /// The number of notices that were dropped since the client left, because too many waited. Only notices
  /// that do not promise persistence are dropped.
  var dropped = 0
  /// Whether the client has joined the session: by creating it, or by requesting it again.
  var isJoined = false
  /// The instant at which the client left; nil while the client has joined the session.
  var leftAt: Instant?
  /// The start of the good moment, as `updateGoodSince` determines it; nil while the moment is not good.
  var goodSince: Instant?
  var link = LinkWatch()
  /// The last instant at which a task started without a good moment because its window ended.
  var forcedAt: Instant?
  /// Whether a rule lets the tasks begin without waiting for a good moment.
  var startsAtOnce = false
  /// Whether a task began since the last `drained` notice.
  var isBusy = false
  var nextTimer = Instant.distantFuture

  /// The largest number of remembered names of ended tasks.
  static let maxEndedTaskNames = 10_000
  /// The largest number of open tasks; further tasks are rejected.
  static let mostTasks = 10_000
  /// The largest number of waiting notices that do not promise persistence. Above this number, the oldest of
  /// these notices is dropped. Notices that promise persistence are never dropped.
  static let maxKept = 1024

  enum CodingKeys: String, CodingKey {
    case configuration, created, tasks, over, window, kept, dropped
    case leftAt = "left_at"
    case isBusy = "busy"
  }

  init(_ configuration: TransferConfiguration) {
    self.configuration = configuration
    window = configuration.window
  }

  var isValid: Bool {
    configuration.rejectionReason == nil && window > .zero && dropped >= 0
      && tasks.allSatisfy(\.isValid)
  }

  var outlivesClient: Bool { configuration.outlivesClient }

  var signals: [String: Double] {
    var signals = ["net.failed": 0.0, "net.auth_needed": 0, "net.session_done": 0]
    for task in tasks {
      if case .resting = task.phase { signals["net.failed", default: 0] += 1 }
      if task.phase == .parked { signals["net.auth_needed", default: 0] += 1 }
    }
    if !isBusy, !over.isEmpty { signals["net.session_done"] = 1 }
    return signals
  }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if configuration.mustExist {
      outbox.fail(ServiceFailure(.lost, "“\(context.id.client)” has no session “\(context.id.name)”"))
      return
    }
    configuration.follow(context.defaults(ofSession: context.id.name))
    created = context.instant
    isJoined = true
    updateGoodSince(context)
    proceed(context, &outbox)
  }

  /// Resumes the session. Its client has not joined it yet, because the client's process ended with the
  /// host's process.
  mutating func resume(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    tasks = tasks.map(\.afterRestart)
    leftAt = leftAt ?? context.instant
    updateGoodSince(context)
    proceed(context, &outbox)
  }

  mutating func rejoin(
    _ request: any ServiceRequest, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) -> Bool {
    guard let asked = request as? TransferConfiguration, !isJoined else { return false }
    isJoined = true
    leftAt = nil
    var effective = asked
    effective.mustExist = configuration.mustExist
    effective.follow(context.defaults(ofSession: context.id.name))
    if dropped > 0 {
      outbox.notify(
        ServiceFailure(.lost, "\(dropped) notices were dropped because more than \(Self.maxKept) waited"))
    }
    dropped = 0
    for notice in kept { deliver(notice, &outbox) }
    kept.removeAll()
    if effective != configuration { warnFrozen(&outbox) }
    proceed(context, &outbox)
    return true
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .command(let command as TransferCommand): handle(command, context, &outbox)
    case .granted(let demand, let grant): noteGrant(demand, grant)
    case .started(let demand, let radio): transferStarted(demand, on: radio, context, &outbox)
    case .part(let demand, let bytes): notePart(demand, bytes)
    case .carried(let demand): transferDone(demand, context, &outbox)
    case .ended(let demand): noteEnd(demand, context, &outbox)
    case .fact(let path, let value):
      guard Self.facts.contains(path) else { return }
      if path == "net.throughput", case .number(let rate) = value { noteThroughput(rate, context) }
      updateGoodSince(context)
    case .device(let device, .available(false)): leave(device, context, &outbox)
    case .client(let isAttached): noteClient(isAttached, context)
    case .timer, .starts, .presence: break
    case .device(_, .available(true)): break
    default: return
    }
    proceed(context, &outbox)
  }

  mutating func end(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    for task in tasks where task.attempt > 0 {
      outbox.order(TransferOrder.close(task.exchange(in: context.id), keepsPart: false))
    }
    // No client will read these files.
    for case .finished(_, let file?) in kept { outbox.order(TransferOrder.discard(file)) }
  }

  /// The facts that affect whether tasks start.
  private static let facts: Set<String> = ["net.kind", "power.source", "net.throughput", "app.state"]

  /// Advances all tasks as far as is possible now, and sets the next timer.
  private mutating func proceed(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    followStarts(context)
    passLink(context, &outbox)
    for index in tasks.indices where !tasks[index].isOver { proceed(index, context, &outbox) }
    tasks.removeAll(where: \.isOver)
    noteDrained(context, &outbox)
    if let leftAt, tasks.isEmpty, leftAt + configuration.window <= context.instant { outbox.finish() }
    plan(context)
  }

  private mutating func plan(_ context: ServiceContext) {
    var next = Instant.distantFuture
    let now = context.instant
    func consider(_ instant: Instant) { if instant > now { next = min(next, instant) } }
    if let goodSince { consider(goodSince + configuration.settling) }
    if let slowLink = configuration.slowLink { consider(link.nextChange(slowLink)) }
    if let leftAt, tasks.isEmpty { consider(leftAt + configuration.window) }
    for task in tasks {
      consider(task.expiry)
      if case .resting(let until) = task.phase { consider(until) }
      if mayForce, task.phase == .waiting, task.isDeferrable || link.isSlow {
        consider(latestStart(of: task, context))
      }
    }
    nextTimer = next
  }
}
