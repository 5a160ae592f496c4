public import StintModel
import StintUnits

/// Reads site files; the form is described at `Site`.
///
/// All problems of a file come at once, each with its line and column. What plugins there are, and what can be
/// set on them, is the caller's knowledge: a key that no plugin has is a problem with a suggestion.
public enum SiteReader {
  static let keys = ["stint_site", "title", "time_zone", "plugins", "clients", "declares", "facts"]

  /// The site that a text holds; `source` names it in errors.
  public static func site(
    of bytes: [UInt8], source: String, plugins forms: [PluginForm]
  ) throws(FormatErrors) -> Site {
    let findings = JSONFindings(source: source)
    let value: JSONValue
    do { value = try JSONReader.value(of: bytes, source: source) } catch { throw FormatErrors(error) }
    let root = JSONField(value: value, path: "", findings: findings).document("stint_site", keys: keys)
    var site = root.map { read($0, forms) }
    try findings.check()
    site?.journalText = journalText(declares: value["declares"])
    guard let site else { preconditionFailure("a site that cannot be read has problems") }
    return site
  }

  private static func read(_ root: JSONObject, _ forms: [PluginForm]) -> Site {
    let entries = root.required("plugins")?.items() ?? []
    if let field = root.optional("plugins"), field.value.items?.isEmpty ?? false {
      field.report(
        .missing, "a site without a plugin has no device",
        step: "add one of \(forms.map(\.name).joined(separator: ", "))")
    }
    let clients = ScenarioReader.list(root, "clients") { ScenarioReader.client($0) }
    let names = clients.map(\.name.name)
    if let items = root.optional("clients")?.items(), items.count == names.count {
      for (index, name) in names.enumerated() where names[..<index].contains(name) {
        items[index].report(
          .duplicate, "a client “\(name)” stands here twice", step: "put its demands into one")
      }
    }
    return Site(
      title: root.optional("title")?.text() ?? "", timeZone: root.optional("time_zone")?.text(),
      plugins: entries.compactMap { plugin($0, forms) }, clients: clients,
      declares: ScenarioReader.list(root, "declares") { FactSchemaReading.fact($0, of: nil) },
      facts: root.optional("facts")?.anyObject()?.fields().compactMap {
        ScenarioReader.assignment($0, $1)
      } ?? [])
  }

  private static func plugin(_ field: JSONField, _ forms: [PluginForm]) -> Site.Plugin? {
    guard let object = field.object(keys: ["plugin", "with"]),
      let nameField = object.required("plugin"), let name = nameField.text()
    else { return nil }
    guard let form = forms.first(where: { $0.name == name }) else {
      nameField.report(
        .unknownName, "no plugin is named “\(Excerpt.text(name))”",
        step: Spelling.advice(for: name, among: forms.map(\.name)))
      return nil
    }
    var plugin = Site.Plugin(name: name)
    guard let with = object.optional("with")?.object(keys: form.settings.map(\.key)) else { return plugin }
    for setting in form.settings {
      guard let field = with.optional(setting.key) else { continue }
      plugin.settings[setting.key] = value(field, setting.kind)
    }
    return plugin
  }

  private static func value(_ field: JSONField, _ kind: PluginSettingForm.Kind) -> PluginSettingValue? {
    switch kind {
    case .text: field.text().map { .text($0) }
    case .whole(let range): field.whole(in: range).map { .whole($0) }
    case .span(let least): field.span(like: "60 s", atLeast: least).map { .span($0) }
    case .flag: field.flag().map { .flag($0) }
    }
  }

  /// A scenario with the declared facts and nothing else.
  private static func journalText(declares: JSONValue?) -> String {
    JSONWriter.text(of: [
      "stint_scenario": 1, "name": "site", "start": "1970-01-01T00:00:00Z", "duration": "1 s",
      "world": ["origin": [0, 0]], "declares": declares ?? [],
    ])
  }
}
