public import StintUnits

/// A service that an app of a scenario asks for, from one time to another; the app's process is there as long as the
/// scenario.
public struct ScenarioService: Hashable, Sendable {
  /// What is asked for.
  public enum Request: Hashable, Sendable {
    /// One fix: an accuracy and the background at most.
    case fix(DemandSettings, timeout: TimeSpan?)
    /// Standard updates; the filter in metres.
    case updates(DemandSettings, filter: Double?)
    case regions([WatchedCircle])
    case beacons([WatchedBeacon])
    case visits
    /// Significant change.
    case moves(heartbeat: TimeSpan?)
  }

  /// The words by which files name what is asked for.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case fix, updates, regions, beacons, visits, moves
  }

  /// A circle on the map.
  public struct WatchedCircle: Hashable, Sendable {
    public var name: String
    public var centre: Coordinate
    /// Metres.
    public var radius: Double

    /// Makes a circle.
    public init(name: String, centre: Coordinate, radius: Double) {
      self.name = name
      self.centre = centre
      self.radius = radius
    }
  }

  /// Beacons of one identity, all or those of a major and a minor number.
  public struct WatchedBeacon: Hashable, Sendable {
    public var name: String
    public var identity: String
    public var major: Int?
    public var minor: Int?

    /// Makes one.
    public init(name: String, identity: String, major: Int? = nil, minor: Int? = nil) {
      self.name = name
      self.identity = identity
      self.major = major
      self.minor = minor
    }
  }

  /// What its client calls it.
  public var name: String
  public var request: Request
  public var from: TimeSpan
  /// Nil for the whole scenario.
  public var until: TimeSpan?

  /// Makes a service.
  public init(name: String, request: Request, from: TimeSpan = .zero, until: TimeSpan? = nil) {
    self.name = name
    self.request = request
    self.from = from
    self.until = until
  }
}
