import StintModel
public import StintUnits

/// What a client asks for when it makes a session of transfers; fixed from then on.
///
/// The name of the service is the session's identifier, the client's own: two clients may use the same word. When the
/// client's process comes back, asking again under the same name takes the session up again.
public struct TransferConfiguration: ServiceRequest, Hashable {
  /// What is done with a task that had no good moment.
  public enum WindowEnd: String, Hashable, Sendable {
    /// It goes so that it can be through when the window ends, whatever it costs.
    case force
    /// It fails when the window ends.
    case fail
  }

  /// Whether the system picks the moment.
  public var isDiscretionary = false
  /// Whether a byte may ever go over the cellular radio.
  public var allowsCellular = true
  /// Whether tasks go on when the client's process is gone; otherwise the session ends with it.
  public var outlivesClient = true
  /// How long a task may take from its start, where it does not say so itself.
  public var window = TimeSpan.hours(7 * 24)
  public var windowEnd = WindowEnd.force
  public var retries = RetryPlan()
  /// When a link is too slow to be worth it; nil to take any.
  public var slowLink: SlowLink?
  /// Tasks of more bytes than this wait for a good moment as if they were discretionary; nil for none.
  public var largeTask: Int64?
  /// How long a good moment must have lasted before it counts.
  public var settling = TimeSpan.seconds(30)
  /// Whether only a session that stands already will do.
  public var mustStand = false

  /// A session as the defaults have it: at once, on any network, in seven days.
  public init() {}

  /// A discretionary one.
  public static var discretionary: TransferConfiguration {
    var configuration = TransferConfiguration()
    configuration.isDiscretionary = true
    return configuration
  }

  public var objection: ServiceFailure? {
    if window <= .zero {
      return ServiceFailure(.invalid, "the window is \(window); it must be longer than nothing")
    }
    if let objection = retries.objection { return ServiceFailure(.invalid, objection) }
    if let slowLink, !(slowLink.below > 0 && slowLink.release >= slowLink.below) {
      return ServiceFailure(.invalid, "a link is slow below some rate, and good again at no less than that")
    }
    return nil
  }

  public func makeService() -> any Service { TransferSession(self) }

  /// Saves where policies say so; what they say later changes nothing.
  mutating func follow(_ defaults: ServiceDefaults) {
    if defaults.discretionary == true { isDiscretionary = true }
    if defaults.cellular == false { allowsCellular = false }
    if defaults.outOfProcess == false { outlivesClient = false }
  }
}
