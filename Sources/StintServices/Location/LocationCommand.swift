public import StintUnits

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
