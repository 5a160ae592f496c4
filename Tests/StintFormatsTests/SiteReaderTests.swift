import StintFormats
import StintModel
import StintServices
import StintUnits
import Testing

@Suite("Site files")
struct SiteReaderTests {
  private static let forms = [
    PluginForm(
      name: "gpsd", meaning: "a receiver",
      settings: [
        PluginSettingForm("host", .text, "where"), PluginSettingForm("port", .whole(1...65_535), "which"),
        PluginSettingForm("release", .span(atLeast: .zero), "how long"),
        PluginSettingForm("passive", .flag, "whether"),
      ]),
    PluginForm(name: "battery", meaning: "a battery"),
  ]

  private func read(_ text: String) throws(Problem) -> Site {
    try SiteReader.site(of: Array(text.utf8), source: "site.json", plugins: Self.forms, requests: .all)
  }

  private func problems(_ text: String) -> [String] {
    do throws(Problem) {
      _ = try read(text)
      return []
    } catch {
      return error.all.map(\.description)
    }
  }

  @Test("the plugins with their settings, the clients and the facts of a site file are read")
  func whole() throws {
    let site = try read(
      """
      {"stint_site": 1, "title": "box", "time_zone": "UTC",
       "plugins": [{"plugin": "gpsd", "with": {"host": "::1", "port": 2950, "release": "5 s", "passive": true}},
                   {"plugin": "battery"}],
       "clients": [{"name": "app", "demands": [{"target": "location.gnss", "with": {"accuracy": "10 m"}}]}],
       "declares": [{"name": "app.state", "options": ["foreground", "background"]}],
       "facts": {"app.state": "background"}}
      """)
    #expect(site.plugins.map(\.name) == ["gpsd", "battery"])
    #expect(
      site.plugins[0].settings == [
        "host": .text("::1"), "port": .whole(2950), "release": .span(.seconds(5)), "passive": .flag(true),
      ])
    let start = Instant(nanoseconds: 5)
    let script = site.script(from: start)
    #expect(script.clients.map(\.name.name) == ["app"])
    #expect(
      script.changes == [
        FactChange(at: .zero, values: [FactAssignment(path: "app.state", text: "background")])
      ])
    #expect(script.end == .distantFuture)
  }

  @Test("a text setting of a plugin can come from a credential or an environment variable only")
  func secrets() throws {
    func entry(_ host: String) -> String {
      #"{"stint_site": 1, "plugins": [{"plugin": "gpsd", "with": {"host": \#(host), "port": 1}}]}"#
    }
    let plugin = try #require(try read(entry(#"{"environment": "GPS_HOST"}"#)).plugins.first)
    #expect(plugin.secrets == ["host": .environment("GPS_HOST")] && plugin.settings == ["port": .whole(1)])
    #expect(
      try read(entry(#"{"credential": "gps-host"}"#)).plugins.first?.secrets
        == ["host": .credential("gps-host")])
    for host in [
      "{}", #"{"credential": "a", "environment": "b"}"#, #"{"credential": "../a"}"#, #"{"credential": ".."}"#,
      #"{"environment": "A=B"}"#, #"{"environment": ""}"#, #"{"file": "a"}"#, #"{"credential": 1}"#,
    ] {
      #expect(!problems(entry(host)).isEmpty, "\(host)")
    }
    // An unknown key has one problem, which names the key.
    for host in [#"{"file": "a"}"#, #"{"credential": "a", "file": "b"}"#] {
      let found = problems(entry(host))
      #expect(found.count == 1 && found.first?.contains("“file”") == true, "\(host): \(found)")
    }
    // Only a text can be a secret.
    let port = #"{"plugin": "gpsd", "with": {"port": {"environment": "A"}}}"#
    #expect(!problems(#"{"stint_site": 1, "plugins": [\#(port)]}"#).isEmpty)
  }

  @Test("the journal text of a site can be read as a scenario that declares the same facts")
  func journalText() throws {
    let site = try read(
      """
      {"stint_site": 1, "plugins": [{"plugin": "gpsd"}],
       "declares": [{"name": "battery.level", "unit": "%", "range": ["0 %", "100 %"]}]}
      """)
    let scenario = try ScenarioReader.scenario(
      of: Array(site.journalText.utf8), source: "journal", requests: .all)
    #expect(scenario.declares == site.declares)
  }

  @Test("all problems of a site file are reported at once, each with its location and a remedy")
  func mistakes() {
    #expect(
      problems(
        """
        {"stint_site": 1, "pluginz": 1,
         "plugins": [{"plugin": "gpds"}, {"plugin": "gpsd", "with": {"hots": "a", "port": 0, "release": 5}}],
         "clients": [{"name": "a"}, {"name": "a"}]}
        """) == [
          "site.json:1:19: pluginz: no key is named “pluginz” here; known here: stint_site, title, time_zone, "
            + "plugins, clients, apps, units, declares, facts",
          "site.json:2:25: plugins[0].plugin: no plugin is named “gpds”; did you mean “gpsd”?",
          "site.json:2:62: plugins[1].with.hots: no key is named “hots” here; did you mean “host”?",
          "site.json:2:83: plugins[1].with.port: 0 is out of range; write a number between 1 and 65535",
          "site.json:2:97: plugins[1].with.release: expected a string with a number and a unit, "
            + "found a number; write it as \"60 s\"",
          "site.json:3:29: clients[1]: the client “a” appears twice; put its demands into one entry",
        ])
  }

  @Test(
    "a site without plugins is rejected",
    arguments: [#"{"stint_site": 1}"#, #"{"stint_site": 1, "plugins": []}"#])
  func empty(text: String) {
    #expect(problems(text).count == 1)
  }
}
