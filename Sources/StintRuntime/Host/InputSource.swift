public import StintGovernor
public import StintUnits

/// What happens to a host from outside, in the order of time: a scenario's script, or nothing.
public protocol InputSource: Sendable {
  /// When something happens next; nil when nothing will.
  var nextInstant: Instant? { get }
  /// What happens at `nextInstant`, in order.
  mutating func take() -> [Input]
}

/// A source from which nothing comes.
public struct NoInputs: InputSource {
  public init() {}
  public var nextInstant: Instant? { nil }
  public mutating func take() -> [Input] { [] }
}
