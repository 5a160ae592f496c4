import StintModel

/// A service that stands, with what the board keeps of it.
struct StandingService: Sendable {
  var service: any Service
  /// Its demands that stand, oldest first.
  var demands: [DemandID] = []
  /// Whether a restart must not lose it.
  let isPersistent: Bool

  init(service: any Service) {
    self.service = service
    isPersistent = service is any PersistentService
  }
}
