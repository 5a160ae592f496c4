import StintModel
import StintSystem

/// A watch that waits on a thread until a descriptor becomes readable. The thread exists only while there is
/// a descriptor.
///
/// Use it for hardware that sends data without a request. No timer wakes the process, and a device that is
/// off has no thread. May be used from any thread.
public final class ReadinessWatch: Sendable {
  private struct State {
    var descriptor: Int32?
    /// The number of calls of `follow`. A descriptor alone is ambiguous, because the system reuses numbers of
    /// closed descriptors.
    var turn = 0
    var hasThread = false
  }

  private let waker: WakeEnds
  private let onReady: @Sendable (_ turn: Int, _ isBroken: Bool) -> Void
  private let state = Locked(State())

  /// Makes a watch without a descriptor.
  ///
  /// - Parameter onReady: called repeatedly while the descriptor is readable, on the watch's thread and
  ///   outside its lock. `isBroken` is true when the other side has closed its end or the descriptor has an
  ///   error. Before `onReady` runs, another thread may call `follow` with another descriptor. So `onReady`
  ///   must compare `turn` with the last result of `follow` before it reads. During the comparison and the
  ///   read, it must hold the lock under which descriptors are closed.
  /// - Returns: nil when the system has no descriptors left.
  public init?(onReady: @escaping @Sendable (_ turn: Int, _ isBroken: Bool) -> Void) {
    guard let waker = WakeEnds() else { return nil }
    self.waker = waker
    self.onReady = onReady
  }

  /// Waits for this descriptor from now on, in place of the previous descriptor; nil ends the thread.
  ///
  /// - Returns: the number of this call, which is passed to `onReady` as `turn`. Nil when the system cannot
  ///   start a thread; then the watch waits for no descriptor.
  public func follow(_ descriptor: Int32?) -> Int? {
    let (turn, mustStart, mustWake) = state.withLock { state in
      let hadThread = state.hasThread
      state.descriptor = descriptor
      state.turn += 1
      state.hasThread = hadThread || descriptor != nil
      return (state.turn, !hadThread && descriptor != nil, hadThread)
    }
    if mustWake { waker.wake() }
    if mustStart, !PluginThread.start({ self.work() }) {
      state.withLock { state in
        state.descriptor = nil
        state.hasThread = false
      }
      return nil
    }
    return turn
  }

  private func work() {
    while let (descriptor, turn) = next() {
      var entries = [
        pollfd(fd: waker.readEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&entries, 2, -1)
      if entries[0].revents != 0 { waker.drain() }
      guard entries[1].revents != 0, state.withLock({ $0.turn == turn }) else { continue }
      let broken = Int16(POLLERR) | Int16(POLLHUP) | Int16(POLLNVAL)
      onReady(turn, entries[1].revents & broken != 0)
    }
  }

  private func next() -> (Int32, Int)? {
    state.withLock { state in
      guard let descriptor = state.descriptor else {
        state.hasThread = false
        return nil
      }
      return (descriptor, state.turn)
    }
  }
}
