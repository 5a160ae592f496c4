import StintModel
import StintPluginKit
import StintSystem
public import StintUnits
import Synchronization

/// The control socket of a daemon, in the file system. A caller sends one line and gets one line; then the
/// connection is closed, unless `keep(_:)` keeps it open for a client program.
///
/// Only root and the user who started the daemon can connect, unless the socket has a group or is open to all
/// users. A caller that sends nothing does not delay other callers. With more than `maxCalls` incomplete
/// requests, the oldest of these connections is closed.
public final class ControlSocket: Sendable {
  /// The maximum number of open connections whose request is not complete.
  static let maxCalls = 16
  /// The maximum length of a line of a client program, in bytes: 1 MiB. Also the maximum length of a request
  /// of a caller that is not trusted.
  static let maxBytes = 1 << 20
  /// The maximum length of a request of a trusted caller in bytes: 9 MiB. A policy of the maximum size,
  /// 4 MiB, takes at most 8 MiB in JSON.
  static let maxTrustedBytes = 9 << 20
  /// The maximum number of bytes that are read from a caller whose request is too long: 64 MiB. Above this
  /// number, the caller is disconnected without an answer.
  static let maxIgnoredBytes = 64 << 20
  /// The maximum number of bytes that are read from one caller before other callers are served: 64 KiB.
  static let budget = 64 << 10

  /// A request that waits for its answer.
  public struct Call: Sendable {
    let descriptor: Int32
    /// The request without its line break.
    public let question: String
    /// True when the caller is root or the user of the daemon.
    public let isTrusted: Bool
    /// True when the caller may read the status: the caller is trusted, or a member of the socket's group.
    public let mayRead: Bool
    /// The calling process; nil when the system does not report it.
    public let peer: ControlPeer?
    /// The maximum length, in bytes, that the request exceeds; `question` is then empty. Nil when the request
    /// is not too long.
    public let exceededLimit: Int?
    /// The bytes that were received after the line break of the request.
    let rest: [UInt8]
  }

  private struct State {
    /// The connections whose request is not complete, oldest first. `received` contains the bytes that were
    /// kept, and `ignored` is the number of bytes that were dropped.
    var open: [(descriptor: Int32, peer: ControlPeer?, received: [UInt8], ignored: Int)] = []
    var calls: [Call] = []
    /// Answers that are not completely sent.
    var unsent: [ControlAnswer] = []
  }

  /// The path of the socket.
  public let path: String
  private let loop: LoopExecutor
  private let group: ControlGroup?
  private let descriptor: Int32
  private let notify: @Sendable () -> Void
  private let state = Locked(State())
  private let isFileRemoved = Atomic(false)

  /// Listens at a path. Calls `notify` on the loop's thread when a request is complete.
  ///
  /// Replaces a socket on which no process listens.
  ///
  /// - Parameters:
  ///   - group: the users who may connect and read the status, besides root and the user of the daemon; nil
  ///     for a socket without a group.
  ///   - isOpenToAll: true when programs of every user may connect.
  /// - Throws: `Problem` when a process listens on the socket, when the path is a file other than a socket,
  ///   or when the system cannot create the socket.
  public init(
    at path: String, on loop: LoopExecutor, group: ControlGroup? = nil, isOpenToAll: Bool = false,
    notify: @escaping @Sendable () -> Void
  ) throws(Problem) {
    self.path = path
    self.loop = loop
    self.group = group
    self.notify = notify
    descriptor = try Self.listen(at: path, mode: isOpenToAll ? 0o666 : 0o600)
    // When this call throws, `deinit` closes the descriptor and removes the file.
    try group?.admit(to: path, isOpenToAll: isOpenToAll)
    loop.watch(descriptor) { [weak self] in self?.accept() }
  }

  /// Removes the file of the socket, so that no further caller can connect. May block while the disk does not
  /// respond; may be called from any thread. Without this call, the release of the object removes the file.
  package func removeFile() {
    if !isFileRemoved.exchange(true, ordering: .relaxed) { unlink(path) }
  }

  deinit {
    loop.unwatch(descriptor)
    close(descriptor)
    removeFile()
    let (open, calls, unsent) = state.withLock { ($0.open, $0.calls, $0.unsent) }
    for caller in open {
      loop.unwatch(caller.descriptor)
      close(caller.descriptor)
    }
    for call in calls { close(call.descriptor) }
    for answer in unsent { close(answer.descriptor) }
  }

