import StintModel
import StintTestSupport

@testable import StintDBus

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A real `dbus-daemon` for one test, with its own socket. The process ends when this object is released.
final class PrivateBus: Sendable {
  /// True when this machine has the library and the daemon that are necessary for the tests.
  static let isAvailable: Bool = {
    guard case .success = SystemdLibrary.shared, let bus = PrivateBus() else { return false }
    return bus.start()
  }()

  private let files = TemporaryFiles()
  private let path: String
  private let process = Locked<pid_t?>(nil)

  var address: String { "unix:path=" + path }

  private init?() { path = files.path("bus") }

  /// Returns a bus that accepts connections.
  static func started() throws -> PrivateBus {
    guard let bus = PrivateBus(), bus.start() else { throw Failure() }
    return bus
  }

  struct Failure: Error {}

  deinit { kill() }

  /// Starts the daemon and waits until it listens.
  @discardableResult
  func start() -> Bool {
    unlink(path)
    var pipeEnds: [Int32] = [-1, -1]
    guard pipe(&pipeEnds) == 0 else { return false }
    defer { close(pipeEnds[0]) }
    _ = fcntl(pipeEnds[0], F_SETFD, FD_CLOEXEC)
    let words = [
      "dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog", "--address=" + address,
      "--print-address=\(pipeEnds[1])",
    ]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for output in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let result = posix_spawnp(&child, "dbus-daemon", &actions, nil, &arguments, environ)
    close(pipeEnds[1])
    guard result == 0 else { return false }
    process.withLock { $0 = child }
    // The daemon writes its address when it listens, and the pipe ends when the daemon cannot start.
    var bytes = [UInt8](repeating: 0, count: 256)
    return read(pipeEnds[0], &bytes, bytes.count) > 0
  }

  /// Ends the daemon with SIGKILL, so that it sends no last message.
  func kill() {
    guard let child = process.withLock({ $0.take() }) else { return }
    #if canImport(Glibc)
      _ = Glibc.kill(child, SIGKILL)
    #elseif canImport(Musl)
      _ = Musl.kill(child, SIGKILL)
    #else
      _ = Darwin.kill(child, SIGKILL)
    #endif
    var status: Int32 = 0
    _ = waitpid(child, &status, 0)
  }
}
