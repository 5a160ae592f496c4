public import StintModel
public import StintUnits

/// What a service may look at while it takes an event.
public struct ServiceContext: Sendable {
  public let instant: Instant
  public let id: ServiceID
  /// Its client as it stands now.
  public let client: ClientStanding
  let surroundings: Surroundings

  /// The fact's value now; unknown when it was never published, or too long ago.
  public func fact(_ path: String) -> FactValue { surroundings.fact(path, at: instant) }

  /// The fact's declaration; nil when there is none.
  public func schema(_ path: String) -> FactSchema? { surroundings.vocabulary.schema(path) }

  /// The last value that was said, however old, and when; nil when there was none.
  public func remembered(_ path: String) -> (value: FactValue, at: Instant)? {
    surroundings.remembered(path)
  }

  /// The names of all devices that say where they are, sorted.
  public var positioningDevices: [DeviceID] { surroundings.positioning }

  /// Whether the bus has the device, and it can be used.
  public func isAvailable(_ device: DeviceID) -> Bool { surroundings.isAvailable(device) }

  /// The device's manifest; nil when the bus has no such device.
  public func manifest(_ device: DeviceID) -> Manifest? { surroundings.vocabulary.manifest(device) }

  /// What policies say of services on a device, or of a service by its word.
  public func defaults(of device: DeviceID) -> DeviceDefaults? {
    surroundings.defaults.first { $0.device == device }
  }

  /// What policies say of a session of transfers, on whichever radio.
  func defaults(ofSession name: String) -> ServiceDefaults {
    surroundings.defaults.map(\.services).reduce(ServiceDefaults()) { joined, next in
      next.session == nil || next.session == name ? joined.merged(with: next) : joined
    }
  }

  /// Whether rules let tasks of a session begin that its client did not resume, and whether at once.
  func starts(ofSession name: String) -> (any: Bool, atOnce: Bool) {
    let reaching = surroundings.starts.values.filter { $0.reaches(name, of: id.client) }
    return (!reaching.isEmpty, reaching.contains(where: \.isAtOnce))
  }

  /// Whether the app that users see is in the background; false while that is unknown.
  public var isInBackground: Bool {
    surroundings.backgroundState != .unknown && fact("app.state") == surroundings.backgroundState
  }
}
