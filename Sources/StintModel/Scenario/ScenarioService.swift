public import StintUnits

/// A service that an app of a scenario requests for a time. The app's process exists during the whole
/// scenario.
public struct ScenarioService: Hashable, Sendable {
  /// The request to the service.
  public enum Request: Hashable, Sendable {
    /// One fix. Of the settings, only accuracy and background apply.
    case fix(DemandSettings, timeout: TimeSpan?)
    /// Continuous location updates; the filter is in metres.
    case updates(DemandSettings, filter: Double?)
    case regions([WatchedCircle])
    case beacons([WatchedBeacon])
    case visits
    /// Significant location changes.
    case moves(heartbeat: TimeSpan?)

    /// True for a request that is complete after one fix.
    public var isSingleFix: Bool { if case .fix = self { true } else { false } }
  }

  /// The name of a request in files.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case fix, updates, regions, beacons, visits, moves
  }

  /// A circular region.
  public struct WatchedCircle: Hashable, Sendable {
    /// The client's name for the region.
    public var name: String
    /// The centre of the region.
    public var centre: Coordinate
    /// The radius in metres.
    public var radius: Double

    /// Makes a circular region.
    public init(name: String, centre: Coordinate, radius: Double) {
      self.name = name
      self.centre = centre
      self.radius = radius
    }
  }

  /// The beacons of one identity: all of them, or only those with the given major and minor numbers.
  public struct WatchedBeacon: Hashable, Sendable {
    /// The client's name for the beacons.
    public var name: String
    /// The advertised identity of the beacons, such as `f7826da6`.
    public var identity: String
    /// The major number; nil for any.
    public var major: Int?
    /// The minor number; nil for any.
    public var minor: Int?

    /// Makes a set of beacons.
    public init(name: String, identity: String, major: Int? = nil, minor: Int? = nil) {
      self.name = name
      self.identity = identity
      self.major = major
      self.minor = minor
    }
  }

  /// The client's name for the request.
  public var name: String
  /// The request.
  public var request: Request
  /// The time from the start of the scenario to the beginning of the request.
  public var from: TimeSpan
  /// The time from the start of the scenario to the end of the request; nil for the whole scenario.
  public var until: TimeSpan?

  /// Makes a service request.
  public init(name: String, request: Request, from: TimeSpan = .zero, until: TimeSpan? = nil) {
    self.name = name
    self.request = request
    self.from = from
    self.until = until
  }
}
