import StintModel
import StintServices
import StintUnits

/// What a watch knows of one service: what was asked of it, and what it told.
struct WatchedService: Sendable {
  typealias Finding = (rule: BrokenInvariant.Rule, sentence: String)

  let request: any ServiceRequest
  let outlivesClient: Bool
  let asked: Instant
  /// When a request for one fix must be answered; nil for anything else.
  private let answerBy: Instant?
  private let moves: MovesRequest?
  /// Its client ended it.
  var isEnded = false
  /// Its client's process went, and it with that.
  var isGone = false
  /// The client's repeated request for the service while the watch took it to be running; nil without one.
  var askedAgain: (any ServiceRequest)?
  /// Which device serves its demand of a position.
  var provider: DeviceID? {
    didSet { if provider != oldValue { deferrals.changeDevice() } }
  }
  /// The request under its name that had to be answered at the very instant at which this one was made, until it is.
  var earlier: [WatchedService] = []
  /// When it last demanded a position.
  var lastProbe: Instant?

  /// Whether a request under its name is for another one.
  var isOver: Bool { isGone || isEnded || mayBeOver }

  /// Its client lost what it was allowed.
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
    asked = instant
    answerBy = (request as? FixRequest).map { instant + $0.timeout }
    moves = request as? MovesRequest
  }

  mutating func take(_ command: any ServiceCommand, at instant: Instant) {
    if case LocationCommand.deferUpdates(let number, let distance, let time)? = command as? LocationCommand {
      if isOver {
        deferrals.allow(number)
      } else {
        deferrals.begin(number, distance: distance, by: time.map { instant + $0 })
      }
    }
  }

  /// The daemon died.
  mutating func lose(isBehind: Bool) {
    if !outlivesClient { isGone = true }
    places.lose(isBehind: isBehind)
  }

  /// A batch came for it; what was held anywhere may be old.
  mutating func noteHeld() { fixes.mayBeOld = true }

  // MARK: What it tells

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
    // The timer of the request before comes before the next request.
    case .answer where !earlier.isEmpty, .unanswered where !earlier.isEmpty:
      var before = earlier.removeFirst()
      return before.take(notice, oldest, at: instant)
    case .fixes(let new):
      if deferrals.isOpen { fixes.mayBeOld = true }
      let sentences = fixes.take(new, oldest: oldest, at: instant)
      // What a deferral held of before comes when the device has handed it over.
      guard let pausedAt, new.contains(where: { $0.instant > pausedAt }) else { return sentences }
      return sentences + [(.notices, "hands out fixes of while it is paused")]
    case .answer(let fix):
      if fix.instant < asked || fix.isCached {
        return [(.freshness, "answers with a fix from before it was asked")]
      }
      return answer(at: instant)
    case .unanswered: return answer(at: instant)
    case .paused:
      defer { pausedAt = pausedAt ?? instant }
      return pausedAt == nil ? [] : [(.notices, "pauses twice")]
    case .resumed:
      defer { pausedAt = nil }
      return pausedAt == nil ? [(.notices, "resumes what was not paused")] : []
    case .deferralEnded(let number, _):
      fixes.mayBeOld = false
      return deferrals.end(number, at: instant)
    case .gaveUp, .status, .canDefer: return []
    }
  }

  /// Whether it is a request for one fix whose time is up at this instant, and that is not answered yet.
  func mustAnswer(at instant: Instant) -> Bool { answerBy == instant && !isAnswered && !isOver }

  private mutating func answer(at instant: Instant) -> [Finding] {
    defer { isAnswered = true }
    if isAnswered { return [(.notices, "answers twice")] }
    if let answerBy, instant > answerBy { return [(.deadline, "answers \(instant - answerBy) late")] }
    return []
  }

  private func take(_ notice: MoveNotice, at instant: Instant) -> [Finding] {
    guard case .moved(let fixes) = notice, let moves else { return [] }
    if fixes.isEmpty { return [(.notices, "moved nowhere")] }
    let old = fixes.first { $0.age(at: instant).map { $0 > moves.maxAge } ?? true }
    return old.map { [(.freshness, "tells a position of \($0.determined) as where the phone is")] } ?? []
  }

  // MARK: What it owes

  /// How long a paused service may go without a look, whatever happens.
  static let longestBlindness =
    LocationDefaults.longestUncheckedPause + LocationDefaults.longestLook + .seconds(1)

  /// What is overdue at an instant at which the host has settled.
  func overdue(isStanding: Bool, at instant: Instant) -> [Finding] {
    guard !isGone else { return [] }
    var findings: [Finding] = deferrals.overdue(isStanding: isStanding && !isEnded, at: instant)
    if !earlier.isEmpty { findings.append((.deadline, "was not answered when it was asked again")) }
    if let answerBy, !isAnswered, !isEnded, !hasFailed, !isStanding || instant > answerBy {
      findings.append((.deadline, "was not answered by \(answerBy - asked) after it was asked"))
    }
    if isStanding, let pausedAt {
      let seen = max(pausedAt, lastProbe ?? pausedAt)
      if instant - seen > Self.longestBlindness {
        findings.append((.wayBack, "is paused, and has not looked for \(instant - seen)"))
      }
    }
    return findings
  }

  /// What was taken on, and neither told nor carried when all is over.
  func unfinished(carried: Int) -> [Finding] {
    guard !isGone, !isEnded, !hasFailed, tasks.open != carried else { return [] }
    return [(.tasks, "owes the end of \(tasks.open) tasks and carries \(carried)")]
  }
}
