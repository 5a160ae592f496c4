import StintModel

/// A service that stands, with what the board keeps of it.
struct StandingService: Sendable {
  var service: any Service
  /// Its demands that stand, oldest first.
  var demands: [DemandID] = []
}
