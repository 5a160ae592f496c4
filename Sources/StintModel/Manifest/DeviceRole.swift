/// A capability that a device provides to services, independent of its name.
///
/// The raw value is the word in `provides` of a manifest.
public enum DeviceRole: String, Hashable, Comparable, Sendable, CaseIterable {
  /// Publishes positions: the facts `latitude`, `longitude` and `accuracy`, and samples with these channels.
  case positioning
  /// Publishes `motion.activity`, and detects movement at low power.
  case activity
  /// Samples the acceleration along three axes, in m/s².
  case acceleration
  /// Samples the rotation rate around three axes.
  case rotation
  /// Samples the magnetic field along three axes.
  case magneticField = "magnetic_field"
  /// Samples attitude, rotation and acceleration together.
  case deviceMotion = "device_motion"
  /// Receives advertisements of Bluetooth beacons.
  case beacons
  /// Carries transfers.
  case transfers
  /// Carries transfers for which the user pays by volume.
  case metered
  /// Moves the bytes of sessions of transfers, over the radios that the governor chooses.
  case carrier

  public static func < (left: DeviceRole, right: DeviceRole) -> Bool { left.rawValue < right.rawValue }

  /// The object of a sentence such as “no device provides positions”.
  public var provision: String {
    switch self {
    case .positioning: "positions"
    case .activity: "an activity"
    case .acceleration: "accelerations"
    case .rotation: "rotation rates"
    case .magneticField: "a magnetic field"
    case .deviceMotion: "device motion"
    case .beacons: "beacons"
    case .transfers, .metered: "transfers"
    case .carrier: "a carrier of transfers"
    }
  }
}

extension DeviceRole {
  /// The roles of the standard devices, whose manifests need not state them.
  private static let standard: [DeviceID: Set<DeviceRole>] = [
    "motion.accelerometer": [.acceleration, .activity], "motion.gyro": [.rotation],
    "motion.magnetometer": [.magneticField], "motion.fused": [.deviceMotion], "radio.ble": [.beacons],
    "radio.cellular": [.transfers, .metered],
  ]

  /// Returns the roles of a device whose manifest states no roles. The roles follow from the kind and the
  /// facts of the device. They include the roles of the standard device with this name.
  static func implied(
    device: DeviceID, kind: DeviceKind, facts: [FactSchema]
  ) -> Set<DeviceRole> {
    var roles = standard[device, default: []]
    if kind == .radio { roles.insert(.transfers) }
    let paths = Set(facts.map(\.path))
    if positionFacts.allSatisfy({ paths.contains("\(device.path).\($0)") }) { roles.insert(.positioning) }
    return roles
  }

  /// The facts that a device with the role `positioning` publishes, without the name of the device.
  static let positionFacts = ["latitude", "longitude", "accuracy"]
}

/// The devices of a vocabulary by role.
public struct DeviceRoles: Hashable, Sendable {
  private let byRole: [DeviceRole: [DeviceID]]
  private let radii: [DeviceID: Double]

  /// Finds the roles of devices, whose manifests are sorted by name.
  init(_ manifests: [Manifest]) {
    var byRole: [DeviceRole: [DeviceID]] = [:]
    for manifest in manifests {
      for role in manifest.provides { byRole[role, default: []].append(manifest.device) }
    }
    let radii = Dictionary(
      manifests.map { ($0.device, $0.positionAccuracy) }, uniquingKeysWith: { first, _ in first })
    byRole[.positioning]?.sort { (radii[$0] ?? 0, $0) < (radii[$1] ?? 0, $1) }
    let ranks = Dictionary(
      manifests.map { ($0.device, $0.ladder?.rank ?? 0) }, uniquingKeysWith: { first, _ in first })
    byRole[.transfers]?.sort { (ranks[$1] ?? 0, $0) < (ranks[$0] ?? 0, $1) }
    self.byRole = byRole
    self.radii = radii
  }

  /// Returns the devices with a role, in the order of their use. Devices with the role `positioning` are
  /// sorted from the finest to the coarsest. Devices with the role `transfers` are sorted from the highest to
  /// the lowest rank of their ladder. All other devices are sorted by name.
  public func devices(_ role: DeviceRole) -> [DeviceID] { byRole[role] ?? [] }

  /// Returns whether a device has a role.
  public func has(_ device: DeviceID, _ role: DeviceRole) -> Bool { devices(role).contains(device) }

  /// Returns all roles of a device.
  public func roles(of device: DeviceID) -> Set<DeviceRole> {
    Set(byRole.filter { $0.value.contains(device) }.keys)
  }

  /// The largest 95 % radius, in metres, with which a position distinguishes places as small as a building.
  private static let placeRadius = 100.0
  /// The smallest 95 % radius, in metres, of positions that cost little because they need no satellites.
  private static let coarseRadius = 50.0

  /// The positioning devices that can distinguish places, the coarsest and thus cheapest first.
  public var placeDevices: [DeviceID] {
    let devices = devices(.positioning).filter { radius($0) <= Self.placeRadius }
    return devices.sorted { (-radius($0), $0) < (-radius($1), $1) }
  }

  /// All positioning devices: first `placeDevices`, then all coarser devices from the finest to the coarsest.
  public var regionDevices: [DeviceID] {
    placeDevices + devices(.positioning).filter { radius($0) > Self.placeRadius }
  }

  /// The positioning devices whose 95 % radius is at least `coarseRadius`, the finest first. When there is no
  /// such device, this list contains all positioning devices.
  public var coarseDevices: [DeviceID] {
    let devices = devices(.positioning)
    let coarse = devices.filter { radius($0) >= Self.coarseRadius }
    return coarse.isEmpty ? devices : coarse
  }

  private func radius(_ device: DeviceID) -> Double { radii[device] ?? 0 }

  /// Returns the radio for transfers: the radio of the highest rank. Cheaper radios of its ladder may serve
  /// the transfers instead. Nil without a radio.
  ///
  /// - Parameter metered: true when a radio may be used for which the user pays by volume.
  public func radio(metered: Bool) -> DeviceID? {
    devices(.transfers).first { metered || !has($0, .metered) }
  }
}
