import StintDaemon
import StintModel
public import StintServices
public import StintUnits

/// A request for samples: the device, the required quality and the sampling period.
public struct DemandRequest: Hashable, Sendable {
  /// The requested device, by name or by role.
  enum Target: Hashable, Sendable {
    case device(DeviceID)
    case role(DeviceRole)

    /// Returns the named device. For a role, returns the preferred device, if possible one that works.
    func device(
      in vocabulary: Vocabulary, isLost: (DeviceID) -> Bool
    ) throws(Problem) -> DeviceID {
      let device: DeviceID
      switch self {
      case .device(let named): device = named
      case .role(let role):
        let devices = vocabulary.roles.devices(role)
        guard let preferred = devices.first(where: { !isLost($0) }) ?? devices.first else {
          throw Problem(
            .noSuchDevice, cause: "no device of the bus provides \(role.provision)",
            remedy: "open the bus with such a device; it has \(vocabulary.deviceNames)")
        }
        device = preferred
      }
      return try vocabulary.sensor(named: device)
    }
  }

  var target: Target
  /// True for a request that names its device: no other device may serve it.
  var isForTargetOnly: Bool { if case .device = target { true } else { false } }
  var wants: DemandSettings
  var maxAge: TimeSpan

  /// Requests positions.
  ///
  /// - Parameters:
  ///   - accuracy: the radius that contains the true position with 95 % probability, above 0 m and at most
  ///     100 000 km. A larger radius costs less energy.
  ///   - period: the time between two positions; nil leaves it to the policy.
  ///   - activity: the purpose of the positions; policies use it to decide when to pause.
  ///   - background: whether positions are needed while the app is in the background; nil for the `default`
  ///     of the policies, or false without a default. True needs a client that was attached with
  ///     `mayBackground`.
  ///   - maxAge: the age above which a position is flagged as stale when it is read. Positions become stale,
  ///     for example, when a policy defers their delivery.
  public static func location(
    accuracy: Length, every period: Duration? = nil, activity: LocationActivity = .other,
    background: Bool? = nil, maxAge: Duration = freshness
  ) -> DemandRequest {
    DemandRequest(
      target: .role(.positioning),
      wants: DemandSettings(
        accuracy: accuracy.meters, period: period?.timeSpan, activity: activity.word,
        background: background),
      maxAge: maxAge.timeSpan)
  }

  /// The reason to reject the request because of a value out of range; nil when all values are valid.
  var rejectionReason: String? {
    if let radius = wants.accuracy,
      let reason = InputBounds.rejectionReason(for: .meters(radius), "the accuracy", .accuracy)
    {
      return reason
    }
    return InputBounds.rejectionReason(for: maxAge.duration, "the maximum age", .delay)
      ?? wants.rejectionReason
  }

  /// The default of `maxAge`, 10 s.
  public static let freshness = Duration.seconds(10)

  /// Requests acceleration on three axes, in metres per second squared, with the parameters of `location`.
  public static func acceleration(
    every period: Duration, background: Bool? = nil, maxAge: Duration = freshness
  ) -> DemandRequest {
    DemandRequest(
      target: .role(.acceleration), wants: DemandSettings(period: period.timeSpan, background: background),
      maxAge: maxAge.timeSpan)
  }

  /// Requests samples of a sensor of the bus, by its device name in the manifest. The other parameters are
  /// those of `location`.
  ///
  /// Only this device serves the request. `location` leaves the choice to the bus: a cheaper device that
  /// meets the accuracy may serve it.
  ///
  /// `attributes` contains values of attributes that the manifest of the sensor defines, such as `["gain":
  /// "high", "window": "60 ms"]`; the policies decide the other attributes. A request with an unknown
  /// attribute or value throws.
  public static func samples(
    of device: String, every period: Duration? = nil, attributes: AttributeValues = [:],
    background: Bool? = nil, maxAge: Duration = freshness
  ) -> DemandRequest {
    var wants = DemandSettings(period: period?.timeSpan, background: background)
    wants.attributes = attributes
    return DemandRequest(target: .device(DeviceID(device)), wants: wants, maxAge: maxAge.timeSpan)
  }
}
