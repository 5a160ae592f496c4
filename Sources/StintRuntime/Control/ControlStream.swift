import StintPluginKit
import StintSystem
import StintUnits

/// System calls for sockets in the file system.
enum ControlStream {
  /// Creates a socket that is closed on `exec`. Throws when the path is too long, or when the system refuses
  /// a socket.
  static func make(_ path: String) throws(Problem) -> Int32 {
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
      throw Problem(.inUse, place: path, cause: "the path is too long for a socket")
    }
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw Problem(.inUse, place: path, cause: DescriptorCalls.reason(errno)) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  /// Calls the body with the socket address of a path. The path must be short enough for an address.
  static func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8.prefix(MemoryLayout.size(ofValue: address.sun_path) - 1))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }

  /// The problem of a connection that the system refused with an error number.
  static func unreachable(_ path: String, _ number: Int32) -> Problem {
    switch Folder.entry(at: path) {
    case .folder, .file:
      let kind = Folder.entry(at: path) == .folder ? "a folder" : "a file"
      return Problem(
        .unreachable, place: path, cause: "it is \(kind), not a socket",
        remedy: "give the path of the socket: the value of --control in the command of the daemon")
    case .other, .nothing: break
    }
    let remedy =
      [EACCES, EPERM].contains(number)
      ? "ask as root, as the user of the daemon, or as a member of the group of its socket"
      : "start a daemon with: stint run --policies DIR --simulate S --control \(path)"
    return Problem(.unreachable, place: path, cause: DescriptorCalls.reason(number), remedy: remedy)
  }

  /// Accepts a connection. Returns its descriptor, or -1 with `errno` set.
  static func acceptConnection(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }

  /// Returns true when a process listens at the path.
  static func isAnswered(at path: String) -> Bool {
    do throws(Problem) {
      let descriptor = try make(path)
      defer { close(descriptor) }
      return withAddress(of: path) { connect(descriptor, $0, $1) } == 0
    } catch {
      return false
    }
  }

  /// Makes the socket blocking and limits each read and write to `seconds`.
  static func limitWaits(_ descriptor: Int32, seconds: Int) {
    _ = fcntl(descriptor, F_SETFL, 0)
    var limit = timeval(tv_sec: .init(seconds), tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
  }

  /// Sends all bytes. Returns false when the peer has disconnected, or does not read within the limit of
  /// `limitWaits`.
  static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = sendNow(bytes[sent...], to: descriptor)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Sends bytes with one call. Returns the number of sent bytes, or -1 with `errno` set.
  static func sendNow(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
    #if canImport(Darwin)
      var isOn: Int32 = 1
      _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return bytes.withUnsafeBytes { rest in
      #if canImport(Glibc)
        Glibc.send(descriptor, rest.baseAddress, rest.count, flags)
      #elseif canImport(Musl)
        Musl.send(descriptor, rest.baseAddress, rest.count, flags)
      #elseif canImport(Darwin)
        Darwin.send(descriptor, rest.baseAddress, rest.count, flags)
      #endif
    }
  }

  /// Returns the user id of the peer. Returns nil when the system does not report it.
  static func user(of descriptor: Int32) -> uid_t? { credentials(of: descriptor)?.user }

  /// Returns the process of the peer. Returns nil when the system does not report it.
  static func peer(of descriptor: Int32) -> ControlPeer? {
    credentials(of: descriptor).map { ControlPeer(process: $0.process, user: $0.user) }
  }

  /// Returns the process and the user of the peer. Returns nil when the system does not report them.
  private static func credentials(of descriptor: Int32) -> (process: UInt32, user: UInt32)? {
    #if canImport(Darwin)
      var user = uid_t()
      var group = gid_t()
      return getpeereid(descriptor, &user, &group) == 0 ? (0, user) : nil
    #else
      // Process, user and group ids: the layout of `struct ucred`, which some headers do not declare.
      var credentials: [UInt32] = [0, 0, 0]
      var size = socklen_t(MemoryLayout<UInt32>.size * 3)
      let result = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
      guard result == 0, size == 12 else { return nil }
      return (credentials[0], credentials[1])
    #endif
  }

  /// Returns true when the peer is root or the user of this process.
  static func isTrusted(_ descriptor: Int32) -> Bool {
    guard let user = user(of: descriptor) else { return false }
    return user == 0 || user == geteuid()
  }
}
