import StintRuntime
import StintTestSupport
import Testing

@testable import StintCommands

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// A site that starts one plugin twice.
  @Suite(.enabled(if: access("/usr/bin/python3", X_OK) == 0, "the plugin is in Python"))
  struct InstanceTests {
    private let temporaryFiles = TemporaryFiles()

    private static let policy = """
      policy "climate" version 1
      use ambient.indoor as indoor
      use ambient.outdoor as outdoor
      rule warm while indoor.temperature > 20 C { downgrade indoor to 1 per 2 s }
      rule cold while outdoor.temperature < 10 C { downgrade outdoor to 1 per 3 s }

      test "each thermometer has rules of its own" {
        given indoor.temperature = 25 C, outdoor.temperature = 5 C
        expect warm and cold at 1 s
        at 2 s set indoor.temperature = 15 C
        expect not warm and cold at 3 s
      }
      """

    private func site(
      _ folder: String, indoor: String? = "\"ambient.indoor\"", outdoorFile: String = "outdoor"
    ) -> String {
      func entry(_ name: String, _ file: String) -> String {
        """
        {"process": "probe/plugin.json", "as": \(name), "with": {"source": "\(folder)/\(file)"},
         "allow": ["/sys/devices"]}
        """
      }
      let entries =
        [indoor.map { entry($0, "indoor") }].compactMap(\.self)
        + [entry("{\"ambient.temperature\": \"ambient.outdoor\"}", outdoorFile)]
      return """
        {"stint_site": 1,
         "plugins": [\(entries.joined(separator: ","))],
         "clients": [{"name": "logger", "demands": [
           {"target": "ambient.indoor", "with": {"rate": "1 Hz"}},
           {"target": "ambient.outdoor", "with": {"rate": "1 Hz"}}]}]}
        """
    }

    private func files(_ folder: String) throws -> [String: String] {
      var files = ["rules.stint": Self.policy, "site.json": site(folder)]
      for file in ["thermometer.py", "manifest.json", "plugin.json"] {
        files["probe/" + file] = try PluginDaemon.file("Plugins/Thermometer/" + file)
      }
      files["probe/thermometer.py"]?.replace(
        "if __name__", with: "print(Thermometer.device, flush=True)\nif __name__")
      // The process cannot read the files of the site, so the program contains the readings.
      files["probe/thermometer.py"]?.replace(
        """
                    with open(self.path) as file:
                        degrees = int(file.read()) / 1000
        """, with: "            degrees = 25 if self.path.endswith('indoor') else 5")
      return files
    }

    @Test("two entries of one sealed plugin run as two processes; rules name each device as the site does")
    func daemon() throws {
      let folder = temporaryFiles.path("daemon")
      var daemon = try PluginDaemon(in: folder, try files(folder))
      daemon.hear("every 2 s, [climate/warm]")
      daemon.hear("every 3 s, [climate/cold]")
      daemon.hear("ambient.outdoor prints: ambient.temperature")
      let status = daemon.ask("status")
      for part in [
        "ambient.indoor serves, process ", "ambient.outdoor serves, process ",
        "ambient.indoor.temperature 25 C", "ambient.outdoor.temperature 5 C",
      ] {
        #expect(status.contains(part), "no “\(part)” in \(status)")
      }
      daemon.end()
    }

    @Test(
      "a new name of a running device takes effect after a restart; until then, the device runs as before")
    func renaming() throws {
      let folder = temporaryFiles.path("renaming")
      var daemon = try PluginDaemon(in: folder, try files(folder))
      daemon.hear("every 2 s, [climate/warm]")
      let before = daemon.ask("status").split(separator: "\n").first { $0.contains("ambient.indoor serves") }
      daemon.forget()
      let names = "\"ambient.cellar\""
      try daemon.replace("site.json", with: site(folder, indoor: names))
      daemon.hear("the new name ambient.cellar of ambient.indoor takes effect after a restart")
      let after = daemon.ask("status")
      #expect(after.split(separator: "\n").first { $0.contains("ambient.indoor serves") } == before)
      #expect(before != nil && after.contains("the new name ambient.cellar of ambient.indoor"), "\(after)")

      // An entry with a new name and changed settings counts as a new entry, so the former entry is removed.
      try daemon.replace("site.json", with: site(folder + "/other", indoor: names))
      daemon.hear("ambient.indoor was removed; its process has ended")
      try daemon.replace("site.json", with: site(folder))
      daemon.hear("ambient.indoor was added again and runs")
      daemon.end()
    }

    @Test("when one of two entries that differ only in their names is removed, only its process ends")
    func removal() throws {
      let folder = temporaryFiles.path("removal")
      var files = try files(folder)
      files["site.json"] = site(folder, outdoorFile: "indoor")
      var daemon = try PluginDaemon(in: folder, files)
      daemon.hear("every 2 s, [climate/warm]")
      try daemon.replace("site.json", with: site(folder, indoor: nil, outdoorFile: "indoor"))
      daemon.hear("ambient.indoor was removed; its process has ended")
      #expect(daemon.ask("status").contains("ambient.outdoor serves"))
      daemon.end()
    }

    @Test("check, test and plugin list use the names of the site")
    func commands() throws {
      let folder = temporaryFiles.path("commands")
      var daemon = try PluginDaemon(in: folder, try files(folder))
      daemon.hear("[climate/warm]")
      daemon.end()
      func run(_ words: String...) -> (code: ExitCode, text: String) {
        let console = RecordedConsole()
        let code = Commands.run(arguments: words, table: .standard, console: console.console)
        return (code, console.results + console.log)
      }
      let site = folder + "/site.json"
      let check = run("check", folder + "/rules.stint", "--site", site)
      #expect(check.code == .fine, "\(check.text)")
      let test = run("test", folder + "/rules.stint", "--site", site)
      #expect(test.code == .fine && test.text.contains("1 passed"), "\(test.text)")
      let list = run("plugin", "list", "--site", site)
      #expect(list.text.contains("device      ambient.indoor, a sensor: thermometer"), "\(list.text)")
      #expect(list.text.contains("own name    ambient.temperature"), "\(list.text)")
      for (names, sentence) in [
        ("\"ambient.outdoor\"", "keep one of them, or write \"as\": \"NAME\" to give a device"),
        ("{\"ambient.temprature\": \"a\"}", "plugins[0].as: thermometer has no device “ambient.temprature”"),
      ] {
        try daemon.replace("site.json", with: self.site(folder, indoor: names))
        let refused = run("check", folder + "/rules.stint", "--site", site)
        #expect(refused.code != .fine && refused.text.contains(sentence), "\(refused.text)")
      }
    }
  }
#endif
