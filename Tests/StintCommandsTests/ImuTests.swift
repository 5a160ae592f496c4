import StintRuntime
import StintTestSupport
import Testing

@testable import StintCommands

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// A plugin in Python whose process serves an accelerometer, a gyroscope and a magnetometer.
  @Suite(.enabled(if: access("/usr/bin/python3", X_OK) == 0, "the plugin is in Python"))
  struct ImuTests {
    private let temporaryFiles = TemporaryFiles()

    private static let devices = ["accelerometer", "gyro", "magnetometer"]

    private static let program = """
      #!/usr/bin/env python3
      import os, sys
      sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
      import thermometer as stint

      class Axis(stint.Thermometer):
          channels, facts = [("x", "m")], [("count", "")]

          def __init__(self, device):
              super().__init__()
              self.device = device

          def work(self):
              self.next = self.now() + self.period
              self.samples.append((self.now(), self.count, 0.5, 0, 0, 0))
              self.count += 1
              self.publish(0, self.count)
              if self.period == 200_000_000:
                  self.publish(7, 0)
              if not self.is_holding:
                  self.hand_over(stint.IMMEDIATE)

      stint.Process(Axis("motion.accelerometer"), Axis("motion.gyro"), Axis("motion.magnetometer")).run()
      """

    private static let policy = """
      policy "imu" version 1
      use motion.accelerometer as accelerometer
      use motion.gyro as gyro
      use hand.compass as compass
      rule accelerates while accelerometer.count > 2 { downgrade accelerometer to 25 Hz }
      rule turns while gyro.count > 2 { downgrade gyro to 25 Hz }
      rule points while compass.count > 2 { downgrade compass to 25 Hz }

      """

    private static func manifest(_ device: String) -> String {
      """
      {"stint_manifest": 1, "device": "motion.\(device)", "kind": "sensor", "title": "\(device)",
       "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "1 mW", "on": true}],
       "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
       "verbs": ["start", "stop", "downgrade"],
       "attributes": [{"name": "rate", "unit": "Hz", "range": ["1 per h", "50 Hz"], "default": "1 Hz"}],
       "channels": [{"name": "x", "unit": "m"}],
       "facts": [{"name": "count", "unit": "1", "range": ["0", "1000000"], "fastest": "10 ms"}]}
      """
    }

    private static func files() throws -> [String: String] {
      let demands = ["motion.accelerometer", "motion.gyro", "hand.compass"].map {
        "{\"target\": \"\($0)\", \"with\": {\"rate\": \"50 Hz\"}}"
      }
      var files = [
        "rules.stint": policy,
        "site.json": """
        {"stint_site": 1,
         "plugins": [{"process": "probe/plugin.json", "as": {"motion.magnetometer": "hand.compass"}}],
         "clients": [{"name": "logger", "demands": [\(demands.joined(separator: ", "))]}]}
        """,
        "probe/imu.py": program,
        "probe/thermometer.py": try PluginDaemon.file("Plugins/Thermometer/thermometer.py"),
        "probe/plugin.json": """
        {"stint_plugin": 1, "name": "imu", "meaning": "an inertial sensor", "program": "imu.py",
         "manifests": ["accelerometer.json", "gyro.json", "magnetometer.json"], "files": {}}
        """,
      ]
      for device in devices { files["probe/\(device).json"] = manifest(device) }
      return files
    }

    /// Returns the process that serves a device, as the status reports it.
    private func process(_ device: String, in status: String) -> String? {
      let line = status.split(separator: "\n").first { $0.contains("\(device) serves, process ") }
      return line?.split(separator: "process ").last?.split(separator: ",").first.map(String.init)
    }

    /// Returns the value of a fact that counts samples.
    private func count(_ device: String, _ daemon: PluginDaemon) -> Int {
      let line = daemon.ask("status").split(separator: "\n").first { $0.contains("\(device).count ") }
      let digits = line?.split(separator: "count ").last?.prefix { $0.isNumber }
      return digits.flatMap { Int($0) } ?? 0
    }

    @Test("three devices of one process deliver, are switched alone, fail together and are restored together")
    func daemon() throws {
      var daemon = try PluginDaemon(in: temporaryFiles.path("daemon"), try Self.files())
      for rule in ["accelerates", "turns", "points"] { daemon.hear("every 40 ms, [imu/\(rule)]") }
      let status = daemon.ask("status")
      let first = try #require(process("motion.accelerometer", in: status), "\(status)")
      #expect(process("motion.gyro", in: status) == first && process("hand.compass", in: status) == first)

      daemon.forget()
      let resting = Self.policy + "rule rest while gyro.count > 3 { stop compass }\n"
      try daemon.replace("rules.stint", with: resting)
      daemon.hear("hand.compass stopped")
      let counts = ["motion.accelerometer", "motion.gyro"].map { count($0, daemon) }
      for (device, before) in zip(["motion.accelerometer", "motion.gyro"], counts) {
        // The fact becomes larger within 40 ms; a question takes about a millisecond.
        let isLarger = (0..<10_000).contains { _ in count(device, daemon) > before }
        #expect(isLarger, "\(device) delivers nothing while another device is off")
      }

      // At 5 Hz, the gyroscope publishes a fact that it does not have.
      let strain = "rule strain while gyro.count > 4 { downgrade gyro to 5 Hz }\n"
      try daemon.replace("rules.stint", with: resting + strain)
      for device in ["motion.accelerometer", "motion.gyro", "hand.compass"] {
        daemon.hear(
          "“\(device)” has a fault: lie: for motion.gyro, published fact 7")
      }
      daemon.forget()
      try daemon.replace("rules.stint", with: Self.policy)
      for rule in ["accelerates", "turns", "points"] { daemon.hear("every 40 ms, [imu/\(rule)]") }
      let after = daemon.ask("status")
      let second = try #require(process("motion.accelerometer", in: after), "\(after)")
      #expect(second != first && process("motion.gyro", in: after) == second)
      #expect(process("hand.compass", in: after) == second && after.contains("restarted"))
      daemon.end()
    }

    @Test("the devices of a process are listed with both names, and one name for several devices is refused")
    func commands() throws {
      let folder = temporaryFiles.path("commands")
      try PluginDaemon.prepare(folder, try Self.files())
      func run(_ words: String...) -> (code: ExitCode, text: String) {
        let console = RecordedConsole()
        let code = Commands.run(arguments: words, table: .standard, console: console.console)
        return (code, console.results + console.log)
      }
      let list = run("plugin", "list", "--site", folder + "/site.json")
      for part in ["motion.accelerometer, a sensor", "motion.gyro, a sensor", "hand.compass, a sensor"] {
        #expect(list.text.contains(part), "\(list.text)")
      }
      #expect(list.text.contains("own name    motion.magnetometer"))
      let site = try FileText.read(folder + "/site.json")
      let single = String(decoding: site, as: UTF8.self).replacing(
        "{\"motion.magnetometer\": \"hand.compass\"}", with: "\"hand\"")
      try FileText.write(Array(single.utf8), to: folder + "/site.json")
      let refused = run("check", folder + "/rules.stint", "--site", folder + "/site.json")
      #expect(refused.text.contains("imu has 3 devices, and “as” gives one name"), "\(refused.text)")
    }
  }
#endif
