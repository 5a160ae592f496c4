import StintModel

/// A callable object whose function is set later. A call has no effect until the function is set. The object
/// may be used from any thread.
///
/// The function is a member of the struct `State`. If the type argument of `Locked` were a function type,
/// Swift would wrap the function in a new closure at each read and at each write. Each call would then add
/// two closures, so each call would be slower than the previous one.
public final class LateCall: Sendable {
  private struct State {
    var function: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// Makes a call without a function.
  public init() {}

  /// Sets the function of all later calls; nil for no function.
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
