public import StintModel
public import StintUnits

/// What location services tell their clients.
public enum LocationNotice: ServiceNotice, Hashable {
  /// Positions, oldest first, never none.
  case fixes([LocationFix])
  /// The one fix that was asked for under this service's name.
  case answer(LocationFix)
  /// The one fix did not come, with the best that did.
  case unanswered(ServiceFailure, best: LocationFix?)
  /// The position is unlikely to change; updates come back by themselves when it does.
  case paused
  case resumed
  /// What was asked is not to be had here now; it is tried again then.
  case gaveUp(next: Instant)
  /// One for each request to defer.
  case deferralEnded(Int, DeferralEnd)
  /// Where the demand stands otherwise than being served: a policy or the background stopped it.
  case standing(Grant.Standing)
  /// The answer to `LocationCommand.askDeferral`.
  case canDefer(Bool)

  /// A fix that is old by then is flagged as stale.
  public func judged(at instant: Instant, maxAge: TimeSpan) -> any ServiceNotice {
    func judged(_ fix: LocationFix) -> LocationFix {
      var copy = fix
      copy.isStale = fix.isStale || !fix.isFresh(at: instant, maxAge: maxAge)
      return copy
    }
    switch self {
    case .fixes(let fixes): return LocationNotice.fixes(fixes.map(judged))
    case .answer(let fix): return LocationNotice.answer(judged(fix))
    case .unanswered(let failure, let best): return LocationNotice.unanswered(failure, best: best.map(judged))
    case .paused, .resumed, .gaveUp, .deferralEnded, .standing, .canDefer: return self
    }
  }
}
