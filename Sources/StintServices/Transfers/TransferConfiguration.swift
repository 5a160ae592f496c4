import StintModel
public import StintUnits

/// What a client asks for when it makes a session of transfers; fixed from then on.
///
/// The name of the service is the session's identifier, the client's own: two clients may use the same word. When the
/// client's process comes back, asking again under the same name takes the session up again.
public struct TransferConfiguration: ServiceRequest, Hashable {
  /// What is done with a task that had no good moment.
  public enum ExpiryAction: String, Hashable, Sendable {
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
  public var windowEnd = ExpiryAction.force
  public var retries = RetryPlan()
  /// When a link is too slow to be worth it; nil to take any.
  public var slowLink: SlowLinkLimits?
  /// Tasks of more bytes than this wait for a good moment as if they were discretionary; nil for none.
  public var largeTask: Int64?
  /// How long a good moment must have lasted before it counts.
  public var settling = TimeSpan.seconds(30)
  /// Whether only a session that stands already will do.
  public var mustExist = false

  /// A session as the defaults have it: at once, on any network, in seven days.
  public init() {}

  /// A discretionary one.
  public static var discretionary: TransferConfiguration {
    var configuration = TransferConfiguration()
    configuration.isDiscretionary = true
    return configuration
  }

  public var rejectionReason: ServiceFailure? {
    if window <= .zero {
      return ServiceFailure(.invalid, "the window is \(window); it must be longer than nothing")
    }
    if let rejectionReason = retries.rejectionReason { return ServiceFailure(.invalid, rejectionReason) }
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

/// An order of a session to the process that carries transfers; in a radio's simulation, the server's side of
/// it.
public enum TransferOrder: ServiceOrder, Hashable {
  /// An attempt stands with the governor; carry it when the radio lets its demand go.
  case open(TransferExchange)
  /// The attempt's bytes are through: say what the server answers.
  case settle(TransferExchange)
  /// The attempt is over: for now, and what is through is kept, or for good.
  case close(TransferExchange, keepsPart: Bool)
  /// Remove this file, whole or not.
  case discard(String)
}

/// When a link is too slow to be worth its power, and when it is good again.
///
/// The rate is the fact `net.throughput`, which only real transfers make; so one that was put off is tried again after
/// `probe`, and that is the measurement.
public struct SlowLinkLimits: Hashable, Sendable {
  /// In bytes a second.
  public var below: Double
  /// In bytes a second, at least `below`.
  public var release: Double
  /// How long it must have been slow.
  public var span: TimeSpan
  public var probe: TimeSpan

  /// Makes a threshold: by default slow after 20 s, tried again each 5 min.
  public init(
    below: Double, release: Double, span: TimeSpan = .seconds(20), probe: TimeSpan = .minutes(5)
  ) {
    self.below = below
    self.release = release
    self.span = span
    self.probe = probe
  }
}
