import StintModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Waits until one descriptor can be read, on a thread that is there only while there is one to wait for.
///
/// For plugins whose hardware speaks by itself: nothing is looked at again and again, and a device that is off has no
/// thread. May be used from any thread.
public final class ReadinessWatch: Sendable {
  private struct State {
    var descriptor: Int32?
    /// Counts what was followed: the system gives the number of a closed descriptor to the next one.
    var turn = 0
    var hasThread = false
  }

  private let waker: WakeEnds
  private let onReady: @Sendable (_ turn: Int, _ isBroken: Bool) -> Void
  private let state = Locked(State())

  /// Makes a watch that waits for nothing.
  ///
  /// - Parameter onReady: called on the watch's thread and outside its lock, again and again while there is
  ///   something to read. `isBroken` when the other side has gone. The descriptor may have been left
  ///   meanwhile: under the lock that guards closing it, the reader must check that the turn is still the one
  ///   that `follow` returned.
  /// - Returns: nil when the system has no descriptors left.
  public init?(onReady: @escaping @Sendable (_ turn: Int, _ isBroken: Bool) -> Void) {
    guard let waker = WakeEnds() else { return nil }
    self.waker = waker
    self.onReady = onReady
  }

  /// Waits for this descriptor from now on instead of the one before; nil ends the thread.
  ///
  /// - Returns: the turn that `onReady` will tell; nil when the system starts no thread, and nothing is waited for.
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
