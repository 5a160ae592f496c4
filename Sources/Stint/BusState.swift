import StintModel

extension Bus {
  /// How far a bus has come in its life; it only goes forward.
  public enum State: Int, Hashable, Sendable, Comparable {
    /// Its devices are being opened.
    case starting
    /// Calls are served.
    case running
    /// `close()` was called: calls are refused, streams end, devices are switched off.
    case closing
    /// Every device is off, and the bus's thread and descriptors are gone.
    case closed

    public static func < (left: State, right: State) -> Bool { left.rawValue < right.rawValue }
  }
}

/// The state of a bus, and the callers that wait for its end.
struct BusLife {
  private(set) var state = Bus.State.starting
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// The devices are open.
  mutating func run() { advance(to: .running) }

  /// Begins to close.
  ///
  /// - Returns: true for the one caller that has to do it; the others wait.
  mutating func close() -> Bool {
    guard state < .closing else { return false }
    advance(to: .closing)
    return true
  }

  /// All is closed.
  ///
  /// - Returns: the callers that waited for it, to be resumed.
  mutating func end() -> [CheckedContinuation<Void, Never>] {
    advance(to: .closed)
    defer { waiters = [] }
    return waiters
  }

  mutating func wait(_ waiter: CheckedContinuation<Void, Never>) { waiters.append(waiter) }

  private mutating func advance(to next: Bus.State) {
    precondition(next > state, "a bus goes from \(state) to \(next)")
    state = next
  }
}
