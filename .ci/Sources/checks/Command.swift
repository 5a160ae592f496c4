import Glibc

/// A bash command line with its working folder and additional environment variables.
struct Command: Sendable {
  private let words: [String]

  init(_ line: String, folder: String, environment: [String: String]) {
    let added = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    words = ["env", "-C", folder] + added + ["bash", "-euo", "pipefail", "-c", line]
  }

  /// Runs the command. Returns its exit code, or 128 plus the number of the signal that ended the command;
  /// 127 when the command cannot be started. The output of the command is shown, or written to `file`.
  func run(into file: Int32? = nil) -> Int32 { Self.wait(for: start(into: file)) }

  /// Starts the command and returns its process id; -1 when it cannot be started.
  func start(into file: Int32? = nil) -> pid_t { start(output: file, andErrors: true) }

  /// Runs the command and returns its exit code and its standard output, without line breaks at the end.
  func output() -> (status: Int32, text: String) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return (127, "") }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    let child = start(output: ends[1], andErrors: false)
    close(ends[1])
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(ends[0], &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      text += chunk[..<count]
    }
    close(ends[0])
    while text.last == 0x0A { text.removeLast() }
    return (Self.wait(for: child), String(decoding: text, as: UTF8.self))
  }

  /// Waits until a process has ended. Returns its exit code, or 128 plus the number of the signal that ended
  /// it; 127 when there is no such process.
  static func wait(for child: pid_t) -> Int32 {
    guard child > 0 else { return 127 }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { if errno != EINTR { return 127 } }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  private func start(output: Int32?, andErrors: Bool) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
      if andErrors { posix_spawn_file_actions_adddup2(&actions, output, 2) }
      if output != 1 { posix_spawn_file_actions_addclose(&actions, output) }
    }
    // Writes this program's buffered output before the output of the child.
    fflush(nil)
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    var child: pid_t = 0
    return posix_spawnp(&child, words[0], &actions, nil, pointers, environ) == 0 ? child : -1
  }
}
