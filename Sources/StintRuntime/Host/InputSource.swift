public import StintGovernor
public import StintServices
public import StintUnits

/// The inputs of a host from outside, in order of time: the script of a scenario, or none.
public protocol InputSource: Sendable {
  /// The instant of the next input; nil when there are no further inputs.
  var nextInstant: Instant? { get }
  /// The indexes of facts that only this source sets. The host ignores values of these facts from devices and
  /// services. The set never changes.
  var assigned: Set<Int> { get }
  /// Removes and returns the inputs at `nextInstant`, in order.
  mutating func drain() -> [Input]
  /// Removes and returns the service inputs at the instant of the preceding `drain()`. Called
  /// after `drain()`.
  ///
  /// An input source may respond to services: the host reads `nextInstant` again after each step in which
  /// services have effects.
  mutating func drainServiceInputs() -> [ServiceInput]
}

extension InputSource {
  public var assigned: Set<Int> { [] }
  public mutating func drainServiceInputs() -> [ServiceInput] { [] }
}

/// An input source without inputs.
public struct NoInputs: InputSource {
  public init() {}
  public var nextInstant: Instant? { nil }
  public mutating func drain() -> [Input] { [] }
}
