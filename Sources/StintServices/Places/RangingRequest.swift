/// Asks how near a beacon is, once a second while it is in range.
public struct RangingRequest: ServiceRequest {
  public var region: BeaconRegion

  /// Ranges these beacons.
  public init(_ region: BeaconRegion) { self.region = region }

  public var objection: ServiceFailure? { region.objection }

  public func makeService() -> any Service { RangingService(region) }
}
