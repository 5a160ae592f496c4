import StintModel

/// A call whose function is set after the call was passed on. Until then, calling has no effect. May be used
/// from any thread.
///
/// The function is a member of the struct `State` for this reason: if the type argument of `Locked` is a
/// function type, Swift wraps the function in a new closure at each read and at each write of the value. Each
/// call would then add two closures, and be slower than the call before it.
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
