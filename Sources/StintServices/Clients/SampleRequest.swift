public import StintModel

/// A request for the samples of a device, under a demand id that the caller reserved.
///
/// The device delivers samples directly to the caller; the service only checks the permission. The service
/// releases the demand in the same step in which the client loses its permission, detaches or lacks the
/// background permission.
public struct SampleRequest: ServiceRequest, Hashable {
  /// The reserved id, below `ServiceBoard.firstDemand` and never used before.
  public let demand: DemandID
  /// The requested device.
  public let target: DeviceID
  /// The requested settings. A missing setting comes from the policies' defaults; for an app that does not
  /// declare background use, a missing `background` means false.
  public let wants: DemandSettings

  /// Whether the demand is served in the background when neither the request nor the policies set
  /// `background`. True for the demands of scripts.
  public let isServedInBackground: Bool

  /// True when the client reads the samples of this device. False when it needs samples of the accuracy in
  /// `wants`, which a cheaper device of the target's ladder may deliver. The demands of scripts have the
  /// value false.
  public let isForTargetOnly: Bool

  /// Makes a request.
  public init(
    _ demand: DemandID, target: DeviceID, wants: DemandSettings, isServedInBackground: Bool = true,
    isForTargetOnly: Bool = false
  ) {
    self.isServedInBackground = isServedInBackground
    self.isForTargetOnly = isForTargetOnly
    self.demand = demand
    self.target = target
    self.wants = wants
  }

  public func rejectionReason(on vocabulary: Vocabulary) -> ServiceFailure? {
    vocabulary.manifest(target)?.failure(of: wants.attributes)
  }

  public var needsBackground: Bool { wants.background == true }

  public func makeService() -> any Service { SampleService(request: self) }

  /// Returns the name of the request for a demand of a script. The demands of scripts have no names of
  /// their own.
  public static func id(_ client: ClientID, _ demand: DemandID) -> ServiceID {
    ServiceID(client, "demand \(demand)")
  }
}

extension Manifest {
  /// Returns the reason to reject a demand with these attributes; nil when the device supports all of them.
  func failure(of attributes: AttributeValues) -> ServiceFailure? {
    let refusals = refusals(of: attributes)
    return refusals.isEmpty ? nil : ServiceFailure(.invalid, refusals.joined(separator: "; "))
  }
}

extension ServiceInput {
  /// Returns the input by which a client of a script requests the samples or the transfer of a demand.
  public static func samples(_ demand: Demand) -> ServiceInput {
    let request = SampleRequest(
      demand.id, target: demand.target, wants: demand.wants, isForTargetOnly: demand.isForTargetOnly)
    return .ask(SampleRequest.id(demand.client, demand.id), request, receivers: .file)
  }
}

/// A service that raises one demand, and releases the demand when the client is no longer permitted to
/// have it.
struct SampleService: Service {
  let request: SampleRequest

  func need(_ roles: DeviceRoles) -> PermissionNeed { roles.need(forSamplesOf: request.target) }
  var interests: ServiceInterests { [] }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    var wants = request.wants
    // The default of a policy cannot give background use to an app that does not declare it.
    if !request.isServedInBackground || !context.client.mayBackground {
      wants.background = context.isServedInBackground(wants.background, on: request.target)
    }
    outbox.raise(
      request.target, wants, as: request.demand, isForTargetOnly: request.isForTargetOnly)
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .client:
      // The client may have attached again without background use.
      guard request.needsBackground, !context.client.mayBackground else { return }
      outbox.fail(ServiceFailure.lacksBackground(context.client.id))
    case .ended(request.demand): outbox.finish()
    default: return
    }
  }
}
