/// What a client says that its user does; it decides when updates may pause.
public enum LocationActivity: String, Hashable, Sendable, CaseIterable {
  /// The kind of movement is unknown; the default.
  case other
  /// Guidance in a car.
  case automotive
  /// Anything on foot.
  case fitness
  /// Guidance in boats, trains and planes; not for pedestrians.
  case otherNavigation
  case airborne

  /// The word of the devices' `activity` attribute.
  public var word: String { self == .otherNavigation ? "navigation" : rawValue }
}
