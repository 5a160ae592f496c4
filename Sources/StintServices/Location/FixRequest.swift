public import StintUnits

/// Asks for one fix: positioning starts, delivers one position, and stops by itself.
///
/// The answer comes as `LocationNotice.answer`, or as `unanswered` when the time is up. It may be asked before the
/// user has allowed anything; then it waits for that as well, and powers nothing meanwhile.
public struct FixRequest: ServiceRequest, Hashable {
  /// 95 % radius in metres; nil for the default.
  public var accuracy: Double?
  public var timeout: TimeSpan
  /// How old the answer may be when it is told, whenever it was taken: a position that is known already may answer at
  /// once, and nothing is powered. Nil for one that is taken for this request, no older than
  /// `LocationDefaults.maxAge` when it is told.
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
