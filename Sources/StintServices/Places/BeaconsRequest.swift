import StintModel
import StintUnits

/// A request for notices when beacons come into range and go out of range.
public struct BeaconsRequest: NamedRequest {
  /// The monitored beacon regions, at least one.
  public var regions: [BeaconRegion]

  /// Makes a request.
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

extension BeaconsRequest {
  public static let kind = "beacons"

  enum CodingKeys: String, CodingKey, CaseIterable {
    case beacons
  }

  public init(from decoder: any Decoder) throws {
    let settings = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try settings.decode([BeaconRegion.Form].self, forKey: .beacons).map(\.value))
  }
}

/// The beacons of one identity. A major number, or a major and a minor number, may restrict the region to
/// fewer beacons.
public struct BeaconRegion: Hashable, Sendable, Codable {
  /// The client's name for the region, unique within the request.
  public var name: String
  /// The advertised identity of the beacons, such as `f7826da6`.
  public var identity: String
  /// The major number, 0…65535; nil for any.
  public var major: Int?
  /// The minor number, 0…65535; nil for any.
  public var minor: Int?
  /// The time without any signal after which the region counts as left.
  public var exitAfter: Duration

  enum CodingKeys: String, CodingKey {
    case name, identity, major, minor
    case exitAfter = "exit_after"
  }

  /// Makes a region.
  public init(
    _ name: String, identity: String, major: Int? = nil, minor: Int? = nil,
    exitAfter: Duration = .seconds(30)
  ) {
    self.name = name
    self.identity = identity
    self.major = major
    self.minor = minor
    self.exitAfter = exitAfter
  }

  /// The path of the fact that publishes whether any beacon of the region is received. A zone of a policy for
  /// beacons with this identity and these numbers uses the same fact.
  public var fact: String {
    Zone(shape: .beacon(identity: identity, major: major, minor: minor)).beaconFact ?? ""
  }

  /// The reason to reject the region; nil when it is valid.
  var rejectionReason: ServiceFailure? {
    if let rejectionReason = InputBounds.rejectionReason(forName: name) {
      return ServiceFailure(.invalid, "a region: \(rejectionReason)")
    }
    if let rejectionReason = InputBounds.rejectionReason(forIdentity: identity) {
      return ServiceFailure(.invalid, "“\(name)”: \(rejectionReason)")
    }
    for number in [major, minor].compactMap(\.self) where !(0...65_535).contains(number) {
      return ServiceFailure(.invalid, "expected a beacon number from 0 to 65535, found \(number)")
    }
    if minor != nil, major == nil {
      return ServiceFailure(
        .invalid, "“\(name)” has a minor number but no major number; add a major number")
    }
    return ServiceFailure(exitAfter, "“\(name)”: the delay", .delay)
  }
}

extension BeaconRegion {
  /// The beacons in files and messages.
  fileprivate struct Form: RequestForm {
    let value: BeaconRegion

    enum CodingKeys: String, CodingKey, CaseIterable {
      case name, identity, major, minor
    }

    init(from decoder: any Decoder) throws {
      let settings = try decoder.container(keyedBy: CodingKeys.self)
      value = BeaconRegion(
        try settings.required(NameForm.self, .name),
        identity: try settings.required(IdentityForm.self, .identity),
        major: try settings.optional(BeaconNumberForm.self, .major),
        minor: try settings.optional(BeaconNumberForm.self, .minor))
    }
  }
}

/// A notice of beacon monitoring.
public enum BeaconNotice: PersistentNotice, Hashable {
  public static let kind = "beacon"

  /// The first known state, or the first known state after an unknown state. Such a state counts as neither
  /// entry nor exit.
  case known(region: String, isInside: Bool)
  /// A beacon of the region with this name came into range.
  case entered(String)
  /// No beacon of the region with this name has been received for `BeaconRegion.exitAfter`.
  case exited(String)
  /// The state is unknown because the radio is off.
  case unknown(String)
}

/// A request for the proximity of a beacon, once per second while it is in range.
public struct RangingRequest: NamedRequest {
  /// The region whose beacons are measured.
  public var region: BeaconRegion

  /// Makes a request.
  public init(_ region: BeaconRegion) { self.region = region }

  public var rejectionReason: ServiceFailure? { region.rejectionReason }

  public func makeService() -> any Service { RangingService(region) }
}

extension RangingRequest {
  public static let kind = "ranging"

  public init(from decoder: any Decoder) throws { self.init(try BeaconRegion.Form(from: decoder).value) }
}

/// A notice of ranging.
public enum RangingNotice: ServiceNotice, Hashable {
  /// The proximity of the nearest beacon and its smoothed signal in dBm, once per second.
  case ranged(Proximity, signal: Double)
  /// The beacon is out of range, or ranging in the background has lasted too long. Until the beacon arrives
  /// again, the scanner scans with the long period of beacon monitoring.
  case ended
}

/// The proximity of a beacon.
public enum Proximity: String, Hashable, Sendable, CaseIterable {
  case immediate, near, far
  /// No signal is received.
  case unknown

  /// The weakest signals, in dBm, that count as immediate and as near.
  static let bounds = (immediate: -60.0, near: -75.0)
  /// The distance in dB by which the signal must pass a bound before the proximity changes.
  static let hysteresis = 3.0

  /// Returns the proximity for a smoothed signal in dBm. The previous proximity determines the hysteresis.
  static func of(signal: Double, before: Proximity) -> Proximity {
    func above(_ bound: Double, _ wasAbove: Bool) -> Bool {
      signal >= bound + (wasAbove ? -hysteresis : before == .unknown ? 0 : hysteresis)
    }
    if above(bounds.immediate, before == .immediate) { return .immediate }
    return above(bounds.near, before == .immediate || before == .near) ? .near : .far
  }
}
