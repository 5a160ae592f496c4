import StintModel
public import StintUnits

/// A request for notices when the host enters or leaves circular regions, in any number.
public struct RegionsRequest: NamedRequest {
  /// The monitored regions, at least one.
  public var regions: [Region]

  /// Makes a request.
  public init(_ regions: [Region]) { self.regions = regions }

  public var rejectionReason: ServiceFailure? {
    if regions.isEmpty { return ServiceFailure(.invalid, "no region is named; name at least one") }
    for (place, region) in regions.enumerated() {
      if let rejectionReason = InputBounds.rejectionReason(forName: region.name) {
        return ServiceFailure(.invalid, "a region: \(rejectionReason)")
      }
      if let failure = ServiceFailure(region.radius, "“\(region.name)”: the radius", .radius) {
        return failure
      }
      for delay in [region.enterAfter, region.exitAfter] {
        if let failure = ServiceFailure(delay, "“\(region.name)”: the delay", .delay) { return failure }
      }
      if regions[..<place].contains(where: { $0.name == region.name }) {
        return ServiceFailure(.invalid, "two regions are called “\(region.name)”; rename one")
      }
    }
    return nil
  }

  public func makeService() -> any Service { RegionsService(regions) }
}

extension RegionsRequest {
  public static let kind = "regions"

  enum CodingKeys: String, CodingKey, CaseIterable {
    case regions
  }

  public init(from decoder: any Decoder) throws {
    let settings = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try settings.decode([Region.Form].self, forKey: .regions).map(\.value))
  }
}

/// A circular region that a client monitors.
public struct Region: Hashable, Sendable, Codable {
  /// The client's name for the region, unique within the request.
  public var name: String
  /// The centre of the region.
  public var centre: Coordinate
  /// The radius, 1 m or more.
  public var radius: Length
  /// How long the host must be inside before it counts as inside.
  public var enterAfter: Duration
  /// How long the host must be outside before it counts as outside.
  public var exitAfter: Duration

  enum CodingKeys: String, CodingKey {
    case name, centre, radius
    case enterAfter = "enter_after"
    case exitAfter = "exit_after"
  }

  /// Makes a region.
  public init(
    _ name: String, centre: Coordinate, radius: Length, enterAfter: Duration = .seconds(20),
    exitAfter: Duration = .seconds(60)
  ) {
    self.name = name
    self.centre = centre
    self.radius = radius
    self.enterAfter = enterAfter
    self.exitAfter = exitAfter
  }
}

extension Region {
  /// The region in files and messages.
  fileprivate struct Form: RequestForm {
    let value: Region

    enum CodingKeys: String, CodingKey, CaseIterable {
      case name, at, radius
    }

    init(from decoder: any Decoder) throws {
      let settings = try decoder.container(keyedBy: CodingKeys.self)
      value = Region(
        try settings.required(NameForm.self, .name),
        centre: try settings.decode(Coordinate.self, forKey: .at),
        radius: try settings.required(LengthForm.self, .radius))
    }
  }
}

/// A notice of region monitoring. It names the region and does not contain the position.
public enum RegionNotice: PersistentNotice, Hashable {
  public static let kind = "region"

  /// The first known state; it counts as neither entry nor exit.
  case known(region: String, isInside: Bool)
  /// The host entered the region with this name.
  case entered(String)
  /// The host left the region with this name.
  case exited(String)
}
