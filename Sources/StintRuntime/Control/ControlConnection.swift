import StintModel
import StintPluginKit
import StintSystem
import StintUnits

/// A lasting connection with a client program. Both sides send lines until one side closes the connection.
///
/// Reading stops while `maxWaiting` lines wait to be processed. Lines to a program that does not read are
/// queued up to a limit. All methods must be called on the loop's thread.
public final class ControlConnection: Sendable {
  /// Reading stops while at least this number of lines wait to be processed.
  static let maxWaiting = 256
  /// While at least this number of bytes is unsent, lines that may be dropped are not queued. Other lines are
  /// queued up to twice this number of bytes.
  static let maxUnsent = 256 << 10
  /// The maximum time between `finish(onClose:)` and the closing of the connection, for sending the queued
  /// lines.
  static let farewell = TimeSpan.seconds(2)

  /// The user of the program; nil when the system does not report it.
  public let user: UInt32?
  /// True when the program runs as root or as the user of this process.
  public let isTrusted: Bool

  private struct State {
    var partial: [UInt8]
    var lines: [String] = []
    var queue = SendQueue()
    /// The number of events that were lost because the connection failed.
    var lostEvents = 0
    var isReading = false
    var isWriting = false
    /// True when no further line will arrive: the program has closed the connection, or the connection
    /// has failed.
    var isEnded = false
    var isOverlong = false
    /// True when the connection must be closed as soon as all lines are sent.
    var isFinishing = false
    var isClosed = false
    /// The timer of `finish(onClose:)`.
    var farewell: TimerQueue.ID?
    /// Gets the number of lost events when the connection is closed.
    var onClose: (@Sendable (Int) -> Void)?
  }

  private let descriptor: Int32
  private let loop: LoopExecutor
  private let notify: @Sendable () -> Void
  private let state: Locked<State>

  /// - Parameter partial: the bytes that were received from the descriptor before this call.
  init(_ descriptor: Int32, partial: [UInt8], on loop: LoopExecutor, notify: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    self.loop = loop
    self.notify = notify
    user = ControlStream.user(of: descriptor)
    isTrusted = ControlStream.isTrusted(descriptor)
    state = Locked(State(partial: partial))
    state.withLock { Self.split(&$0, after: 0) }
    resume()
  }

  deinit { closeConnection() }

  /// True when no further line will arrive and `drainLines()` has returned all received lines.
  public var isEnded: Bool { state.withLock { $0.isEnded && $0.lines.isEmpty } }

  /// The maximum length of a line in bytes, without its line break: 1 MiB.
  public static let maxLine = ControlSocket.maxBytes

  /// True when the program sent a line above `maxLine`; no further line is read.
  public var isOverlong: Bool { state.withLock { $0.isOverlong } }

  /// Removes and returns the received lines, without their line breaks.
  public func drainLines() -> [String] {
    let lines = state.withLock { state in
      defer { state.lines = [] }
      return state.lines
    }
    resume()
    return lines
  }

  /// True when the queue has space for a line that may be dropped.
  public var hasRoom: Bool { state.withLock { $0.queue.count < Self.maxUnsent } }

  /// Sends a line, or queues it. Returns false when the line is lost: after `finish(onClose:)`, on a closed
  /// connection, or when twice `maxUnsent` bytes are queued. In the last case, the connection also ends (see
  /// `isEnded`), so that the owner closes it.
  ///
  /// - Parameters:
  ///   - line: the line, without its line break.
  ///   - isEvent: true for a line that is counted when it is lost.
  @discardableResult
  public func send(_ line: String, isEvent: Bool = false) -> Bool {
    let isQueued = state.withLock { state in
      guard !state.isClosed, !state.isFinishing else { return false }
      guard state.queue.count < 2 * Self.maxUnsent else {
        state.isEnded = true
        if isEvent { state.lostEvents += 1 }
        return false
      }
      state.queue.append(line, isEvent: isEvent)
      return true
    }
    flush()
    if !isQueued { notify() }
    return isQueued
  }

