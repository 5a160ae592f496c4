import StintModel
import StintUnits

/// What a client asks for: a kind of data and how good it must be.
public struct DemandRequest: Hashable, Sendable {
  var target: DeviceID
  var wants: DemandSettings
  var maxAge: TimeSpan

  /// Positions.
  ///
  /// - Parameters:
  ///   - accuracy: the 95 % radius that is good enough; coarser is cheaper.
  ///   - every: the time between two positions; nil leaves it to the policy.
  ///   - activity: what the positions are for; it decides when pausing is right.
  ///   - background: whether they are wanted while the app is in the background. The client must have been
  ///     attached with `mayBackground`.
  ///   - maxAge: how old one may be when it is read; older ones, such as those that a policy has held back, come
  ///     flagged as stale.
  public static func location(
    accuracy: Accuracy, every period: Duration? = nil, activity: NavigationActivity = .other,
    background: Bool = false, maxAge: Duration = freshness
  ) -> DemandRequest {
    DemandRequest(
      target: "location.gnss",
      wants: DemandSettings(
        accuracy: accuracy.metres, period: period?.timeSpan, activity: activity.rawValue,
        background: background),
      maxAge: maxAge.timeSpan)
  }

  /// The default of `maxAge`: a sample that is older when it is read no longer counts as current.
  public static let freshness = Duration.seconds(10)

  /// Acceleration, three axes in metres a second squared.
  public static func acceleration(
    every period: Duration, background: Bool = false, maxAge: Duration = freshness
  ) -> DemandRequest {
    DemandRequest(
      target: "motion.accelerometer", wants: DemandSettings(period: period.timeSpan, background: background),
      maxAge: maxAge.timeSpan)
  }

  /// Samples of any device that the bus has, by the name in its manifest.
  public static func samples(
    of device: String, every period: Duration? = nil, background: Bool = false,
    maxAge: Duration = freshness
  ) -> DemandRequest {
    DemandRequest(
      target: DeviceID(device), wants: DemandSettings(period: period?.timeSpan, background: background),
      maxAge: maxAge.timeSpan)
  }
}

/// How good a position must be.
public struct Accuracy: Hashable, Sendable {
  var metres: Double

  /// At least this good, 95 times in 100; the radius is positive.
  public static func meters(_ radius: Double) -> Accuracy {
    precondition(radius > 0 && radius.isFinite, "an accuracy is a positive number of metres")
    return Accuracy(metres: radius)
  }
}

/// What positions are for.
public enum NavigationActivity: String, Hashable, Sendable {
  case other, fitness, automotive
}

extension Duration {
  /// The same length; the longest span where it is more than 292 years.
  var timeSpan: TimeSpan {
    let (seconds, attoseconds) = components
    return .seconds(seconds) + TimeSpan(nanoseconds: attoseconds / 1_000_000_000)
  }
}
