import StintFormats
import StintModel
import StintPluginKit
import StintServices
import StintUnits

/// Uses arbitrary bytes as a site file. Checks that equal bytes give an equal result each time: a site, or a
/// rejection with reasons. An accepted site uses only settings that its plugins have, and can be turned into
/// a run.
enum SiteStage {
  private static let forms = [
    PluginForm(
      name: "gpsd", meaning: "",
      settings: [
        PluginSettingForm("host", .text, ""), PluginSettingForm("port", .whole(1...65_535), ""),
        PluginSettingForm("pause", .span(atLeast: .seconds(1)), ""), PluginSettingForm("loud", .flag, ""),
      ]), PluginForm(name: "power_supply", meaning: "", settings: []),
  ]
  private static let described = PluginForm(
    name: "thermometer", meaning: "", settings: [PluginSettingForm("source", .text, "")])

  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    let first = try site(bytes)
    try FuzzFinding.unless(try site(bytes) == first, "equal bytes are read differently the second time")
    guard let site = first else { return }
    try FuzzFinding.unless(!site.plugins.isEmpty, "a site without a plugin is accepted")
    for plugin in site.plugins { try check(plugin) }
    let names = site.clients.map(\.name.name)
    try FuzzFinding.unless(Set(names).count == names.count, "two clients have the same name")
    let start = Instant(nanoseconds: 1_700_000_000_000_000_000)
    let script = site.script(from: start)
    try FuzzFinding.unless(script.start == start, "a run begins at another time")
    do {
      _ = try JSONReader.value(of: site.journalText, source: "journal")
    } catch {
      throw FuzzFinding("the text for the journal cannot be read: \(error)")
    }
  }

  /// Returns nil when the bytes are rejected.
  private static func site(_ bytes: [UInt8]) throws(FuzzFinding) -> Site? {
    do {
      return try SiteReader.site(of: bytes, source: "site.json", plugins: forms, requests: .all) { path in
        path.hasSuffix("plugin.json") ? described : nil
      }
    } catch {
      try Refusals.check(error)
      return nil
    }
  }

  private static func check(_ plugin: Site.Plugin) throws(FuzzFinding) {
    let form = plugin.descriptor == nil ? forms.first { $0.name == plugin.name } : described
    guard let form else { throw FuzzFinding("the plugin “\(plugin.name)” is unknown") }
    for (key, value) in plugin.settings.sorted(by: { $0.key < $1.key }) {
      guard let kind = form.settings.first(where: { $0.key == key })?.kind else {
        throw FuzzFinding("\(form.name) has no setting “\(key)”")
      }
      switch (kind, value) {
      case (.text, .text), (.flag, .flag): break
      case (.whole(let range), .whole(let number)):
        try FuzzFinding.unless(range.contains(Int(number)), "\(number) is out of the range of “\(key)”")
      case (.span(let least), .span(let span)):
        try FuzzFinding.unless(span >= least, "\(span) is below the minimum of “\(key)”")
      default: throw FuzzFinding("“\(key)” is \(value)")
      }
    }
    try FuzzFinding.unless((plugin.hash?.utf8.count ?? 64) == 64, "a SHA-256 of wrong length is accepted")
    try FuzzFinding.unless(
      plugin.descriptor != nil || plugin.allowed.isEmpty && !plugin.isLibrary,
      "a plugin that is linked in has permissions")
  }
}
