public import StintModel

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