  /// Closes the connection after the queued lines are sent, at the latest after two seconds.
  ///
  /// - Parameter onClose: gets the number of events that were lost because the connection ended or failed.
  ///   Called once when the connection is closed, perhaps during this call. Only the first call of `finish`
  ///   has an effect.
  public func finish(onClose: (@Sendable (Int) -> Void)? = nil) {
    let isFirst = state.withLock { state in
      defer { state.isFinishing = true }
      guard !state.isFinishing else { return false }
      state.onClose = onClose
      return true
    }
    guard isFirst else { return }
    flush()
    guard !state.withLock({ $0.isClosed }) else { return }
    // The closure of the timer keeps this object alive until the timer expires, because the owner may release
    // the object now.
    let timer = loop.schedule(at: SystemClock.monotonic() + Self.farewell) { self.closeConnection() }
    state.withLock { $0.farewell = timer }
  }

  // MARK: Receiving

  private func resume() {
    let starts = state.withLock { state in
      guard !state.isReading, !state.isEnded, !state.isClosed, state.lines.count < Self.maxWaiting else {
        return false
      }
      state.isReading = true
      return true
    }
    if starts { loop.watch(descriptor) { [weak self] in self?.read() } }
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: ControlSocket.budget)
    let count = readSome(descriptor, into: &bytes)
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
    let (stops, hasNews) = state.withLock { state in
      let seen = state.partial.count
      if count > 0 { state.partial += bytes[..<count] } else { state.isEnded = true }
      Self.split(&state, after: seen)
      let stops = state.isEnded || state.lines.count >= Self.maxWaiting
      if stops { state.isReading = false }
      return (stops, state.isEnded || !state.lines.isEmpty)
    }
    if stops { loop.unwatch(descriptor) }
    if hasNews { notify() }
  }

  /// Moves the complete lines of the received bytes to `lines`, until a line above the limit. The first
  /// `seen` bytes contain no line break.
  private static func split(_ state: inout State, after seen: Int) {
    var start = 0
    var search = seen
    while let end = state.partial[search...].firstIndex(of: 0x0A), end - start <= ControlSocket.maxBytes {
      state.lines.append(String(decoding: state.partial[start..<end], as: UTF8.self))
      start = end + 1
      search = start
    }
    if start > 0 { state.partial.removeFirst(start) }
    guard state.partial.count > ControlSocket.maxBytes else { return }
    state.isOverlong = true
    state.isEnded = true
  }

  // MARK: Sending

  private func flush() {
    let (waits, closes) = state.withLock { state -> (Bool, Bool) in
      guard !state.isClosed else { return (false, false) }
      while state.queue.count > 0 {
        let count = ControlStream.sendNow(state.queue.unsent, to: descriptor)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
          // Free the sent part only when it is large, so that each byte is moved a bounded number of times.
          state.queue.compact(above: Self.maxUnsent / 2)
          defer { state.isWriting = true }
          return (!state.isWriting, false)
        }
        guard count > 0 else {
          state.isEnded = true
          state.lostEvents += state.queue.events
          state.queue.clear()
          return (false, state.isFinishing)
        }
        state.queue.remove(count)
      }
      return (false, state.isFinishing)
    }
    if waits {
      loop.watchWritable(descriptor) { [weak self] in
        self?.state.withLock { $0.isWriting = false }
        self?.flush()
      }
    }
    if closes { closeConnection() }
  }

  private func closeConnection() {
    let last = state.withLock { state -> State? in
      guard !state.isClosed else { return nil }
      defer {
        state.isClosed = true
        state.isEnded = true
        state.queue.clear()
        state.onClose = nil
      }
      return state
    }
    guard let last else { return }
    if let farewell = last.farewell { loop.unschedule(farewell) }
    if last.isReading { loop.unwatch(descriptor) }
    if last.isWriting { loop.unwatchWritable(descriptor) }
    close(descriptor)
    last.onClose?(last.lostEvents + last.queue.events)
  }
}
