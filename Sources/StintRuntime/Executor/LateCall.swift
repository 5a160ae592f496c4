import StintModel

/// A call whose function is set after the call was passed on. Until then, calling has no effect. May be used
/// from any thread.
///
/// The function is a member of a struct. Swift wraps a function in a new closure each time that it reads or
/// writes a variable of a generic type that is itself a function, such as the value of `Locked`. A `Locked`
/// function would thus get two more closures per call, without limit, until the stack overflows.
public final class LateCall: Sendable {
  private struct State {
    var function: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// Makes a call without a function.
  public init() {}

  /// Sets the function of all later calls; nil for none.
  ///
  /// - Returns: the former function.
  @discardableResult
  public func set(_ function: (@Sendable () -> Void)?) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let former = state.function
      state.function = function
      return former
    }
  }

  /// Calls the function on the current thread.
  public func callAsFunction() { state.withLock { $0.function }?() }
}
