import StintModel
import StintUnits

extension TransferSession {
  /// The time allowed in addition to the transfer of the bytes: starting the radio, queueing and the server's
  /// answer.
  private static let allowance = TimeSpan.minutes(1)

  /// Returns the target of the session's demands. Cheaper radios of the target's ladder may serve the
  /// demands. Nil when no radio may carry the transfers.
  func radio(_ context: ServiceContext) -> DeviceID? {
    context.roles.radio(metered: configuration.allowsCellular)
  }

  var mayForce: Bool { configuration.windowEnd == .force }

  /// Updates the start of the good moment. A moment is good while there is Wi-Fi, or external power in a
  /// session that may use the cellular radio.
  mutating func updateGoodSince(_ context: ServiceContext) {
    let hasWiFi = context.fact("net.kind", is: "wifi")
    let isPowered = configuration.allowsCellular && context.fact("power.source", is: "external")
    guard hasWiFi || isPowered else {
      goodSince = nil
      return
    }
    goodSince = goodSince ?? context.instant
  }

  /// Returns whether the moment has been good for at least the settling time.
  func isGood(at instant: Instant) -> Bool {
    goodSince.map { $0 + configuration.settling <= instant } ?? false
  }

  /// Returns the instant at which a task must start to be complete when its window ends.
  func latestStart(of task: TransferTask, _ context: ServiceContext) -> Instant {
    let rate = radio(context).flatMap(context.manifest)?.figures["link_rate"]?.value ?? 0
    guard rate > 0, let span = TimeSpan(seconds: Double(task.bytesLeft) / rate) else { return task.expiry }
    return max(task.submitted ?? task.created, task.expiry - (span + Self.allowance))
  }

  /// Returns the reason why a waiting task does not start now; nil when the task starts.
  func obstacle(to task: TransferTask, _ context: ServiceContext) -> TransferWait? {
    if radio(context) == nil { return .noRadio }
    let carriers = context.roles.devices(.carrier)
    if !carriers.isEmpty, !carriers.contains(where: context.isAvailable) { return .noCarrier }
    if task.isUrgent { return nil }
    if mayForce, latestStart(of: task, context) <= context.instant { return nil }
    if link.isSlow { return .slowLink }
    if canPiggyback(task, at: context.instant) { return nil }
    return task.isDeferrable && !startsAtOnce && !isGood(at: context.instant) ? .goodMoment : nil
  }

  /// Returns whether the task may start together with another task for which the radio starts now.
  ///
  /// The result is true only after half of the task's window: a good moment is then unlikely, and one start
  /// of the radio serves both tasks.
  private func canPiggyback(_ task: TransferTask, at instant: Instant) -> Bool {
    guard mayForce, forcedAt == instant, let submitted = task.submitted else { return false }
    return instant - submitted >= TimeSpan(nanoseconds: task.window.nanoseconds / 2)
  }

  // MARK: The link

  mutating func noteThroughput(_ rate: Double, _ context: ServiceContext) {
    guard let slowLink = configuration.slowLink else { return }
    link.note(rate, slowLink, at: context.instant)
  }

  /// Stops transfers over a link that has been slow for too long.
  mutating func passLink(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let slowLink = configuration.slowLink else { return }
    if !tasks.contains(where: \.isCarrying) { link.pause() }
    guard link.pass(slowLink, at: context.instant) else { return }
    for index in tasks.indices where tasks[index].isCarrying && !tasks[index].isUrgent {
      withdraw(index, to: .waiting, context, &outbox)
    }
  }

  /// Handles the loss of a radio: its transfers continue over another radio from their current offset.
  mutating func leave(_ device: DeviceID, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    for index in tasks.indices where tasks[index].isCarrying && tasks[index].provider == device {
      withdraw(index, to: .waiting, context, &outbox)
    }
  }
}

extension ServiceContext {
  /// Returns whether a fact is known and has the value `word`.
  func fact(_ path: String, is word: String) -> Bool {
    guard let value = environment.vocabulary.schema(path)?.value(from: word) else { return false }
    return value != .unknown && fact(path) == value
  }
}

/// Decides from the rate of real transfers whether the link is too slow to use.
struct LinkWatch: Hashable, Sendable {
  /// The instant since which transfers have been slow; nil while transfers are fast enough.
  private var slowSince: Instant?
  /// The instant until which no transfer starts; nil while the link is good.
  private(set) var restsUntil: Instant?

  var isSlow: Bool { restsUntil != nil }

  /// Returns the next instant at which `isSlow` changes, or transfers must stop, without a measurement.
  func nextChange(_ threshold: SlowLinkLimits) -> Instant {
    restsUntil ?? slowSince.map { $0 + threshold.span } ?? .distantFuture
  }

  /// Records the rate of transfers, in bytes per second.
  mutating func note(_ rate: Double, _ threshold: SlowLinkLimits, at instant: Instant) {
    if rate < threshold.below {
      slowSince = slowSince ?? instant
    } else {
      slowSince = nil
      if rate >= threshold.release { restsUntil = nil }
    }
  }

  /// Records that no transfer is in progress. The rate is then not measured.
  mutating func pause() { slowSince = nil }

  /// Advances the time. Returns true when transfers in progress must stop.
  mutating func pass(_ threshold: SlowLinkLimits, at instant: Instant) -> Bool {
    if let restsUntil, restsUntil <= instant { self.restsUntil = nil }
    guard let slowSince, slowSince + threshold.span <= instant else { return false }
    self.slowSince = nil
    restsUntil = instant + threshold.probe
    return true
  }
}
