import StintRuntime
import Testing

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// Runs the program itself, in a process of its own.
  @Suite struct IdleProcessTests {
    @Test(
      "P12: a daemon with nothing demanded makes no voluntary context switch, and SIGTERM ends it cleanly")
    func idle() throws {
      let program = try #require(Self.program, "the program is built beside the tests")
      let policy = Self.repository + "/policies/hiking.stint"
      var child = try Child(
        [program, "run", "--policies", policy, "--simulate", "quiet", "--speed", "1", "--quiet"])
      // The greeting is the last thing before it goes to sleep.
      let hasBegun = child.readUntil("Ctrl-C ends")
      #expect(hasBegun)
      child.waitForSilence(milliseconds: 300)
      let before = child.voluntarySwitches
      child.waitForSilence(milliseconds: 3000)
      let after = child.voluntarySwitches
      #expect(before != nil && before == after, "\(before ?? -1) and then \(after ?? -1) switches")
      #expect(child.threads == 1)
      child.signal(SIGTERM)
      let isOff = child.readUntil("every device is off")
      #expect(isOff)
      #expect(child.exitCode() == 0)
    }

    private static let repository = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// The program that was built together with this test bundle.
    private static var program: String? {
      let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") || $0.contains(".xctest/") }
      guard let bundle else { return nil }
      let folder = bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
        separator: "/")
      let program = folder + "/stint"
      return Folder.entry(at: program) == .file ? program : nil
    }
  }

  /// A process whose output is read through a pipe.
  private struct Child {
    private let id: pid_t
    private let output: Int32
    private var seen = ""

    init(_ words: [String]) throws {
      struct Refused: Error { var call: String }
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

    /// Reads until the text has come; false when the process closed its output before.
    mutating func readUntil(_ text: String) -> Bool {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while !seen.contains(text) {
        let count = read(output, &buffer, buffer.count)
        guard count > 0 else { return false }
        seen += String(decoding: buffer[..<count], as: UTF8.self)
      }
      return true
    }

    /// Listens for so long; what is counted is counted over time.
    func waitForSilence(milliseconds: Int32) {
      var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, milliseconds)
    }

    var voluntarySwitches: Int? { status("voluntary_ctxt_switches:") }
    var threads: Int? { status("Threads:") }

    private func status(_ key: String) -> Int? {
      guard let bytes = try? FileText.read("/proc/\(id)/status") else { return nil }
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(key) }
      return line.flatMap { Int($0.dropFirst(key.count).filter(\.isNumber)) }
    }

    func signal(_ number: Int32) { kill(id, number) }

    func exitCode() -> Int32? {
      var status: Int32 = 0
      guard waitpid(id, &status, 0) == id, status & 0x7F == 0 else { return nil }
      return (status >> 8) & 0xFF
    }
  }
#endif
