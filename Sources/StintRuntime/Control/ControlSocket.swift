import StintModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A socket in the file system at which a daemon is asked things: one line in, one line out, then it is closed.
///
/// Only the user who started the daemon can reach it. A caller that says nothing holds up nobody, and of more than
/// `mostCalls` open ones the oldest is let go.
public final class ControlSocket: Sendable {
  static let mostCalls = 16
  /// The most bytes that a question may have: 8 MiB.
  static let mostBytes = 8 << 20

  /// A question that waits for its answer.
  public struct Call: Sendable {
    let descriptor: Int32
    /// What was asked, without the line's end.
    public let question: String
  }

  private struct State {
    /// What open callers have said so far, in the order in which they came.
    var open: [(descriptor: Int32, said: [UInt8])] = []
    var calls: [Call] = []
  }

  /// Where it is in the file system.
  public let path: String
  private let loop: LoopExecutor
  private let descriptor: Int32
  private let notify: @Sendable () -> Void
  private let state = Locked(State())

  /// Listens at a path; `notify` is called when a question is complete.
  ///
  /// A socket that nobody listens at any more is replaced; one at which somebody does is left alone.
  public init(at path: String, on loop: LoopExecutor, notify: @escaping @Sendable () -> Void)
    throws(ControlError)
  {
    self.path = path
    self.loop = loop
    self.notify = notify
    descriptor = try Self.listen(at: path)
    loop.watch(descriptor) { [weak self] in self?.accept() }
  }

  deinit {
    loop.unwatch(descriptor)
    close(descriptor)
    unlink(path)
    let open = state.withLock { $0.open }
    for caller in open {
      loop.unwatch(caller.descriptor)
      close(caller.descriptor)
    }
  }

  private static func listen(at path: String) throws(ControlError) -> Int32 {
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw ControlError(.taken, path: path, cause: "something else than a socket is there")
      }
      guard !ControlStream.isAnswered(at: path) else {
        throw ControlError(.taken, path: path, cause: "another daemon listens there")
      }
      unlink(path)
    }
    let descriptor = try ControlStream.make(path)
    // Nobody else may connect in between: the file is made without permissions for others.
    let mask = umask(0o177)
    defer { umask(mask) }
    let isBound = ControlStream.withAddress(of: path) { bind(descriptor, $0, $1) } == 0
    guard isBound, Self.listenCall(descriptor) == 0 else {
      let error = ControlError.last(.taken, path: path)
      close(descriptor)
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
    let caller = ControlStream.accepted(descriptor)
    guard caller >= 0 else { return }
    _ = fcntl(caller, F_SETFL, O_NONBLOCK)
    _ = fcntl(caller, F_SETFD, FD_CLOEXEC)
    let oldest: Int32? = state.withLock { state in
      state.open.append((caller, []))
      return state.open.count > Self.mostCalls ? state.open.removeFirst().descriptor : nil
    }
    if let oldest { drop(oldest) }
    loop.watch(caller) { [weak self] in self?.read(caller) }
  }

  private func drop(_ caller: Int32) {
    loop.unwatch(caller)
    close(caller)
  }

  private func read(_ caller: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = readSome(caller, into: &bytes)
      if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
      let isOver = count <= 0
      let call: Call?? = state.withLock { state in
        guard let place = state.open.firstIndex(where: { $0.descriptor == caller }) else { return .none }
        if count > 0 { state.open[place].said += bytes[..<count] }
        let said = state.open[place].said
        if let end = said.firstIndex(of: 0x0A) {
          state.open.remove(at: place)
          let call = Call(descriptor: caller, question: String(decoding: said[..<end], as: UTF8.self))
          state.calls.append(call)
          return call
        }
        guard isOver || said.count > Self.mostBytes else { return .none }
        state.open.remove(at: place)
        return .some(nil)
      }
      switch call {
      case .some(.some):
        loop.unwatch(caller)
        notify()
        return
      case .some(.none):
        drop(caller)
        return
      case .none: if isOver { return }
      }
    }
  }

  /// The questions that wait, in the order in which they came.
  public func takeCalls() -> [Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// Answers a question with one line and hangs up; a caller that has gone or does not listen is no matter.
  public func answer(_ call: Call, _ line: String) {
    ControlStream.limitWaits(call.descriptor, seconds: 1)
    _ = ControlStream.send(Array((line + "\n").utf8), to: call.descriptor)
    close(call.descriptor)
  }
}
