import StintRuntime
import StintTestSupport
import Testing

@testable import StintCommands

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// The program as a daemon that is queried, interrupted and restarted.
  @Suite struct DaemonProcessTests {
    private static let steady = """
      policy "steady" version 1
      use location.gnss as gps
      rule low while battery.level below 20 % release 25 % { downgrade gps to 100 m }
      rule rest while motion.activity is still for 4 min { pause gps }
      """

    private func start(_ folder: String) throws -> Child {
      let program = try #require(Child.program, "the program is built beside the tests")
      return try Child([
        program, "run", "--policies", folder + "/policies", "--simulate", "day-hike", "--speed", "60",
        "--quiet",
        "--state", folder + "/state", "--control", folder + "/socket",
      ])
    }

    private func ask(_ words: [String], _ folder: String) -> (code: ExitCode, said: String) {
      let console = RecordedConsole()
      let code = Commands.run(
        arguments: words + ["--control", folder + "/socket"], table: .standard, console: console.console)
      return (code, console.results + console.log)
    }

    private func hear(_ text: String, _ daemon: inout Child) {
      let isThere = daemon.readUntil(text)
      #expect(isThere, "the daemon did not print “\(text)”")
    }

    private func write(_ text: String, to path: String) throws {
      try FileText.write(Array(text.utf8), to: path)
    }

    @Test("a run continues after the reader of its output has ended, and then exits with 2")
    func closedReader() throws {
      let program = try #require(Child.program, "the program is built beside the tests")
      let files = TemporaryFiles()
      let policy = try files.file(
        "p.stint", "policy \"p\" version 1\nrule r every 1 min { flush location.gnss }\n")
      // The simulation is short, so that a slow computer also reaches its end.
      let scenario = try files.file(
        "short.json",
        """
        {"stint_scenario": 1, "name": "short", "start": "2026-05-18T00:00:00Z", "duration": "20 min",
         "world": {"origin": [47.05, 8.31]}}
        """)
      let words = [program, "run", "--policies", policy, "--simulate", scenario, "--speed", "1000"]
      var shell = try Child([
        "/bin/bash", "-c", words.joined(separator: " ") + " | head -n 1; echo code ${PIPESTATUS[0]}",
      ])
      hear("standard output: the program that reads this output has ended", &shell)
      hear("code 2", &shell)
      #expect(shell.exitCode() == 0)
    }

    @Test("status, why, push and rollback reach a daemon, and a restart restores policies and state")
    func life() throws {
      var template = Array("/tmp/stint-daemon-XXXXXX".utf8CString)
      let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
      mkdir(folder + "/policies", 0o755)
      let policy = folder + "/policies/steady.stint"
      let pushed = folder + "/pushed.stint"
      let broken = folder + "/broken.stint"
      try write(Self.steady, to: policy)
      try write(
        Self.steady.replacing("4 min", with: "5 min").replacing("version 1", with: "version 2"), to: pushed)
      try write(Self.steady.replacing("pause gps", with: "pause gsp"), to: broken)
      defer {
        for file in ["pushed.stint", "latin.stint", "broken.stint", "state", "state.refused"] {
          unlink(folder + "/" + file)
        }
        unlink(policy)
        rmdir(folder + "/policies")
        rmdir(folder)
      }

      #expect(ask(["status"], folder).code == .unreachable)
      var daemon = try start(folder)
      hear("Ctrl-C ends", &daemon)
      let status = ask(["status"], folder)
      #expect(status.code == .fine && status.said.contains("steady version 1, by file"))
      #expect(ask(["why", "location.gnss"], folder).code == .fine)
      #expect(ask(["rollback"], folder).code == .findings)
      let latin = folder + "/latin.stint"
      try FileText.write(Array("policy \"latin\" version 1\n# caf".utf8) + [0xE9, 0x0A], to: latin)
      let foreign = ask(["push", latin], folder)
      #expect(foreign.code == .findings && foreign.said.contains("P0003"), "\(foreign)")
      #expect(ask(["status"], folder).said.contains("steady version 1, by file"))
      let refused = ask(["push", broken], folder)
      #expect(refused.code == .findings && refused.said.contains("stay in force"))
      let push = ask(["push", pushed], folder)
      #expect(push.code == .fine && push.said.contains("switched to steady version 2: 2 kept"))
      #expect(push.said.contains("motion.activity is still for 4 min"))
      let back = ask(["rollback"], folder)
      #expect(back.code == .fine && back.said.contains("went back to steady version 1"))
      #expect(ask(["push", pushed], folder).code == .fine)

      daemon.signal(SIGKILL)
      _ = daemon.exitCode()
      #expect(ask(["status"], folder).code == .unreachable)
      daemon = try start(folder)
      hear("continues where it was interrupted", &daemon)
      let again = ask(["status"], folder)
      #expect(again.said.contains("steady version 2") && again.said.contains("before"))
      #expect(ask(["rollback"], folder).said.contains("went back to steady version 1"))
      daemon.signal(SIGTERM)
      #expect(daemon.exitCode() == 0)

      var bytes = try FileText.read(folder + "/state")
      bytes[bytes.count / 2] ^= 1
      try FileText.write(bytes, to: folder + "/state")
      try write(Self.steady.replacing("version 1", with: "version 3"), to: policy)
      daemon = try start(folder)
      hear("state is refused: its checksum does not match its content", &daemon)
      hear("steady version 3", &daemon)
      daemon.signal(SIGTERM)
      #expect(daemon.exitCode() == 0)
      #expect(Folder.entry(at: folder + "/state.refused") == .file)

      // An edit while no daemon runs takes effect at the start, like a reload.
      try write(
        Self.steady.replacing("version 1", with: "version 4").replacing("20 %", with: "19 %"), to: policy)
      daemon = try start(folder)
      hear("reloaded steady version 4: 2 kept", &daemon)
      daemon.signal(SIGTERM)
      #expect(daemon.exitCode() == 0)
    }
  }
#endif
