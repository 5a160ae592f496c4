public import StintModel
public import StintUnits

/// Reports visits. While the accelerometer detects rest and movement, the service probes the position only
/// when the tracker needs a position. Without an accelerometer, it probes periodically.
public struct VisitsService: PersistentService {
  public static let kind = "visits"
  /// The accuracy of a probe, in metres.
  static let accuracy = 100.0
  /// The period of probes without movement sensing.
  static let probePeriod = TimeSpan.minutes(5)

  private var receivers: [String]
  private var tracker = VisitTracker()
  private var movement = MovementDetector()
  private var order = FixSequencer()
  private var failures = FailureLimit()
  private var probe: PositionProbe?
  /// The rest position, used only without movement sensing; nil before the first fix.
  private var anchor: Fix?
  /// The instant of the last fix that was processed without movement sensing.
  private var lastFixAt = Instant.epoch
  private var nextPeriodicProbe = Instant.distantFuture

  /// The device of the probes; nil for the best available device. The rule of the service names the device,
  /// so this property is not saved.
  var device: DeviceID?

  enum CodingKeys: String, CodingKey { case receivers, tracker }

  init(receivers: [String], device: DeviceID? = nil) {
    self.receivers = receivers
    self.device = device
  }

  public var outlivesClient: Bool { true }
  public func need(_ roles: DeviceRoles) -> PermissionNeed { .preciseLocation(.always) }
  public var word: ServiceWord? { .visits }
  public var commandType: (any ServiceCommand.Type)? { VisitCommand.self }
  public var role: DeviceRole? { .positioning }
  public func candidates(_ roles: DeviceRoles) -> [DeviceID] { device.map { [$0] } ?? roles.placeDevices }
  public var nextTimer: Instant { probe?.deadline ?? min(tracker.nextProbe, nextPeriodicProbe) }

  public mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    movement.begin(context, &outbox)
    planPeriodicProbe(context)
    if nextPeriodicProbe <= context.instant { probePosition(context, &outbox) }
  }

  public mutating func handle(
    _ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    notifyDenial(event, context, &outbox)
    if case .command(let command as VisitCommand) = event, case .listen(let receiver) = command,
      !receivers.contains(receiver)
    {
      receivers.append(receiver)
    }
    let moved = movement.isMoving
    if movement.handle(event, context, &outbox), let isMoving = movement.isMoving, isMoving != moved {
      tracker.note(isMoving: isMoving, at: context.instant)
    }
    if case .device(let device, .available) = event, context.roles.has(device, .activity) {
      planPeriodicProbe(context)
    }
    if let result = probe?.result(of: event, &order, context) { finish(result, context, &outbox) }
    if probe == nil, min(tracker.nextProbe, nextPeriodicProbe) <= context.instant {
      probePosition(context, &outbox)
    }
  }

  public func rejectionReason(of command: any ServiceCommand) -> ServiceFailure? {
    guard case .listen(let receiver)? = command as? VisitCommand else { return nil }
    return InputBounds.rejectionReason(forName: receiver).map { ServiceFailure(.invalid, $0) }
  }

  private mutating func probePosition(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let device = candidates(context.roles).first(where: context.isAvailable) else {
      notifyFailure(ServiceFailure(.unavailable, "no device can provide a position now"), context, &outbox)
      retry(context)
      return
    }
    probe = PositionProbe(device, accuracy: Self.accuracy, context, &outbox)
  }

  private mutating func finish(
    _ result: PositionProbe.Result, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if let probe { outbox.release(probe.demand) }
    probe = nil
    switch result {
    case .fixes(let fixes):
      for fix in fixes {
        if movement.isMoving == nil { inferMovement(fix, at: context.instant) }
        for event in tracker.ingest(fix, at: context.instant) { notify(event, &outbox) }
      }
      planPeriodicProbe(context)
    case .failed(let failure):
      notifyFailure(failure, context, &outbox)
      retry(context)
    case .forbidden: retry(context)
    }
  }

  /// Detects rest and movement from positions when there is no movement sensing.
  private mutating func inferMovement(_ fix: Fix, at instant: Instant) {
    defer { lastFixAt = instant }
    if let anchor, anchor.coordinate.distance(to: fix.coordinate) <= VisitTracker.spread + fix.accuracy {
      return
    }
    if anchor != nil { tracker.note(isMoving: true, at: lastFixAt) }
    anchor = fix
    tracker.note(isMoving: false, at: instant)
  }

  private mutating func planPeriodicProbe(_ context: ServiceContext) {
    guard context.device(for: .activity) == nil else {
      nextPeriodicProbe = .distantFuture
      return
    }
    nextPeriodicProbe = anchor == nil ? context.instant : context.instant + Self.probePeriod
  }

  private mutating func retry(_ context: ServiceContext) {
    tracker.retry(at: context.instant + FailureLimit.pause)
    if nextPeriodicProbe < .distantFuture { nextPeriodicProbe = context.instant + FailureLimit.pause }
  }

  private func notify(_ event: VisitTracker.Event, _ outbox: inout ServiceOutbox) {
    outbox.launch(.visit)
    switch event {
    case .arrived: outbox.signal(.visitArrived)
    case .departed: outbox.signal(.visitDeparted)
    }
    for receiver in receivers {
      switch event {
      case .arrived(let visit): outbox.notify(VisitNotice.arrived(visit, receiver: receiver))
      case .departed(let visit): outbox.notify(VisitNotice.departed(visit, receiver: receiver))
      }
    }
  }

  private mutating func notifyFailure(
    _ failure: ServiceFailure, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if failures.admits(failure.code.name, at: context.instant), context.client.isAttached {
      outbox.notify(failure)
    }
  }
}
