#if os(Linux) && canImport(Glibc)
  import Glibc
  import StintRuntime

  /// A separate process of the program, with a pipe for its output.
  final class Program {
    struct Refused: Error {
      var call: String
    }

    static let repository =
      "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")

    /// The path of the program that was built with this test bundle; nil when it was not built.
    static var path: String? {
      let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") || $0.contains(".xctest/") }
      guard let bundle else { return nil }
      let folder = bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      let program = folder.joined(separator: "/") + "/stint"
      return Folder.entry(at: program) == .file ? program : nil
    }

    private let id: pid_t
    private let output: Int32
    /// The output that was read until now.
    private(set) var seen = ""
    private var isOver = false

    init(_ words: [String]) throws {
      var pipes: [Int32] = [0, 0]
      guard pipe(&pipes) == 0 else { throw Refused(call: "pipe") }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
      posix_spawn_file_actions_adddup2(&actions, pipes[1], 2)
      posix_spawn_file_actions_addclose(&actions, pipes[0])
      var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
      arguments.append(nil)
      defer { for argument in arguments { free(argument) } }
      var id: pid_t = 0
      guard posix_spawn(&id, words[0], &actions, nil, arguments, environ) == 0 else {
        throw Refused(call: "posix_spawn \(words[0])")
      }
      close(pipes[1])
      self.id = id
      output = pipes[0]
    }

    deinit {
      if !isOver {
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
      }
      close(output)
    }

    /// Reads until the output contains the text. Returns false when the output ends first, or when no output
    /// arrives for a minute.
    func readUntil(_ text: String) -> Bool {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while !seen.contains(text) {
        var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 60_000) > 0 else { return false }
        let count = read(output, &buffer, buffer.count)
        guard count > 0 else { return false }
        seen += String(decoding: buffer[..<count], as: UTF8.self)
      }
      return true
    }

    func signal(_ number: Int32) { kill(id, number) }

    /// Waits for this time. Returns earlier when the process writes output or ends. Reads no output.
    func waitForSilence(milliseconds: Int32) {
      var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, milliseconds)
    }

    /// Returns the number under this key of `/proc/PID/status`; nil when the key is missing.
    func status(_ key: String) -> Int? {
      guard let bytes = try? FileText.read("/proc/\(id)/status") else { return nil }
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(key) }
      return line.flatMap { Int($0.dropFirst(key.count).filter(\.isNumber)) }
    }

    /// Waits for the end of the process and returns its exit code; nil when a signal ended it.
    func exitCode() -> Int32? {
      while readUntil("\u{0}") {}
      var status: Int32 = 0
      isOver = true
      guard waitpid(id, &status, 0) == id, status & 0x7F == 0 else { return nil }
      return (status >> 8) & 0xFF
    }
  }
#endif
