import StintModel
import StintServices
import StintUnits

/// The state that a watch records of one service: its request and its notices.
struct WatchedService: Sendable {
  typealias Finding = (rule: BrokenInvariant.Rule, sentence: String)

  let request: any ServiceRequest
  let outlivesClient: Bool
  let requestedAt: Instant
  /// The latest time of the answer to a request for one fix; nil for other requests.
  private let answerBy: Instant?
  private let moves: MovesRequest?
  /// True when the client ended the service.
  var isEnded = false
  /// True when the service ended together with its client's process.
  var isGone = false
  /// The client's newest request for this service that arrived while the service ran; nil without such a
  /// request.
  var repeatedRequest: (any ServiceRequest)?
  /// The device that currently serves the service's demand for a position.
  var provider: DeviceID? {
    didSet { if provider != oldValue { deferrals.changeDevice() } }
  }
  /// The previous service of this name, if it had to answer at the instant at which this service was
  /// requested. The array has at most one element, and becomes empty when the previous service has answered.
  var earlier: [WatchedService] = []
  /// The last time at which the service demanded a position; nil before the first demand.
  var lastProbe: Instant?

  /// True when this service has ended or may have ended. A new request with this name then starts a new
  /// service.
  var isOver: Bool { isGone || isEnded || mayBeOver }

  /// True when the client lost its permission.
  private var mayBeOver = false
  private var isAnswered = false
  private var hasFailed = false
  private var pausedAt: Instant?
  var deferrals = WatchedDeferrals()
  private var fixes = WatchedFixes()
  private var places = WatchedPlaces()
  private var tasks = WatchedTasks()

  init(_ request: any ServiceRequest, at instant: Instant) {
    self.request = request
    outlivesClient = request.makeService().outlivesClient
    requestedAt = instant
    answerBy = (request as? FixRequest).map { instant + $0.timeout.timeSpan }
    moves = request as? MovesRequest
  }

  mutating func take(_ command: any ServiceCommand, at instant: Instant) {
    if case LocationCommand.deferUpdates(let number, let distance, let time)? = command as? LocationCommand {
      if isOver {
        deferrals.allow(number)
      } else {
        deferrals.begin(number, distance: distance?.meters, by: time.map { instant + $0.timeSpan })
      }
    }
  }

  /// Handles a crash of the daemon.
  mutating func lose(isBehind: Bool) {
    if !outlivesClient { isGone = true }
    places.lose(isBehind: isBehind)
  }

  /// Records that the service received a batch that was held; its samples may be old.
  mutating func noteHeld() { fixes.mayBeOld = true }

  // MARK: Notices

  mutating func take(_ notice: any ServiceNotice, oldest: [DeviceID: TimeSpan], at instant: Instant)
    -> [Finding]
  {
    switch notice {
    case let notice as LocationNotice: return take(notice, oldest, at: instant)
    case let notice as RegionNotice: return places.take(notice).map { [(.notices, $0)] } ?? []
    case let notice as BeaconNotice: return places.take(notice).map { [(.notices, $0)] } ?? []
    case let notice as VisitNotice: return places.take(notice).map { [(.notices, $0)] } ?? []
    case let notice as TransferNotice: return tasks.take(notice).map { [(.tasks, $0)] } ?? []
    case let notice as MoveNotice: return take(notice, at: instant)
    case let failure as ServiceFailure:
      hasFailed = true
      mayBeOver = mayBeOver || failure.code == .denied || failure.code == .undecided
    default: break
    }
    return []
  }

  private mutating func take(
    _ notice: LocationNotice, _ oldest: [DeviceID: TimeSpan], at instant: Instant
  ) -> [Finding] {
    switch notice {
    // The previous request must be answered at the instant of the new request, so the first answer is for the
    // previous request.
    case .answer where !earlier.isEmpty, .unanswered where !earlier.isEmpty:
      var before = earlier.removeFirst()
      return before.take(notice, oldest, at: instant)
    case .fixes(let new):
      if deferrals.isOpen { fixes.mayBeOld = true }
      let sentences = fixes.take(new, oldest: oldest, at: instant)
      // A deferral may have held fixes from before the pause; they may arrive during the pause.
      guard let pausedAt, new.contains(where: { $0.instant > pausedAt }) else { return sentences }
      return sentences + [(.notices, "delivers fixes while it is paused")]
    case .answer(let fix):
      if fix.instant < requestedAt || fix.isCached {
        return [(.freshness, "answers with a fix from before the request")]
      }
      return answer(at: instant)
    case .unanswered: return answer(at: instant)
    case .paused:
      defer { pausedAt = pausedAt ?? instant }
      return pausedAt == nil ? [] : [(.notices, "pauses twice")]
    case .resumed:
      defer { pausedAt = nil }
      return pausedAt == nil ? [(.notices, "resumes without a pause")] : []
    case .deferralEnded(let number, _):
      fixes.mayBeOld = false
      return deferrals.end(number, at: instant)
    case .suspended, .canDefer: return []
    }
  }

  /// Whether this is an unanswered request for one fix that must be answered at this instant.
  func mustAnswer(at instant: Instant) -> Bool { answerBy == instant && !isAnswered && !isOver }

  private mutating func answer(at instant: Instant) -> [Finding] {
    defer { isAnswered = true }
    if isAnswered { return [(.notices, "answers twice")] }
    if let answerBy, instant > answerBy { return [(.deadline, "answers \(instant - answerBy) late")] }
    return []
  }

  private func take(_ notice: MoveNotice, at instant: Instant) -> [Finding] {
    guard case .moved(let fixes) = notice, let moves else { return [] }
    if fixes.isEmpty { return [(.notices, "reports a move without a position")] }
    let old = fixes.first { $0.age(at: instant).map { $0 > moves.maxAge.timeSpan } ?? true }
    return old.map { [(.freshness, "reports a position of \($0.instant) as current")] } ?? []
  }

  // MARK: Obligations

  /// The maximum time for which a service may stay paused without a position probe.
  static let longestTimeWithoutProbe =
    LocationDefaults.longestUncheckedPause + LocationDefaults.longestProbe + .seconds(1)

  /// Returns the overdue obligations. The host must have completed this instant.
  func overdue(isRunning: Bool, at instant: Instant) -> [Finding] {
    guard !isGone else { return [] }
    var findings: [Finding] = deferrals.overdue(isRunning: isRunning && !isEnded, at: instant)
    if !earlier.isEmpty { findings.append((.deadline, "was not answered before the next request")) }
    if let answerBy, !isAnswered, !isEnded, !hasFailed, !isRunning || instant > answerBy {
      findings.append((.deadline, "was not answered within \(answerBy - requestedAt)"))
    }
    if isRunning, let pausedAt {
      let seen = max(pausedAt, lastProbe ?? pausedAt)
      if instant - seen > Self.longestTimeWithoutProbe {
        findings.append((.probesWhilePaused, "is paused, without a position probe for \(instant - seen)"))
      }
    }
    return findings
  }

  /// Returns a finding when the number of open tasks differs from the number of tasks that the session still
  /// has.
  func unfinished(carried: Int) -> [Finding] {
    guard !isGone, !isEnded, !hasFailed, tasks.open != carried else { return [] }
    return [(.tasks, "has \(tasks.open) open tasks and carries \(carried)")]
  }
}
