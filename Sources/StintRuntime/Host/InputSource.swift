public import StintGovernor
public import StintServices
public import StintUnits

/// What happens to a host from outside, in the order of time: a scenario's script, or nothing.
public protocol InputSource: Sendable {
  /// When something happens next; nil when nothing will.
  var nextInstant: Instant? { get }
  /// What happens at `nextInstant`, in order.
  mutating func drain() -> [Input]
  /// What clients tell their services then, behind that; asked for after `take`.
  ///
  /// A source may answer what services say: it is asked for its `nextInstant` again whenever they said something.
  mutating func drainServiceInputs() -> [ServiceInput]
}

extension InputSource {
  public mutating func drainServiceInputs() -> [ServiceInput] { [] }
}

/// A source from which nothing comes.
public struct NoInputs: InputSource {
  public init() {}
  public var nextInstant: Instant? { nil }
  public mutating func drain() -> [Input] { [] }
}
