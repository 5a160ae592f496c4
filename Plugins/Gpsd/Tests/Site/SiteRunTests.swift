import Testing

@testable import StintGpsd

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// `stint run --site` as an operator runs it, against a server that speaks gpsd's protocol.
  @Suite("gpsd: the program on a site")
  struct SiteRunTests {
    /// A site file in a temporary folder, which `deinit` deletes.
    private final class SiteFile {
      let path: String

      init(_ text: String) throws {
        var template = Array("/tmp/stint-site-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Program.Refused(call: "mkdtemp") }
        path =
          String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/site.json"
        guard let file = fopen(path, "w") else { throw Program.Refused(call: "fopen \(path)") }
        fputs(text, file)
        fclose(file)
      }

      deinit {
        unlink(path)
        rmdir(String(path.dropLast("/site.json".count)))
      }
    }

    private static let declares =
      #""declares": [{"name": "app.state", "options": ["foreground", "background"]}, "#
      + #"{"name": "battery.level", "unit": "%"}, {"name": "net.kind", "options": ["none", "wifi", "cellular"]}, "#
      + #"{"name": "motion.activity", "options": ["still", "walking", "running", "cycling", "automotive"]}]"#

    private func site(port: Int, demands: String) throws -> SiteFile {
      try SiteFile(
        #"{"stint_site": 1, "time_zone": "UTC", "plugins": [{"plugin": "gpsd", "with": {"port": \#(port)}}], "#
          + #""clients": [\#(demands)], \#(Self.declares)}"#)
    }

    private let demand =
      #"{"name": "trail-app", "demands": [{"target": "location.gnss", "with": {"accuracy": "10 m"}}]}"#

    private func run(_ site: SiteFile, _ more: String...) throws -> Program {
      let path = try #require(Program.path, "the program is built beside the tests")
      let policy = Program.repository + "/policies/hiking.stint"
      return try Program([path, "run", "--site", site.path, "--policies", policy] + more)
    }

    @Test("Ctrl-C and SIGTERM end the watch and leave every device off", arguments: [SIGINT, SIGTERM])
    func signals(number: Int32) throws {
      let server = try FakeGpsd()
      let file = try site(port: server.port, demands: demand)
      defer { withExtendedLifetime(file) {} }
      let program = try run(file)
      try server.accept()
      #expect(try server.request() == "?WATCH={\"enable\":true,\"json\":true};")
      server.say(#"{"class":"TPV","mode":3,"lat":47.05,"lon":8.31,"eph":4.5,"speed":1.5}"#)
      program.signal(number)
      #expect(try server.request() == "?WATCH={\"enable\":false};")
      #expect(try server.request() == nil)
      #expect(program.readUntil("every device is off"))
      #expect(program.exitCode() == 0)
      #expect(program.seen.contains("location.gnss on"))
    }

    @Test("P12: a site without demands has one thread, which makes no voluntary context switch")
    func idle() throws {
      let server = try FakeGpsd()
      let file = try site(port: server.port, demands: "")
      defer { withExtendedLifetime(file) {} }
      let program = try run(file)
      #expect(program.readUntil("Ctrl-C ends"))
      // One second after the start, the daemon releases memory pages of its code. The count begins later.
      program.waitForSilence(milliseconds: 1500)
      let before = program.status("voluntary_ctxt_switches:")
      program.waitForSilence(milliseconds: 2000)
      let after = program.status("voluntary_ctxt_switches:")
      #expect(before != nil && before == after)
      #expect(program.status("Threads:") == 1)
      program.signal(SIGTERM)
      #expect(program.exitCode() == 0)
    }

    @Test("a connection that gpsd closes is reported, and the watch resumes when gpsd accepts again")
    func goneInTheMiddle() throws {
      let server = try FakeGpsd()
      let file = try site(port: server.port, demands: demand)
      defer { withExtendedLifetime(file) {} }
      let program = try run(file)
      try server.accept()
      _ = try server.request()
      server.hangUp()
      #expect(program.readUntil("gpsd closed the connection; trying again, next in 1 s"))
      try server.accept()
      // The first new connection either starts the watch or closes after the greeting. In the second case
      // another connection follows, which starts the watch.
      if try server.request() == nil {
        try server.accept()
        #expect(try server.request() == "?WATCH={\"enable\":true,\"json\":true};")
      }
      program.signal(SIGTERM)
      #expect(try server.request() == "?WATCH={\"enable\":false};")
      #expect(program.exitCode() == 0)
    }

    @Test(
      "a site file with an error is rejected, and the message names the file and a correction",
      arguments: [
        (#"{"stint_site": 1, "plugns": []}"#, "did you mean “plugins”?"),
        (#"{"stint_site": 1, "plugins": []}"#, "a site without a plugin has no device"),
        (#"{"stint_site": 1, "plugins": [{"plugin": "gspd"}]}"#, "did you mean “gpsd”?"),
        (
          #"{"stint_site": 1, "plugins": [{"plugin": "gpsd", "with": {"prot": 1}}]}"#, "did you mean “port”?"
        ),
        (
          #"{"stint_site": 1, "plugins": [{"plugin": "gpsd", "with": {"port": 70000}}]}"#,
          "write a number between 1 and 65535"
        ),
        (
          #"{"stint_site": 1, "plugins": [{"plugin": "gpsd", "with": {"host": "a b"}}]}"#,
          "without spaces, quotes, backslashes and semicolons"
        ),
        (
          #"{"stint_site": 1, "plugins": [{"plugin": "gpsd"}, {"plugin": "gpsd"}]}"#,
          "two plugins for location.gnss"
        ),
        (
          #"{"stint_site": 1, "plugins": [{"plugin": "gpsd"}], "time_zone": "Europa/Berlin"}"#,
          "Europa/Berlin"
        ),
        (#"{"stint_site": 2, "plugins": [{"plugin": "gpsd"}]}"#, "version 2 of the format is not supported"),
        (#"{"stint_scenario": 1}"#, "the key “stint_site” is missing"),
        ("", "the file has no content"),
      ])
    func mistakes(text: String, message: String) throws {
      let file = try SiteFile(text)
      defer { withExtendedLifetime(file) {} }
      let program = try run(file)
      let code = program.exitCode()
      #expect(code == 1 || code == 2)
      #expect(program.seen.contains(message), "\(program.seen)")
      #expect(program.seen.contains("site.json"))
    }
  }
#endif
