import StintModel
public import StintUnits

/// Asks for notices when beacons come into range and go out of it.
public struct BeaconsRequest: ServiceRequest {
  public var regions: [BeaconRegion]

  /// Watches these.
  public init(_ regions: [BeaconRegion]) { self.regions = regions }

  public var rejectionReason: ServiceFailure? {
    if regions.isEmpty { return ServiceFailure(.invalid, "no beacon is named; name at least one") }
    for (place, region) in regions.enumerated() {
      if let rejectionReason = region.rejectionReason { return rejectionReason }
      if regions[..<place].contains(where: { $0.name == region.name }) {
        return ServiceFailure(.invalid, "two regions are called “\(region.name)”; rename one")
      }
    }
    return nil
  }

  public func makeService() -> any Service { BeaconsService(regions) }
}

/// All beacons of one identity, or those of them with one major and perhaps one minor number.
public struct BeaconRegion: Hashable, Sendable {
  /// What the client calls it; unique among those of one request.
  public var name: String
  public var identity: String
  public var major: Int?
  public var minor: Int?
  /// How long it must be silent before it counts as left.
  public var exitAfter: TimeSpan

  /// Makes a region.
  public init(
    _ name: String, identity: String, major: Int? = nil, minor: Int? = nil,
    exitAfter: TimeSpan = .seconds(30)
  ) {
    self.name = name
    self.identity = identity
    self.major = major
    self.minor = minor
    self.exitAfter = exitAfter
  }

  /// The fact that says whether any of them is heard, as zones of policies spell it.
  public var fact: String {
    Zone(shape: .beacon(identity: identity, major: major, minor: minor)).beaconFact ?? ""
  }

  /// What is wrong with it; nil when nothing is.
  var rejectionReason: ServiceFailure? {
    for number in [major, minor].compactMap(\.self) where !(0...65_535).contains(number) {
      return ServiceFailure(.invalid, "a beacon's numbers go from 0 to 65535, and \(number) is none of them")
    }
    if minor != nil, major == nil {
      return ServiceFailure(.invalid, "“\(name)” has a minor number without a major one; add that")
    }
    if exitAfter < .zero { return ServiceFailure(.invalid, "“\(name)” is left before it falls silent") }
    return nil
  }
}

/// What the watch on beacons tells.
public enum BeaconNotice: ServiceNotice, Hashable {
  /// Where it stands when first known, or known again; neither a coming nor a going.
  case known(region: String, isInside: Bool)
  case entered(String)
  case exited(String)
  /// Nothing can be heard, so nothing is known: the radio is off.
  case unknown(String)
}

/// Asks how near a beacon is, once a second while it is in range.
public struct RangingRequest: ServiceRequest {
  public var region: BeaconRegion

  /// Ranges these beacons.
  public init(_ region: BeaconRegion) { self.region = region }

  public var rejectionReason: ServiceFailure? { region.rejectionReason }

  public func makeService() -> any Service { RangingService(region) }
}

/// What ranging tells.
public enum RangingNotice: ServiceNotice, Hashable {
  /// The nearest of the beacons, once a second: how near, and its smoothed signal in dBm.
  case ranged(Proximity, signal: Double)
  /// The beacon is gone, or the app was too long in the background: it costs no more than a watch now.
  case ended
}

/// How near a beacon is.
public enum Proximity: String, Hashable, Sendable, CaseIterable {
  case immediate, near, far
  /// It is not heard now.
  case unknown

  /// The weakest signal, in dBm, that is still immediate, and still near.
  static let bounds = (immediate: -60.0, near: -75.0)
  /// How far beyond a bound the signal must be to cross it, in dB.
  static let hysteresis = 3.0

  /// The class of a smoothed signal for something that had this class before.
  static func of(signal: Double, before: Proximity) -> Proximity {
    func above(_ bound: Double, _ wasAbove: Bool) -> Bool {
      signal >= bound + (wasAbove ? -hysteresis : before == .unknown ? 0 : hysteresis)
    }
    if above(bounds.immediate, before == .immediate) { return .immediate }
    return above(bounds.near, before == .immediate || before == .near) ? .near : .far
  }
}
