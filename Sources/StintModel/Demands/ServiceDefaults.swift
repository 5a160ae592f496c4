public import StintUnits

/// What holds for clients' services on a device where their requests leave it open.
public struct ServiceDefaults: Hashable, Sendable {
  /// Metres between two positions that a client gets.
  public var filter: Double?
  /// Whether a client gets positions no finer than it asked.
  public var fuzz: Bool?
  /// How often a watch on moves wakes the app when nothing changes; zero for never.
  public var heartbeat: TimeSpan?
  /// Whether begins and ends of orientation nest.
  public var nested: Bool?
  /// The session of transfers that the other words are about; all where it is nil.
  public var session: String?
  /// Whether the system picks the moment of transfers.
  public var discretionary: Bool?
  /// Whether a byte may ever go over the cellular radio.
  public var cellular: Bool?
  /// Whether sessions of transfers go on when their client's process is gone.
  public var outOfProcess: Bool?

  /// Leaves all open.
  public init() {}

  /// Whether nothing is said.
  public var isEmpty: Bool { self == ServiceDefaults() }

  /// Joins the defaults of two policies: for each the cheaper.
  public func merged(with other: ServiceDefaults) -> ServiceDefaults {
    var result = self
    result.filter = [filter, other.filter].compactMap(\.self).max()
    result.fuzz = either(fuzz, other.fuzz) { $0 || $1 }
    // No heartbeat costs least, then the longest.
    result.heartbeat = either(heartbeat, other.heartbeat) { $0 == .zero || $1 == .zero ? .zero : max($0, $1) }
    result.nested = either(nested, other.nested) { $0 && $1 }
    result.session = session ?? other.session
    result.discretionary = either(discretionary, other.discretionary) { $0 || $1 }
    result.cellular = either(cellular, other.cellular) { $0 && $1 }
    result.outOfProcess = either(outOfProcess, other.outOfProcess) { $0 && $1 }
    return result
  }

  private func either<Value>(_ left: Value?, _ right: Value?, _ choose: (Value, Value) -> Value) -> Value? {
    guard let left, let right else { return left ?? right }
    return choose(left, right)
  }
}
