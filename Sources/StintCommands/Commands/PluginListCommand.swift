import StintPluginKit
import StintTools

/// `stint plugin list`.
enum PluginListCommand {
  static func form(_ linked: [LinkedPlugin]) -> CommandForm {
    CommandForm(
      name: "plugin list", operands: "", operandCount: 0...0,
      meaning: "list plugins and what each may touch",
      detail: """
        Nothing of a plugin runs for it. A plugin in a process of its own touches its folder and the system's libraries,
        and besides only what its descriptor needs and the site allows; the SHA-256 of its descriptor, as it stands
        here, pins all of it when the site file says "sha256". What this system cannot keep it from is said at the end.
        """,
      options: [
        .value("site", "FILE", "the site; without it the plugins that are linked in"),
        .flag("json", "one JSON object"),
      ],
      run: { arguments, console in
        let list = try PluginList(site: arguments.text("site"), linked: linked)
        console.result(arguments.has("json") ? list.jsonText : console.fitted(list.text))
        return list.problems == 0 ? .fine : .findings
      })
  }
}
