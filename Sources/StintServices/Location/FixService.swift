import StintModel
public import StintUnits

/// A request for one fix: positioning starts, delivers one position and stops.
///
/// The answer is `LocationNotice.answer`, or `unanswered` after the timeout or a fault of the device. A
/// client about which the user has not decided may make the request. The service then waits for the decision
/// and powers no device meanwhile.
public struct FixRequest: NamedRequest {
  /// The 95 % radius, above 0 m. Nil for the default of the policies, or for 100 m when the policies have no
  /// default.
  public var accuracy: Length?
  /// The time after which the request fails.
  public var timeout: Duration
  /// The largest age of the answer on delivery. A known position may be the answer at once, without powering
  /// a device.
  ///
  /// With nil, the fix must be taken after the request and be at most `LocationDefaults.maxAge` old
  /// on delivery.
  public var maxAge: Duration?
  /// Whether the request continues in the background; nil for the default of the policies, or false without
  /// such a default.
  public var background: Bool?

  /// Makes a request.
  public init(
    accuracy: Length? = nil, timeout: Duration = LocationDefaults.timeout, maxAge: Duration? = nil,
    background: Bool? = nil
  ) {
    self.accuracy = accuracy
    self.timeout = timeout
    self.maxAge = maxAge
    self.background = background
  }

  public var rejectionReason: ServiceFailure? {
    if let failure = ServiceFailure(timeout, "the timeout", .period) { return failure }
    if let failure = ServiceFailure(maxAge, "the maximum age", .delay) { return failure }
    return ServiceFailure(accuracy, "the accuracy", .accuracy)
  }

  public var needsBackground: Bool { background == true }

  public func makeService() -> any Service { FixService(self) }

  /// Returns the 95 % radius to request from devices, in metres.
  func meantAccuracy(_ context: ServiceContext) -> Double {
    let device = context.device(for: .positioning)
    return accuracy?.meters ?? device.flatMap { context.defaults(of: $0)?.wants.accuracy }
      ?? LocationDefaults.accuracy.metres
  }
}

extension FixRequest {
  public static let kind = "fix"

  enum CodingKeys: String, CodingKey, CaseIterable {
    case accuracy, timeout, background
  }

  public init(from decoder: any Decoder) throws {
    let settings = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      accuracy: try settings.optional(LengthForm.self, .accuracy),
      timeout: (try settings.optional(SpanForm.self, .timeout))?.duration ?? LocationDefaults.timeout,
      background: try settings.optional(Bool.self, .background))
  }
}

/// A service that waits for one fix of sufficient accuracy.
struct FixService: Service {
  private let request: FixRequest
  private var deadline = Instant.distantFuture
  private var askedAt = Instant.epoch
  private var ladder: PositioningLadder
  private var demand: DemandID?
  /// The last grant of the demand; nil before the first grant.
  private var grant: Grant?
  private var best: Fix?

  init(_ request: FixRequest) {
    self.request = request
    ladder = PositioningLadder(request.accuracy?.meters ?? LocationDefaults.accuracy.metres)
  }

