/// The user's decisions about one client: one for each capability, and one about the precision of positions.
///
/// The app sets them with `Bus.attach` and `Client.authorize`. A site or scenario sets them with
/// `permission`, and an operator sets them with `stint permit`. They may change at any time. A request that
/// lacks a permission is refused; a running request that loses its permission ends in the step in which the
/// permission changes.
public struct Permissions: Hashable, Sendable {
  /// Whether the client may know the position.
  public var location: Authorization
  /// How exact the positions of the client are.
  public var precision: Precision
  /// Whether the client may read motion sensors.
  public var motion: Consent
  /// Whether the client may transfer data.
  public var network: Consent

  /// Makes permissions; everything that is not named is allowed.
  public init(
    location: Authorization = .always, precision: Precision = .precise, motion: Consent = .granted,
    network: Consent = .granted
  ) {
    self.location = location
    self.precision = precision
    self.motion = motion
    self.network = network
  }

  /// Makes permissions from a decision about the location. A client that is denied the location is denied
  /// motion and network too. In every other case motion and network are granted.
  public init(_ location: Authorization) {
    let others: Consent = location == .denied ? .denied : .granted
    self.init(location: location, motion: others, network: others)
  }

  /// Everything is allowed.
  public static let always = Permissions(.always)
  /// Positions while the app is in use; motion and network are granted.
  public static let whenInUse = Permissions(.whenInUse)
  /// The user has not decided about the location; motion and network are granted.
  public static let undecided = Permissions(.undecided)
  /// Nothing is allowed.
  public static let denied = Permissions(.denied)

  /// Returns whether these permissions allow a request that requires `need`.
  public func allow(_ need: PermissionNeed) -> Bool {
    switch need {
    case .nothing: true
    case .question(let capability): consent(to: capability) != .denied
    case .location(let level): location >= level
    case .preciseLocation(let level): location >= level && precision == .precise
    case .motion: motion == .granted
    case .network: network == .granted
    }
  }

  /// Returns the consent to a capability. A location that is allowed at any level counts as granted.
  public func consent(to capability: Capability) -> Consent {
    switch capability {
    case .location: location == .denied ? .denied : location == .undecided ? .undecided : .granted
    case .motion: motion
    case .network: network
    }
  }
}

/// A group of data, or the use of radios, about which the user decides.
public enum Capability: String, Hashable, Comparable, Sendable, CaseIterable, Codable {
  /// Positions, and everything from which a position follows: visits, regions, beacons.
  case location
  /// Accelerations, rotation rates, magnetic fields and activities.
  case motion
  /// Transfers over radios.
  case network

  public static func < (left: Capability, right: Capability) -> Bool { left.rawValue < right.rawValue }
}

/// The user's decision about a capability without levels.
public enum Consent: String, Hashable, Sendable, CaseIterable, Codable {
  case denied
  /// The user has not decided yet. Requests fail; a `PermissionRequest` asks the user.
  case undecided
  case granted
}

/// How exact the positions of a client are.
public enum Precision: String, Hashable, Sendable, CaseIterable, Codable {
  /// Positions have a radius of at least 3 km and lie on the centres of a fixed grid. Requests of the client
  /// never make devices measure finer positions. Regions, beacons, visits and raw positions are refused.
  case coarse
  case precise

  /// The least radius of a coarse position, in metres.
  public static let coarseRadius = 3000.0
}

/// The required permission of a request.
public enum PermissionNeed: Hashable, Sendable {
  case nothing
  /// The user has not denied the capability: it is granted, or the user has not decided yet.
  case question(Capability)
  /// A location permission of at least this level; coarse positions suffice.
  case location(Authorization)
  /// A location permission of at least this level, with precise positions.
  case preciseLocation(Authorization)
  case motion
  case network
}

extension Permissions: Codable {
  private enum CodingKeys: String, CodingKey {
    case location, precision, motion, network
  }

  /// Decodes an object. A missing member has its most permissive value.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      location: try members.decodeIfPresent(Authorization.self, forKey: .location) ?? .always,
      precision: try members.decodeIfPresent(Precision.self, forKey: .precision) ?? .precise,
      motion: try members.decodeIfPresent(Consent.self, forKey: .motion) ?? .granted,
      network: try members.decodeIfPresent(Consent.self, forKey: .network) ?? .granted)
  }
}

/// An operator's decisions about a client. A capability without a decision keeps the permission that the site
/// or the app gives.
public struct PermissionDecision: Hashable, Sendable, Codable {
  /// The decision about the location; nil without a decision.
  public var location: Authorization?
  /// The decision about the precision of positions; nil without a decision.
  public var precision: Precision?
  /// The decision about motion sensors; nil without a decision.
  public var motion: Consent?
  /// The decision about transfers; nil without a decision.
  public var network: Consent?

  /// Makes decisions.
  public init(
    location: Authorization? = nil, precision: Precision? = nil, motion: Consent? = nil,
    network: Consent? = nil
  ) {
    self.location = location
    self.precision = precision
    self.motion = motion
    self.network = network
  }

  /// Returns these decisions, in which newer decisions replace those for the same capability.
  public func merged(with newer: PermissionDecision) -> PermissionDecision {
    PermissionDecision(
      location: newer.location ?? location, precision: newer.precision ?? precision,
      motion: newer.motion ?? motion, network: newer.network ?? network)
  }

  /// Returns the given permissions, in which these decisions replace the permissions for the decided
  /// capabilities.
  public func applied(to given: Permissions) -> Permissions {
    Permissions(
      location: location ?? given.location, precision: precision ?? given.precision,
      motion: motion ?? given.motion, network: network ?? given.network)
  }
}
