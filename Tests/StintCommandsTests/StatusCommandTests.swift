import StintFormats
import StintJournal
import StintRuntime
import StintTestSupport
import StintTools
import Testing

@testable import StintCommands

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// The answers of a running daemon to `stint status`.
  @Suite struct StatusCommandTests {
    private static let policy = """
      policy "steady" version 1
      use location.gnss as gps
      rule coarse always { downgrade gps to 100 m }
      """

    private func status(_ words: [String], _ folder: String) -> String {
      let console = RecordedConsole()
      let code = Commands.run(
        arguments: ["status", "--control", folder + "/socket"] + words, table: .standard,
        console: console.console)
      #expect(code == .fine, "\(console.log)")
      return console.results
    }

    private func hear(_ text: String, _ daemon: inout Child) {
      let isThere = daemon.readUntil(text)
      #expect(isThere, "the daemon did not print “\(text)”")
    }

    @Test(
      "a status names refused files, the policies in force with their hash, and the process, as text and JSON"
    )
    func refusedFile() throws {
      let files = TemporaryFiles()
      let folder = files.path("status")
      try Folder.make(folder)
      let program = try #require(Child.program, "the program is built beside the tests")
      try FileText.write(Array(Self.policy.utf8), to: folder + "/steady.stint")
      var daemon = try Child([
        program, "run", "--policies", folder + "/steady.stint", "--simulate", "day-hike", "--quiet",
        "--control", folder + "/socket",
      ])
      hear("Ctrl-C ends", &daemon)
      let before = try JSONReader.value(of: status(["--json"], folder), source: "status")
      #expect(before["refused"]?.members == nil)
      #expect(before["daemon"]?["version"]?.string == Version.package)
      let text = Self.policy.replacing("downgrade gps", with: "downgrade gsp")
      try FileText.write(Array(text.utf8), to: folder + "/steady.stint")
      hear("the edit is refused", &daemon)
      let after = try JSONReader.value(of: status(["--json"], folder), source: "status")
      #expect(after["refused"]?["text"]?.string?.contains("gsp") == true)
      let hash = SHA256.hexadecimal(of: Array(Self.policy.utf8))
      #expect(after["in_force"]?["files"]?.items?.first?["sha256"]?.string == hash)
      #expect(after["rules"]?.items?.compactMap(\.string) == ["steady/coarse"])
      let lines = status([], folder).split(separator: "\n")
      #expect(lines.contains { $0.hasPrefix("daemon     stint \(Version.package), process ") })
      #expect(lines.contains { $0.hasPrefix("refused    the policy files of ") })
      #expect(lines.contains { $0.hasPrefix("file ") && $0.hasSuffix("SHA-256 \(hash)") })
      #expect(
        lines.contains { $0.hasPrefix("client     trail-app attached, location always, ") })
      #expect(
        lines.contains { $0.hasPrefix("fact       battery.level ") && $0.contains("from power.battery") })
      #expect(lines.contains { $0.hasPrefix("energy     ") })

      try FileText.write(Array(Self.policy.utf8), to: folder + "/steady.stint")
      hear("reloaded steady version 1", &daemon)
      #expect(!status([], folder).contains("refused "))
      daemon.signal(SIGTERM)
      #expect(daemon.exitCode() == 0)
    }
  }
#endif
