public import StintUnits

/// Asks for one fix: positioning starts, delivers one position, and stops by itself.
///
/// The answer comes as `LocationNotice.answer`, or as `unanswered` when the time is up. It may be asked before the
/// user has allowed anything; then it waits for that as well, and powers nothing meanwhile.
public struct FixRequest: ServiceRequest, Hashable {
  /// 95 % radius in metres; nil for the default.
  public var accuracy: Double?
  public var timeout: TimeSpan
  /// The greatest age of the answer when it is delivered. A known position may answer at once, without
  /// powering a device. With nil the fix must be taken for this request, and be no older than
  /// `LocationDefaults.maxAge` when it is delivered.
  public var maxAge: TimeSpan?
  /// Whether it goes on in the background.
  public var background: Bool

  /// Makes a request.
  public init(
    accuracy: Double? = nil, timeout: TimeSpan = LocationDefaults.timeout, maxAge: TimeSpan? = nil,
    background: Bool = false
  ) {
    self.accuracy = accuracy
    self.timeout = timeout
    self.maxAge = maxAge
    self.background = background
  }

  public var objection: ServiceFailure? {
    if timeout <= .zero {
      return ServiceFailure(.invalid, "a timeout of \(timeout) leaves no time; ask for more")
    }
    if let maxAge, maxAge < .zero {
      return ServiceFailure(.invalid, "a position cannot be younger than now")
    }
    guard let accuracy, LocationAccuracy(metres: accuracy) == nil else { return nil }
    return ServiceFailure(.invalid, "no radius is \(accuracy) m; ask for 5 m or more")
  }

  public func makeService() -> any Service { FixService(self) }
}
