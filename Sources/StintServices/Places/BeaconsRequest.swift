/// Asks for notices when beacons come into range and go out of it.
public struct BeaconsRequest: ServiceRequest {
  public var regions: [BeaconRegion]

  /// Watches these.
  public init(_ regions: [BeaconRegion]) { self.regions = regions }

  public var objection: ServiceFailure? {
    if regions.isEmpty { return ServiceFailure(.invalid, "no beacon is named; name at least one") }
    for (place, region) in regions.enumerated() {
      if let objection = region.objection { return objection }
      if regions[..<place].contains(where: { $0.name == region.name }) {
        return ServiceFailure(.invalid, "two regions are called “\(region.name)”; rename one")
      }
    }
    return nil
  }

  public func makeService() -> any Service { BeaconsService(regions) }
}
