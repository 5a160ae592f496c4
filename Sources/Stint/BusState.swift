import StintModel
import StintRuntime

extension Bus {
  /// The phase of a bus's life cycle. A bus passes through the phases in this order, and never returns to an
  /// earlier phase.
  public enum State: Int, Hashable, Sendable, Comparable {
    /// The bus opens its devices.
    case starting
    /// The bus serves calls.
    case running
    /// `close()` was called: the bus rejects calls, ends streams and switches devices off.
    case closing
    /// Every device is off, and the thread of the bus has ended. The last descriptors of the bus are closed
    /// when the app releases the bus.
    case closed

    /// Compares in the order of the life cycle.
    public static func < (left: State, right: State) -> Bool { left.rawValue < right.rawValue }
  }
}

/// The state of a bus and the callers that wait until it is closed.
struct BusLife {
  private(set) var state = Bus.State.starting
  private var waiters: [CheckedContinuation<Void, Never>] = []
  /// Promises that are filled when the closing begins.
  private var closeObservers: [Promise<Void>] = []

  /// Enters `running`; called when the devices are open.
  mutating func run() { advance(to: .running) }

  /// Enters `closing`.
  ///
  /// - Returns: true for the first caller, which must close the bus; false for later callers, which must
  ///   wait.
  mutating func close() -> Bool {
    guard state < .closing else { return false }
    advance(to: .closing)
    for closing in closeObservers { closing.fill(()) }
    closeObservers = []
    return true
  }

  /// Stores a promise that is filled when the closing begins. Returns false after the closing has begun.
  mutating func notify(_ closing: Promise<Void>) -> Bool {
    guard state < .closing else { return false }
    closeObservers.append(closing)
    return true
  }

  /// Enters `closed`.
  ///
  /// - Returns: the waiting callers, to be resumed.
  mutating func end() -> [CheckedContinuation<Void, Never>] {
    advance(to: .closed)
    defer { waiters = [] }
    return waiters
  }

  mutating func wait(_ waiter: CheckedContinuation<Void, Never>) { waiters.append(waiter) }

  private mutating func advance(to next: Bus.State) {
    precondition(next > state, "a bus cannot change from \(state) to \(next)")
    state = next
  }
}

/// Runs a closure with a bus, and closes the bus when the closure returns or throws.
///
///     try await withBus(Bus(plugins: .linked(phone.plugins()), clock: .virtual)) { bus in … }
///
/// - Parameters:
///   - bus: an open bus.
///   - body: uses the bus. The bus is closed when this closure has ended in any manner.
/// - Throws: the error of the closure.
public func withBus<Result: Sendable>(
  _ bus: Bus, _ body: (Bus) async throws -> Result
) async throws -> Result {
  do {
    let result = try await body(bus)
    await bus.close()
    return result
  } catch {
    await bus.close()
    throw error
  }
}
