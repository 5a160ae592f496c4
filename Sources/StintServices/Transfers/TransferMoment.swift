import StintModel
import StintUnits

/// Decides whether a task of a session may start now. A task that can wait starts at a good moment: when
/// Wi-Fi has been available for the time `settling`. In a session that may use the cellular radio, a moment
/// is also good when external power has been present for this time.
struct TransferMoment: Hashable, Sendable {
  /// The instant since which Wi-Fi has been available, or external power in a session that may use the
  /// cellular radio. Nil while neither is available.
  private var goodSince: Instant?
  /// The last instant at which a task started without a good moment. Such a task starts because its window,
  /// or the window of another task, ends soon.
  private var forcedAt: Instant?
  /// Whether a rule lets the tasks begin without waiting for a good moment.
  private var startsAtOnce = false
  private var link = LinkWatch()

  /// The time allowed in addition to the transfer of the bytes: starting the radio, queueing and the server's
  /// answer.
  private static let allowance = TimeSpan.minutes(1)

  /// The facts that affect whether tasks start.
  static let facts: Set<String> = ["net.kind", "power.source", "net.throughput", "app.state"]

  /// Returns the target of a session's demands. Cheaper radios of the target's ladder may serve the demands.
  /// Nil when no radio may carry the transfers.
  static func radio(_ configuration: TransferConfiguration, _ context: ServiceContext) -> DeviceID? {
    context.roles.radio(metered: configuration.allowsCellular)
  }

  /// Returns the latest instant at which a task can start and still be complete when its window ends. The
  /// estimate uses the figure `link_rate` of the radio; without this figure, the result is the end of the
  /// window.
  static func latestStart(
    of task: TransferTask, _ configuration: TransferConfiguration, _ context: ServiceContext
  ) -> Instant {
    let rate = radio(configuration, context).flatMap(context.manifest)?.figures["link_rate"]?.value ?? 0
    guard rate > 0, let span = TimeSpan(seconds: Double(task.bytesLeft) / rate) else { return task.expiry }
    return max(task.submitted ?? task.created, task.expiry - (span + allowance))
  }

  // MARK: Events

  /// Updates `goodSince`. External power counts only in a session that may use the cellular radio.
  mutating func update(_ configuration: TransferConfiguration, _ context: ServiceContext) {
    let hasWiFi = context.fact("net.kind", is: "wifi")
    let isPowered = configuration.allowsCellular && context.fact("power.source", is: "external")
    goodSince = hasWiFi || isPowered ? goodSince ?? context.instant : nil
  }

  /// Records whether a rule lets the tasks begin without waiting for a good moment.
  mutating func set(startsAtOnce: Bool) { self.startsAtOnce = startsAtOnce }

  /// Records a measured rate of transfers, in bytes per second.
  mutating func note(rate: Double, _ configuration: TransferConfiguration, at instant: Instant) {
    guard let slowLink = configuration.slowLink else { return }
    link.note(rate, slowLink, at: instant)
  }

  /// Advances the time. Returns true when transfers in progress must stop, because the link has been slow for
  /// too long.
  mutating func pass(
    _ configuration: TransferConfiguration, isCarrying: Bool, at instant: Instant
  ) -> Bool {
    guard let slowLink = configuration.slowLink else { return false }
    if !isCarrying { link.pause() }
    return link.pass(slowLink, at: instant)
  }

  // MARK: Decisions

  /// Returns the reason why a waiting task does not start now; nil when the task starts.
  func obstacle(
    to task: TransferTask, _ configuration: TransferConfiguration, _ context: ServiceContext
  ) -> TransferWait? {
    if Self.radio(configuration, context) == nil { return .noRadio }
    let carriers = context.roles.devices(.carrier)
    if !carriers.isEmpty, !carriers.contains(where: context.isAvailable) { return .noCarrier }
    if task.isUrgent { return nil }
    let mayForce = configuration.windowEnd == .force
    if mayForce, Self.latestStart(of: task, configuration, context) <= context.instant { return nil }
    if link.isSlow { return .slowLink }
    if mayForce, canPiggyback(task, at: context.instant) { return nil }
    return mustWait(task, configuration, at: context.instant) ? .goodMoment : nil
  }

  /// Returns whether a task starts now without a good moment, and records such a start in `forcedAt`. Such a
  /// task starts because its window ends soon, or together with another task whose window ends soon. Call
  /// this function only after `obstacle` returned nil.
  mutating func isForced(
    _ task: TransferTask, _ configuration: TransferConfiguration, at instant: Instant
  ) -> Bool {
    guard !task.isUrgent, mustWait(task, configuration, at: instant) else { return false }
    forcedAt = instant
    return true
  }

  /// Returns whether a task must still wait for a good moment.
  private func mustWait(
    _ task: TransferTask, _ configuration: TransferConfiguration, at instant: Instant
  ) -> Bool {
    let isGood = goodSince.map { $0 + configuration.settling.timeSpan <= instant } ?? false
    return task.isDeferrable && !startsAtOnce && !isGood
  }

  /// Returns whether the task may start because another task is forced to start at this instant.
  ///
  /// The result is true only after half of the task's window. A good moment is then unlikely, and one start
  /// of the radio serves both tasks.
  private func canPiggyback(_ task: TransferTask, at instant: Instant) -> Bool {
    guard forcedAt == instant, let submitted = task.submitted else { return false }
    return instant - submitted >= TimeSpan(nanoseconds: task.window.nanoseconds / 2)
  }

  /// Returns the instants at which the decisions may change without an event. Some of these instants may be
  /// in the past.
  func timers(
    for tasks: [TransferTask], _ configuration: TransferConfiguration, _ context: ServiceContext
  ) -> [Instant] {
    var timers: [Instant] = []
    if let goodSince { timers.append(goodSince + configuration.settling.timeSpan) }
    if let slowLink = configuration.slowLink { timers.append(link.nextChange(slowLink)) }
    guard configuration.windowEnd == .force else { return timers }
    for task in tasks where task.phase == .waiting && (task.isDeferrable || link.isSlow) {
      timers.append(Self.latestStart(of: task, configuration, context))
    }
    return timers
  }
}

extension ServiceContext {
  /// Returns whether a fact is known and has the value `word`.
  func fact(_ path: String, is word: String) -> Bool {
    guard let value = environment.vocabulary.schema(path)?.value(from: word) else { return false }
    return value != .unknown && fact(path) == value
  }
}
