import StintModel
import StintUnits

extension TransferSession {
  private static let cellular: DeviceID = "radio.cellular"
  private static let wifi: DeviceID = "radio.wifi"

  /// What is allowed for beyond the bytes: rising, queueing behind others, the server's answer.
  private static let allowance = TimeSpan.minutes(1)

  /// The radio that demands name; cheaper ones of its ladder may serve them.
  func radio(_ context: ServiceContext) -> DeviceID {
    configuration.allowsCellular && context.manifest(Self.cellular) != nil ? Self.cellular : Self.wifi
  }

  var mayForce: Bool { configuration.windowEnd == .force }

  /// Looks whether the moment is good: Wi-Fi, or external power.
  mutating func updateGoodSince(_ context: ServiceContext) {
    let hasWiFi = context.fact("net.kind", is: "wifi")
    let isPowered = configuration.allowsCellular && context.fact("power.source", is: "external")
    guard hasWiFi || isPowered else {
      goodSince = nil
      return
    }
    goodSince = goodSince ?? context.instant
  }

  /// Whether the moment has been good for long enough not to be a flicker.
  func isGood(at instant: Instant) -> Bool {
    goodSince.map { $0 + configuration.settling <= instant } ?? false
  }

  /// When a task must go so that it is through when its window ends.
  func latestStart(of task: TransferTask, _ context: ServiceContext) -> Instant {
    let rate = context.manifest(radio(context))?.figures["link_rate"]?.value ?? 0
    guard rate > 0, let span = TimeSpan(seconds: Double(task.bytesLeft) / rate) else { return task.expiry }
    return max(task.submitted ?? task.created, task.expiry - (span + Self.allowance))
  }

  /// Why a task that waits does not go now; nil when it goes.
  func obstacle(to task: TransferTask, _ context: ServiceContext) -> TransferWait? {
    if task.isUrgent { return nil }
    if mayForce, latestStart(of: task, context) <= context.instant { return nil }
    if link.isSlow { return .slowLink }
    if canPiggyback(task, at: context.instant) { return nil }
    return task.isDeferrable && !skipsWindow && !isGood(at: context.instant) ? .goodMoment : nil
  }

  /// Whether the radio rises now for another task that could wait no longer, and this one has waited for half its time:
  /// a good moment is not likely to come to it any more, and one rise serves both.
  private func canPiggyback(_ task: TransferTask, at instant: Instant) -> Bool {
    guard mayForce, forcedAt == instant, let submitted = task.submitted else { return false }
    return instant - submitted >= TimeSpan(nanoseconds: task.window.nanoseconds / 2)
  }

  // MARK: The link

  mutating func noteThroughput(_ rate: Double, _ context: ServiceContext) {
    guard let slowLink = configuration.slowLink else { return }
    link.note(rate, slowLink, at: context.instant)
  }

  /// Stops what is on its way over a link that has been slow for too long.
  mutating func passLink(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let slowLink = configuration.slowLink else { return }
    if !tasks.contains(where: \.isCarrying) { link.pause() }
    guard link.pass(slowLink, at: context.instant) else { return }
    for index in tasks.indices where tasks[index].isCarrying && !tasks[index].isUrgent {
      withdraw(index, to: .waiting, context, &outbox)
    }
  }

  /// A radio is gone: what was on its way over it goes on elsewhere, from where it was.
  mutating func leave(_ device: DeviceID, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    for index in tasks.indices where tasks[index].isCarrying && tasks[index].provider == device {
      withdraw(index, to: .waiting, context, &outbox)
    }
  }
}

extension ServiceContext {
  /// Whether a fact is known to be this word.
  func fact(_ path: String, is word: String) -> Bool {
    guard let value = environment.vocabulary.schema(path)?.value(from: word) else { return false }
    return value != .unknown && fact(path) == value
  }
}

/// Whether the link is worth its power, as real transfers found it.
struct LinkWatch: Hashable, Sendable {
  /// Since when transfers have been slow.
  private var slowSince: Instant?
  /// Until when nothing is tried; nil while the link is good.
  private(set) var restsUntil: Instant?

  var isSlow: Bool { restsUntil != nil }

  /// When it changes its mind by itself.
  func nextChange(_ threshold: SlowLinkLimits) -> Instant {
    restsUntil ?? slowSince.map { $0 + threshold.span } ?? .distantFuture
  }

  /// Transfers go at this rate, in bytes a second.
  mutating func note(_ rate: Double, _ threshold: SlowLinkLimits, at instant: Instant) {
    if rate < threshold.below {
      slowSince = slowSince ?? instant
    } else {
      slowSince = nil
      if rate >= threshold.release { restsUntil = nil }
    }
  }

  /// Nothing is on its way, so nothing is measured.
  mutating func pause() { slowSince = nil }

  /// Time has passed; whether what is on its way is to stop.
  mutating func pass(_ threshold: SlowLinkLimits, at instant: Instant) -> Bool {
    if let restsUntil, restsUntil <= instant { self.restsUntil = nil }
    guard let slowSince, slowSince + threshold.span <= instant else { return false }
    self.slowSince = nil
    restsUntil = instant + threshold.probe
    return true
  }
}
