import StintRuntime
import StintTestSupport
import Testing

@testable import StintCommands

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// A daemon with a plugin process that sends no samples.
  @Suite(.enabled(if: access("/usr/bin/python3", X_OK) == 0, "the plugin is in Python"))
  struct SilentPluginTests {
    private static let policy = """
      policy "health" version 1
      use ambient.temperature as thermometer
      rule alarm while thermometer.failed { stop thermometer }
      """

    /// A plugin that opens, answers every request, and never takes a sample.
    private static let mute = """
      #!/usr/bin/env python3
      import os, sys
      sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
      import thermometer

      class Mute(thermometer.Thermometer):
          def due(self):
              return None

      Mute().run()
      """

    private static func write(_ text: String, to path: String) throws {
      try FileText.write(Array(text.utf8), to: path)
      _ = chmod(path, 0o755)
    }

    /// Writes a site file, a policy, and a plugin whose program has the text `program`. Starts a daemon with
    /// these files.
    private static func start(_ program: String, in folder: String) throws -> Child {
      let stint = try #require(Child.program, "the program is built beside the tests")
      try Folder.make(folder + "/probe")
      let example = Child.repository + "/Plugins/Thermometer/"
      for file in ["thermometer.py", "manifest.json", "plugin.json"] {
        var text = String(decoding: try FileText.read(example + file), as: UTF8.self)
        if file == "manifest.json" {
          text.replace("\"fifo\": 600,", with: "\"fifo\": 600, \"figures\": {\"silence\": \"200 ms\"},")
        }
        if file == "plugin.json" { text.replace("\"thermometer.py\",", with: "\"program.py\",") }
        try write(text, to: folder + "/probe/" + file)
      }
      try write(program, to: folder + "/probe/program.py")
      try write("21500\n", to: folder + "/temperature")
      try write(policy, to: folder + "/health.stint")
      try write(
        """
        {"stint_site": 1, "plugins": [{"process": "probe/plugin.json",
         "with": {"source": "\(folder)/temperature"}, "allow": ["/sys/devices"]}],
         "clients": [{"name": "logger",
           "demands": [{"target": "ambient.temperature", "with": {"rate": "10 Hz"}}]}]}
        """, to: folder + "/site.json")
      let console = RecordedConsole()
      let code = Commands.run(
        arguments: ["plugin", "seal", folder + "/probe"], table: .standard, console: console.console)
      try #require(code == .fine, "\(console.log)")
      return try Child([
        stint, "run", "--site", folder + "/site.json", "--policies", folder + "/health.stint", "--control",
        folder + "/socket",
      ])
    }

    private func hear(_ text: String, _ daemon: inout Child) {
      let isThere = daemon.readUntil(text)
      #expect(isThere, "the daemon did not print “\(text)”")
    }

    @Test("X07: if a plugin process sends no sample, a rule can read the fault, and the status shows it")
    func silent() throws {
      let files = TemporaryFiles()
      let folder = files.path("silent")
      try Folder.make(folder)
      var daemon = try Self.start(Self.mute, in: folder)
      hear("“ambient.temperature” has a fault: hang: the sensor is on and has sent nothing for ", &daemon)
      hear("ambient.temperature stopped, every 100 ms, [health/alarm]", &daemon)
      let console = RecordedConsole()
      let code = Commands.run(
        arguments: ["status", "--control", folder + "/socket"], table: .standard, console: console.console)
      #expect(code == .fine)
      #expect(
        console.results.contains("hang: the sensor is on and has sent nothing for "), "\(console.results)")
      daemon.signal(SIGTERM)
      #expect(daemon.exitCode() == 0)
    }

    @Test("X07: a plugin program that sends no message at all causes a fault after 5 s")
    func standIn() throws {
      let files = TemporaryFiles()
      let folder = files.path("stand-in")
      try Folder.make(folder)
      var daemon = try Self.start("#!/bin/sh\nexec sleep 1000\n", in: folder)
      hear("“ambient.temperature” has a fault: hang: did not open within 5 s", &daemon)
      daemon.signal(SIGTERM)
      #expect(daemon.exitCode() == 0)
    }
  }
#endif
