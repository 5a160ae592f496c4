#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A child process that the test can kill without warning.
struct KillableChild {
  private let id: pid_t
  private let output: Int32

  init(_ words: [String], readsOutput: Bool) {
    var pipes: [Int32] = [0, 0]
    guard pipe(&pipes) == 0 else { fatalError("pipe") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    if readsOutput { posix_spawn_file_actions_adddup2(&actions, pipes[1], 1) }
    posix_spawn_file_actions_addclose(&actions, pipes[0])
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var id: pid_t = 0
    guard posix_spawn(&id, words[0], &actions, nil, arguments, environ) == 0 else {
      fatalError("posix_spawn")
    }
    close(pipes[1])
    self.id = id
    output = pipes[0]
  }

  /// Kills the process with SIGKILL, so that it cannot complete any work.
  func kill() {
    _ = Glibc.kill(id, SIGKILL)
    var status: Int32 = 0
    waitpid(id, &status, 0)
  }

  /// Waits until the process closes its output, and returns the `UInt64` numbers that it wrote. Closes the
  /// pipe, so this property can be read only once.
  var numbers: [UInt64] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(output, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    close(output)
    return stride(from: 0, to: bytes.count / 8 * 8, by: 8).map { start in
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt64.self) }
    }
  }

  /// Waits for the end of the process. Returns its exit code; nil when a signal killed it.
  var code: Int32? {
    _ = numbers
    var status: Int32 = 0
    guard waitpid(id, &status, 0) == id, status & 0x7F == 0 else { return nil }
    return status >> 8 & 0xFF
  }
}

/// A generator of pseudorandom numbers.
struct Random {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  mutating func below(_ limit: UInt64) -> UInt64 { next() % limit }
}
