import StintModel
import StintRuntime

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// A process whose output is read through a pipe or a terminal.
  struct Child {
    static let repository = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// The path of the program that was built with this test bundle; nil when it was not built.
    static var program: String? {
      let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") || $0.contains(".xctest/") }
      guard let bundle else { return nil }
      let folder = bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
        separator: "/")
      let program = folder + "/stint"
      return Folder.entry(at: program) == .file ? program : nil
    }

    /// Ends the process and closes its output when no value refers to the process any longer.
    ///
    /// A process that has ended, but for which no process has waited, blocks all later tests of exit codes.
    /// The testing library waits for any process, and finds such a process again and again.
    private final class Owner: Sendable {
      let id: pid_t
      let output: Int32
      let hasEnded = Locked(false)

      init(_ id: pid_t, _ output: Int32) { (self.id, self.output) = (id, output) }

      deinit {
        close(output)
        guard !hasEnded.withLock({ $0 }) else { return }
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
      }
    }

    private let owner: Owner
    private var id: pid_t { owner.id }
    private var output: Int32 { owner.output }
    private var seen = ""

    struct Refused: Error { var call: String }

    /// Starts a process.
    ///
    /// - Parameter hasTerminal: true when the process writes to a terminal, on which it shows progress.
    init(_ words: [String], hasTerminal: Bool = false) throws {
      let (reader, writer) = hasTerminal ? try Self.terminal() : try Self.pipe()
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, writer, 1)
      posix_spawn_file_actions_adddup2(&actions, writer, 2)
      posix_spawn_file_actions_addclose(&actions, reader)
      var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
      arguments.append(nil)
      defer { for argument in arguments { free(argument) } }
      var id: pid_t = 0
      guard posix_spawn(&id, words[0], &actions, nil, arguments, environ) == 0 else {
        throw Refused(call: "posix_spawn \(words[0])")
      }
      close(writer)
      owner = Owner(id, reader)
    }

    private static func pipe() throws -> (reader: Int32, writer: Int32) {
      var pipes: [Int32] = [0, 0]
      guard Glibc.pipe(&pipes) == 0 else { throw Refused(call: "pipe") }
      return (pipes[0], pipes[1])
    }

    /// Opens a new terminal; the process writes to `writer`.
    private static func terminal() throws -> (reader: Int32, writer: Int32) {
      let reader = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (number, isLocked): (Int32, Int32) = (0, 0)
      // These are TIOCSPTLCK and TIOCGPTN, which Swift does not import.
      guard reader >= 0, ioctl(reader, 0x4004_5431, &isLocked) == 0, ioctl(reader, 0x8004_5430, &number) == 0
      else { throw Refused(call: "openpt") }
      let writer = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
      guard writer >= 0 else { throw Refused(call: "open") }
      return (reader, writer)
    }

    /// Reads until the output contains the text. Returns false when the process closes its output first, or
    /// writes nothing for a minute.
    mutating func readUntil(_ text: String) -> Bool {
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

    /// Discards the output until now, so that later searches ignore it.
    mutating func forget() { seen = "" }

    /// Waits for this time, or until the process writes output or ends. Does not read the output.
    func waitForSilence(milliseconds: Int32) {
      var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, milliseconds)
    }

    var voluntarySwitches: Int? { status("voluntary_ctxt_switches:") }
    var threads: Int? { status("Threads:") }

    private func status(_ key: String) -> Int? { line(key).flatMap { Int($0.filter(\.isNumber)) } }

    private func line(_ key: String) -> Substring? {
      guard let bytes = try? FileText.read("/proc/\(id)/status") else { return nil }
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(key) }
      return line?.dropFirst(key.count)
    }

    func signal(_ number: Int32) { kill(id, number) }

    func exitCode() -> Int32? {
      var status: Int32 = 0
      guard waitpid(id, &status, 0) == id else { return nil }
      owner.hasEnded.withLock { $0 = true }
      guard status & 0x7F == 0 else { return nil }
      return (status >> 8) & 0xFF
    }
  }
#endif