  var nextTimer: Instant { deadline }
  func need(_ roles: DeviceRoles) -> PermissionNeed { .question(.location) }
  var role: DeviceRole? { .positioning }
  var maxAge: TimeSpan { request.maxAge?.timeSpan ?? LocationDefaults.maxAge.timeSpan }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    askedAt = context.instant
    deadline = context.instant + request.timeout.timeSpan
    ladder = context.ladder(for: request.meantAccuracy(context))
    if context.client.permissions.location > .undecided { startPositioning(context, &outbox) }
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .batch(let batch, demand): consider(batch, context, &outbox)
    case .granted(demand, let grant): self.grant = grant
    case .permissions(let permissions):
      let former = ladder.asked
      ladder = context.ladder(for: request.meantAccuracy(context))
      if permissions.location > .undecided, demand == nil {
        startPositioning(context, &outbox)
      } else if permissions.location == .undecided, let demand {
        outbox.release(demand)
        self.demand = nil
        grant = nil
        best = nil
      } else if permissions.location > .undecided, former != ladder.asked {
        raise(context, &outbox)
      }
    case .defaults:
      let former = ladder.asked
      ladder = context.ladder(for: request.meantAccuracy(context))
      if demand != nil, former != ladder.asked { raise(context, &outbox) }
    case .device(let device, .fault(let text)) where device == ladder.target(context):
      end(ServiceFailure(.failed, "“\(device)” has a fault: \(text)"), context, &outbox)
    case .timer: if context.instant >= deadline { end(timedOut(context), context, &outbox) }
    default: return
    }
  }

  private func isServedInBackground(_ context: ServiceContext) -> Bool {
    context.isServedInBackground(request.background, on: context.device(for: .positioning))
  }

  private mutating func raise(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let old = demand
    // A request for one fix must not pause: its timeout already limits it.
    let wants = DemandSettings(
      accuracy: ladder.metres, background: isServedInBackground(context), pausing: false)
    demand = ladder.target(context).map { outbox.raise($0, wants) }
    grant = nil
    if let old { outbox.release(old) }
  }

  private mutating func consider(_ batch: Batch, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let now = context.instant
    let fixes = Fix.fixes(in: batch, askedAt: askedAt, at: now)
    // Freshness is more important than accuracy: an earlier, more accurate fix may be of another position.
    if let fix = fixes.last(where: { answers($0, at: now) }) {
      answer(fix, &outbox)
      return
    }
    for fix in fixes where !fix.isCached && fix.accuracy < best?.accuracy ?? .infinity { best = fix }
    guard fixes.contains(where: { !$0.isCached }) else { return }
    if ladder.climb() || mayRefine(after: batch.device, context) && ladder.refine() {
      raise(context, &outbox)
    }
  }

  /// Returns whether another device may be more accurate than the device of an insufficient fix, and the
  /// client may use it.
  private func mayRefine(after device: DeviceID, _ context: ServiceContext) -> Bool {
    device != ladder.target(context) && context.client.permissions.precision != .coarse
  }

  /// Returns whether the fix is accurate and fresh enough to answer the request. A fix from before the
  /// request is valid only when the request has a `maxAge`.
  private func answers(_ fix: Fix, at now: Instant) -> Bool {
    guard ladder.isGood(fix.accuracy) else { return false }
    if let maxAge = request.maxAge?.timeSpan { return fix.isFresh(at: now, maxAge: maxAge) }
    return !fix.isCached && fix.isFresh(at: now, maxAge: LocationDefaults.maxAge.timeSpan)
  }

  private mutating func answer(_ fix: Fix, _ outbox: inout ServiceOutbox) {
    outbox.notify(LocationNotice.answer(fix.flagged(isStale: false, asked: ladder.asked)))
    outbox.finish()
    deadline = .distantFuture
  }

  /// Answers with a known position when it is sufficient; otherwise powers a device.
  private mutating func startPositioning(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if let fix = known(context) { answer(fix, &outbox) } else { raise(context, &outbox) }
  }

  /// Returns the newest published position that is sufficient; nil when no published position is sufficient.
  /// Also nil when the request has no `maxAge`, or is not served because its client is in the background.
  private func known(_ context: ServiceContext) -> Fix? {
    guard request.maxAge != nil, isServedInBackground(context) || !context.isInBackground else { return nil }
    var newest: Fix?
    for device in context.roles.devices(.positioning) {
      guard var fix = context.position(publishedBy: device) else { continue }
      fix.isCached = true
      guard answers(fix, at: context.instant) else { continue }
      if newest.map({ $0.instant < fix.instant }) ?? true { newest = fix }
    }
    return newest
  }

  private func timedOut(_ context: ServiceContext) -> ServiceFailure {
    if context.client.permissions.location <= .undecided {
      return ServiceFailure(
        .undecided,
        "the user has not allowed the location within \(request.timeout.timeSpan); ask again later")
    }
    let best = best.map { "the best was \(Quantity($0.accuracy, .length))" }
    let reason = [best, interruption].compactMap(\.self).joined(separator: "; ")
    return ServiceFailure(
      .timedOut,
      "no fix of \(Quantity(ladder.asked, .length)) within \(request.timeout.timeSpan); "
        + (reason.isEmpty ? "there was no fix" : reason))
  }

  /// The reason why no fix arrives at present: no device works for the request, or a rule holds its fixes.
  /// Nil when neither is the case, and before the first grant.
  private var interruption: String? {
    guard let grant else { return nil }
    let rules = grant.rules.map(\.description).joined(separator: ", ")
    switch grant.status {
    case .served:
      return grant.holds.first.map { hold in
        let bounds = hold.bounds.map(\.description).joined(separator: " or ")
        return "the rule \(hold.rule) holds the fixes until \(bounds)"
      }
    case .background: return "the app is in the background, where this request does not continue"
    case .unavailable: return "no device is available"
    case .paused, .stopped, .deferred:
      return rules.isEmpty ? grant.status.rawValue : "\(grant.status.rawValue) by the rule \(rules)"
    }
  }

  private mutating func end(
    _ failure: ServiceFailure, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    deadline = .distantFuture
    let found = best.map { fix in
      fix.flagged(isStale: !fix.isFresh(at: context.instant, maxAge: maxAge), asked: ladder.asked)
    }
    outbox.notify(LocationNotice.unanswered(failure, best: found))
    outbox.finish()
  }
}

extension ServiceFailure {
  /// Returns the failure of a client that requests background use without declaring it.
  static func lacksBackground(_ client: ClientID) -> ServiceFailure {
    ServiceFailure(
      .denied, "“\(client)” does not declare background use; declare it, or do not request it")
  }
}