  private static func listen(at path: String, mode: mode_t) throws(Problem) -> Int32 {
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw Problem(
          .inUse, place: path, cause: "the file exists and is not a socket", remedy: "choose another path")
      }
      guard !ControlStream.isAnswered(at: path) else {
        throw Problem(.inUse, place: path, cause: "another daemon uses the socket")
      }
      unlink(path)
    }
    let descriptor = try ControlStream.make(path)
    // No caller can connect before `listen`, so `chmod` sets the permissions in time. A changed `umask` would
    // set them earlier, but it would apply to all threads of an app.
    let isBound = ControlStream.withAddress(of: path) { bind(descriptor, $0, $1) } == 0
    guard isBound, chmod(path, mode) == 0, Self.listenCall(descriptor) == 0 else {
      let number = errno
      close(descriptor)
      // EADDRINUSE: the file of another socket is still at the path, because `unlink` has failed.
      let error =
        number == EADDRINUSE
        ? Problem(
          .inUse, place: path, cause: "the file of another socket is at this path",
          remedy: "remove it, or choose another path") : Problem.fromMaking(number, path: path)
      throw error
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return descriptor
  }

  private static func listenCall(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.listen(descriptor, 8)
    #elseif canImport(Musl)
      Musl.listen(descriptor, 8)
    #elseif canImport(Darwin)
      Darwin.listen(descriptor, 8)
    #endif
  }

  private func accept() {
    let caller = ControlStream.acceptConnection(descriptor)
    guard caller >= 0 else { return }
    _ = fcntl(caller, F_SETFL, O_NONBLOCK)
    _ = fcntl(caller, F_SETFD, FD_CLOEXEC)
    // The process of a caller may end right after its request, so read the path of its executable now. Only
    // requests of trusted callers are logged with this path.
    let peer = ControlStream.isTrusted(caller) ? ControlStream.peer(of: caller) : nil
    let oldest: Int32? = state.withLock { state in
      state.open.append((caller, peer, [], 0))
      return state.open.count > Self.maxCalls ? state.open.removeFirst().descriptor : nil
    }
    if let oldest { drop(oldest) }
    loop.watch(caller) { [weak self] in self?.read(caller) }
  }

  private func drop(_ caller: Int32) {
    loop.unwatch(caller)
    close(caller)
  }

  /// Reads from a caller once. Further bytes are read in the next iteration of the loop, after all other
  /// callers are served.
  private func read(_ caller: Int32) {
    var bytes = [UInt8](repeating: 0, count: Self.budget)
    let count = readSome(caller, into: &bytes)
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
    let isTrusted = ControlStream.isTrusted(caller)
    let mayRead = isTrusted || group?.hasPeer(of: caller) ?? false
    let step: NextAction = state.withLock { state in
      guard let place = state.open.firstIndex(where: { $0.descriptor == caller }) else { return .readMore }
      let oldCount = state.open[place].received.count
      if count > 0 { state.open[place].received += bytes[..<count] }
      // The earlier bytes contain no line break, so search only the new bytes.
      let end = state.open[place].received[oldCount...].firstIndex(of: 0x0A)
      let limit = isTrusted ? Self.maxTrustedBytes : Self.maxBytes
      guard end != nil || count <= 0 else {
        // Read the rest of a request that is too long: closing the connection now would drop the answer.
        guard state.open[place].ignored > 0 || state.open[place].received.count > limit else {
          return .readMore
        }
        state.open[place].ignored += state.open[place].received.count
        state.open[place].received = []
        guard state.open[place].ignored > Self.maxIgnoredBytes else { return .readMore }
        state.open.remove(at: place)
        return .disconnect
      }
      let (_, peer, received, ignored) = state.open.remove(at: place)
      guard let end else { return .disconnect }
      let isTooLong = ignored > 0 || end > limit
      let question = isTooLong ? "" : String(decoding: received[..<end], as: UTF8.self)
      state.calls.append(
        Call(
          descriptor: caller, question: question, isTrusted: isTrusted, mayRead: mayRead,
          peer: peer, exceededLimit: isTooLong ? limit : nil,
          rest: isTooLong ? [] : Array(received[(end + 1)...])))
      return .deliver
    }
    switch step {
    case .readMore: return
    case .disconnect: drop(caller)
    case .deliver:
      loop.unwatch(caller)
      notify()
    }
  }

  /// The action after a read.
  private enum NextAction {
    case readMore, disconnect, deliver
  }

  /// Removes and returns the waiting requests, in order of arrival.
  public func drainCalls() -> [Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// Answers a request with one line and closes the connection. Ignores callers that have disconnected.
  ///
  /// Never blocks. Bytes that the socket does not accept now are sent within two seconds or dropped.
  public func answer(_ call: Call, _ line: String) {
    var answer = ControlAnswer(descriptor: call.descriptor, bytes: Array((line + "\n").utf8))
    guard !answer.send() else { return }
    state.withLock { $0.unsent.append(answer) }
    scheduleSendRest()
  }

  /// Keeps the connection of a request open, for further lines in both directions.
  public func keep(_ call: Call) -> ControlConnection {
    ControlConnection(call.descriptor, partial: call.rest, on: loop, notify: notify)
  }

  private func scheduleSendRest() {
    _ = loop.schedule(at: SystemClock.monotonic() + ControlAnswer.pause) { [weak self] in self?.sendRest() }
  }

  /// Continues to send one incomplete answer. Each incomplete answer has its own timer.
  private func sendRest() {
    let isOver = state.withLock { state in
      guard !state.unsent.isEmpty else { return true }
      var answer = state.unsent.removeFirst()
      if answer.send() { return true }
      state.unsent.append(answer)
      return false
    }
    if !isOver { scheduleSendRest() }
  }
}
