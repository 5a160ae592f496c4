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
  case status(Grant.Status)
  /// The answer to `LocationCommand.askDeferral`.
  case canDefer(Bool)

  /// A fix that is old by then is flagged as stale.
  public func withAge(at instant: Instant, maxAge: TimeSpan) -> any ServiceNotice {
    func judged(_ fix: LocationFix) -> LocationFix {
      var copy = fix
      copy.isStale = fix.isStale || !fix.isFresh(at: instant, maxAge: maxAge)
      return copy
    }
    switch self {
    case .fixes(let fixes): return LocationNotice.fixes(fixes.map(judged))
    case .answer(let fix): return LocationNotice.answer(judged(fix))
    case .unanswered(let failure, let best): return LocationNotice.unanswered(failure, best: best.map(judged))
    case .paused, .resumed, .gaveUp, .deferralEnded, .status, .canDefer: return self
    }
  }
}

/// What a client tells its updates while they run.
public enum LocationCommand: ServiceCommand, Hashable {
  /// Whether they go on in the background; needs a client that was built for it.
  case setBackground(Bool)
  case setActivity(LocationActivity)
  /// 95 % radius in metres; nil for the default.
  case setAccuracy(Double?)
  /// Metres between two deliveries; nil for every fix.
  case setFilter(Double?)
  case setPausing(Bool)
  /// Deliver nothing until this distance in metres or this time has passed, whichever comes first; nil for no
  /// bound.
  ///
  /// It acts while the app is in the background, and counts in front as well. A number of the client's choice comes
  /// back with the end; there is exactly one end for each.
  case deferUpdates(Int, distance: Double? = nil, time: TimeSpan? = nil)
  /// Ask whether updates can be deferred.
  case askDeferral
}

/// Why a deferral ended.
public enum DeferralEnd: Hashable, Sendable {
  /// It has the distance or the time that was asked, or both.
  case reached([HoldBound])
  /// The device could hold no more, or memory is short.
  case full
  /// The client asked for another.
  case cancelled
  /// The accuracy that is asked needs no receiver, and only receivers hold fixes.
  case accuracyTooLow
  /// A distance filter is set.
  case distanceFiltered
  /// Updates do not run: ended, paused, given up or not allowed.
  case notUpdating
  /// The device failed or is gone.
  case failed
  /// No device here can hold fixes.
  case unsupported
}
