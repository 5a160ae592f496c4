import StintRuntime
import StintTestSupport
import Testing

@testable import StintCommands

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// A plugin whose process serves an accelerometer, a gyroscope and a magnetometer, in Python and in C.
  @Suite(
    .enabled(
      if: access("/usr/bin/python3", X_OK) == 0 && access("/usr/bin/cc", X_OK) == 0,
      "the plugins are in Python and in C"))
  struct ImuTests {
    private let temporaryFiles = TemporaryFiles()

    private static let devices = ["accelerometer", "gyro", "magnetometer"]

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
      {"stint_manifest": 2, "device": "motion.\(device)", "kind": "sensor", "title": "\(device)",
       "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "1 mW", "on": true}],
       "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
       "verbs": ["start", "stop", "downgrade"],
       "attributes": [{"name": "rate", "unit": "Hz", "range": ["1 per h", "50 Hz"], "default": "1 Hz"}],
       "channels": [{"name": "x", "unit": "m"}],
       "facts": [{"name": "count", "unit": "1", "range": ["0", "1000000"], "fastest": "10 ms"},
                 {"name": "tag.*", "unit": "1", "keys": 2}]}
      """
    }

    private static func files(_ language: ImuProgram = .python) throws -> [String: String] {
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
        "probe/plugin.json": """
        {"stint_plugin": 1, "name": "imu", "meaning": "an inertial sensor", "program": "\(language.program)",
         "manifests": ["accelerometer.json", "gyro.json", "magnetometer.json"], "files": {}}
        """,
      ]
      for device in devices { files["probe/\(device).json"] = manifest(device) }
      for (path, text) in try language.sources { files["probe/" + path] = text }
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

    @Test(
      "three devices of one process are switched separately, and they fail and return together",
      arguments: ImuProgram.allCases)
    func daemon(language: ImuProgram) throws {
      let folder = temporaryFiles.path("daemon")
      var daemon = try PluginDaemon(in: folder, try Self.files(language), build: language.build)
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
        // The fact becomes larger within 40 ms, and a query takes about 1 ms.
        let isLarger = (0..<10_000).contains { _ in count(device, daemon) > before }
        #expect(isLarger, "\(device) delivers nothing while another device is off")
      }

      // At 5 Hz, the gyroscope publishes a fact that is not in its manifest.
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

      let site = String(decoding: try FileText.read(folder + "/site.json"), as: UTF8.self)
      let start = try #require(site.firstRange(of: "{\"process\""))
      let end = try #require(site.firstRange(of: "}}"))
      var empty = site
      empty.removeSubrange(start.lowerBound..<end.upperBound)
      try daemon.replace("site.json", with: empty)
      let names = "motion.accelerometer, with motion.gyro and hand.compass, was"
      daemon.hear("\(names) removed; its process has ended")
      daemon.forget()
      try daemon.replace("site.json", with: site)
      daemon.hear("\(names) added again and runs")
      for rule in ["accelerates", "turns", "points"] { daemon.hear("every 40 ms, [imu/\(rule)]") }
      daemon.end()
    }

    @Test(
      "programs in Python and in C publish facts of a family; status shows them and counts refused keys",
      arguments: ImuProgram.allCases)
    func families(language: ImuProgram) throws {
      var files = try Self.files(language)
      files["rules.stint"] = """
        policy "imu" version 1
        use hand.compass as compass
        rule tagged while compass.tag.4711 > 5 { downgrade compass to 10 Hz }

        """
      var daemon = try PluginDaemon(in: temporaryFiles.path("families"), files, build: language.build)
      daemon.hear("every 100 ms, [imu/tagged]")
      let status = daemon.ask("status")
      for part in ["hand.compass.tag.4711 ", "hand.compass.tag.b 1", "motion.gyro.tag.4711 "] {
        #expect(status.contains(part), "\(status)")
      }
      #expect(!status.contains("tag.a ") && !status.contains("tag.c "), "\(status)")
      let refusal = "hand.compass.tag.* has 2 keys, as its manifest declares, so the key “c” is refused"
      #expect(status.contains(refusal), "\(status)")
      daemon.end()
    }

    @Test("X07: a silent device causes a fault of all devices of its process, and the fault names the device")
    func silence() throws {
      var files = try Self.files()
      let mute = """
        class Mute(Axis):
            def due(self):
                return None

        stint.Process(
        """
      files["probe/imu.py"]?.replace("stint.Process(", with: mute)
      files["probe/imu.py"]?.replace("Axis(\"motion.gyro\")", with: "Mute(\"motion.gyro\")")
      files["probe/gyro.json"]?.replace(
        "\"facts\"", with: "\"figures\": {\"silence\": \"200 ms\"}, \"facts\"")
      var daemon = try PluginDaemon(in: temporaryFiles.path("silence"), files)
      for device in ["motion.accelerometer", "motion.gyro", "hand.compass"] {
        daemon.hear(
          "“\(device)” has a fault: hang: for motion.gyro, the sensor is on and has sent nothing for ")
      }
      daemon.end()
    }

    @Test("the devices of a process are simulated with their names in the site")
    func simulation() throws {
      let folder = temporaryFiles.path("simulation")
      try PluginDaemon.prepare(folder, try Self.files())
      let test = """
        test "the compass has rules of its own" {
          given gyro.count = 1, compass.count = 3
          expect points and not turns at 1 s
        }
        """
      try FileText.write(Array((Self.policy + test).utf8), to: folder + "/rules.stint")
      let console = RecordedConsole()
      let code = Commands.run(
        arguments: ["test", folder + "/rules.stint", "--site", folder + "/site.json"], table: .standard,
        console: console.console)
      #expect(code == .fine && console.results.contains("1 passed"), "\(console.results)\(console.log)")
    }

    @Test("the devices of a process are listed with both names, and conflicting names are refused")
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
      let site = String(decoding: try FileText.read(folder + "/site.json"), as: UTF8.self)
      let names = "{\"motion.magnetometer\": \"hand.compass\"}"
      for (old, new, sentence) in [
        (names, "\"hand\"", "imu has 3 devices, but “as” contains one name"),
        (names, "{\"motion.gyro\": \"motion.magnetometer\"}", "two devices of imu have the name"),
      ] {
        try FileText.write(Array(site.replacing(old, with: new).utf8), to: folder + "/site.json")
        let refused = run("check", folder + "/rules.stint", "--site", folder + "/site.json")
        #expect(refused.code != .fine && refused.text.contains(sentence), "\(refused.text)")
      }
      try FileText.write(Array(Self.manifest("gyro").utf8), to: folder + "/probe/magnetometer.json")
      let seal = run("plugin", "seal", folder + "/probe")
      #expect(
        seal.code != .fine && seal.text.contains("another manifest also has the device motion.gyro"),
        "\(seal.text)")
    }
  }
#endif
