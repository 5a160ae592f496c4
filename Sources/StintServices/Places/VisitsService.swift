public import StintModel
public import StintUnits

/// Tells of visits: waits, with the accelerometer alone, until the phone rests or sets out, and looks where that is
/// once it matters.
public struct VisitsService: PersistentService {
  public static let kind = "visits"
  /// How fine a look is, in metres.
  static let accuracy = 100.0
  /// How often it looks where nothing tells whether the phone moves.
  static let blindPace = TimeSpan.minutes(5)

  private var receivers: [String]
  private var tracker = VisitTracker()
  private var sense = MovementSense()
  private var order = FixOrder()
  private var failures = FailureLimit()
  private var look: Look?
  /// Where it rests and when it was last seen there, without a sense of movement.
  private var anchor: PositionFix?
  private var lastThere = Instant.epoch
  private var blindLook = Instant.distantFuture

  /// The device that it looks with; nil to take the best.
  private var device: DeviceID?

  init(receivers: [String], device: DeviceID? = nil) {
    self.receivers = receivers
    self.device = device
  }

  public var outlivesClient: Bool { true }
  public var needs: Authorization { .always }
  public var word: ServiceWord? { .visits }
  public var devices: [DeviceID] { device.map { [$0] } ?? ["location.wifi", "location.gnss"] }
  public var nextTimer: Instant { look?.deadline ?? min(tracker.nextLook, blindLook) }

  public mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    sense.begin(context, &outbox)
    planBlindLook(context)
    if blindLook <= context.instant { lookAround(context, &outbox) }
  }

  public mutating func take(
    _ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    tellOfDenial(event, context, &outbox)
    if case .command(let command as VisitCommand) = event, case .listen(let receiver) = command,
      !receivers.contains(receiver)
    {
      receivers.append(receiver)
    }
    let moved = sense.isMoving
    if sense.take(event, context, &outbox), let isMoving = sense.isMoving, isMoving != moved {
      tracker.note(isMoving: isMoving, at: context.instant)
    }
    if case .device(MovementSense.device, .available) = event { planBlindLook(context) }
    if let result = look?.result(of: event, &order, context) { finish(result, context, &outbox) }
    if look == nil, min(tracker.nextLook, blindLook) <= context.instant { lookAround(context, &outbox) }
  }

  private mutating func lookAround(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let device = devices.first(where: context.isAvailable) else {
      fail(ServiceFailure(.unavailable, "no device can tell the position now"), context, &outbox)
      retry(context)
      return
    }
    look = Look(device, accuracy: Self.accuracy, context, &outbox)
  }

  private mutating func finish(
    _ result: Look.Result, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if let look { outbox.release(look.demand) }
    look = nil
    switch result {
    case .fixes(let fixes):
      for fix in fixes {
        if sense.isMoving == nil { sight(fix, at: context.instant) }
        for event in tracker.take(fix, at: context.instant) { tell(event, &outbox) }
      }
      planBlindLook(context)
    case .failed(let failure):
      fail(failure, context, &outbox)
      retry(context)
    case .forbidden: retry(context)
    }
  }

  /// Without a sense of movement, positions tell it: what stays where it was rests.
  private mutating func sight(_ fix: PositionFix, at instant: Instant) {
    defer { lastThere = instant }
    if let anchor, anchor.place.distance(to: fix.place) <= VisitTracker.spread + fix.accuracy { return }
    if anchor != nil { tracker.note(isMoving: true, at: lastThere) }
    anchor = fix
    tracker.note(isMoving: false, at: instant)
  }

  private mutating func planBlindLook(_ context: ServiceContext) {
    guard !context.isAvailable(MovementSense.device) else {
      blindLook = .distantFuture
      return
    }
    blindLook = anchor == nil ? context.instant : context.instant + Self.blindPace
  }

  private mutating func retry(_ context: ServiceContext) {
    tracker.retry(at: context.instant + FailureLimit.pause)
    if blindLook < .distantFuture { blindLook = context.instant + FailureLimit.pause }
  }

  private func tell(_ event: VisitTracker.Event, _ outbox: inout ServiceOutbox) {
    outbox.launch(.visit)
    switch event {
    case .arrived: outbox.signal(.visitArrived)
    case .departed: outbox.signal(.visitDeparted)
    }
    for receiver in receivers {
      switch event {
      case .arrived(let visit): outbox.tell(VisitNotice.arrived(visit, receiver: receiver))
      case .departed(let visit): outbox.tell(VisitNotice.departed(visit, receiver: receiver))
      }
    }
  }

  private mutating func fail(
    _ failure: ServiceFailure, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    if failures.admits(failure.code.name, at: context.instant), context.client.isAttached {
      outbox.tell(failure)
    }
  }
}

extension VisitsService {
  public var memory: MemoryValue {
    var parts: [String: MemoryValue] = [
      "receivers": .list(receivers.map(MemoryValue.text)),
      "known": .list(
        tracker.known.map { known in
          .record([
            "latitude": .number(known.place.latitude), "longitude": .number(known.place.longitude),
            "visits": .integer(Int64(known.visits)),
          ])
        }),
    ]
    if let visit = tracker.visit {
      parts["visit"] = visit.memory
    }
    return .record(parts)
  }

  public init?(memory: MemoryValue) { self.init(memory: memory, device: nil) }

  /// A rule's watch, which has no receivers, goes on with the device that its rule names.
  init?(memory: MemoryValue, device: DeviceID?) {
    guard let names = memory["receivers"]?.list?.compactMap(\.text), let places = memory["known"]?.list
    else { return nil }
    receivers = names
    self.device = device
    var known: [VisitTracker.KnownPlace] = []
    for entry in places {
      guard let place = Coordinate(memory: entry), let visits = entry["visits"]?.integer else { return nil }
      known.append(VisitTracker.KnownPlace(place: place, visits: Int(clamping: visits)))
    }
    var visit: Visit?
    if let entry = memory["visit"] {
      guard let open = Visit(memory: entry) else { return nil }
      visit = open
    }
    tracker.recall(visit: visit, known: known)
  }
}
