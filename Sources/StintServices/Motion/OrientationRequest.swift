public import StintUnits

/// Asks for notices of how the device is turned. The request powers nothing: `OrientationCommand.begin` does,
/// and `observe` brings notices.
public struct OrientationRequest: ServiceRequest, Hashable {
  /// The time between two looks at the accelerometer.
  public var interval: TimeSpan

  /// Five looks a second, unless said otherwise.
  public init(interval: TimeSpan = .milliseconds(200)) { self.interval = interval }

  public var objection: ServiceFailure? {
    guard interval > .zero else {
      return ServiceFailure(.invalid, "the interval is \(interval); it must be longer than nothing")
    }
    return nil
  }

  public func makeService() -> any Service { OrientationService(self) }
}

/// What a client tells its orientation service. Begin and end nest; to observe is another act.
public enum OrientationCommand: ServiceCommand, Hashable {
  case begin
  case end
  case observe
  case stopObserving
}

/// What an orientation service tells its client.
public enum OrientationNotice: ServiceNotice, Hashable {
  /// The device is turned otherwise than before; told to observers alone.
  case turned(Orientation)
  /// There was an end without a begin; nothing happened.
  case unbalancedEnd
  /// A likely mistake, with its code.
  case warning(String, String)
}
