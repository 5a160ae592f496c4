public import StintModel

/// Asks for the raw samples of one device, under the number of a demand that its caller chose.
///
/// The samples go from the device to the caller that reserved the demand; the service holds the permission.
/// So a client that may not, is not attached, or lacks what the background needs has no demand, from the very
/// step in which that changes.
public struct SampleRequest: ServiceRequest, Hashable {
  /// Below `ServiceBoard.firstDemand`, and never used before.
  public let demand: DemandID
  public let target: DeviceID
  /// Where `background` is nil, it is off.
  public let wants: DemandSettings

  /// Makes a request.
  public init(_ demand: DemandID, target: DeviceID, wants: DemandSettings) {
    self.demand = demand
    self.target = target
    self.wants = wants
  }

  public func makeService() -> any Service { SampleService(request: self) }
}

/// Holds one demand for as long as its client may have it.
struct SampleService: Service {
  let request: SampleRequest

  var needs: Authorization { .whenInUse }

  private var background: Bool { request.wants.background ?? false }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard isAllowed(context, &outbox) else { return }
    var wants = request.wants
    wants.background = background
    outbox.raise(request.target, wants, as: request.demand)
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .client: _ = isAllowed(context, &outbox)
    case .ended(request.demand): outbox.finish()
    default: return
    }
  }

  /// The background needs a client that was built for it.
  private func isAllowed(_ context: ServiceContext, _ outbox: inout ServiceOutbox) -> Bool {
    guard background, !context.client.mayBackground else { return true }
    outbox.fail(ServiceFailure.lacksBackground(context.client.id))
    return false
  }
}
