import StintPluginKit
import StintTools

enum PluginListCommand {
  static func definition(_ linked: [LinkedPlugin]) -> CommandDefinition {
    CommandDefinition(
      name: "plugin list", operands: "", operandCount: 0...0,
      meaning: "list plugins, with the files and network access of each",
      example: "stint plugin list --site site.json",
      detail: """
        No plugin is started. A plugin in a separate process can read its own files and the system's
        libraries, and otherwise access only the files and network that its descriptor requests and the site
        allows. The SHA-256 of its descriptor is printed; when the site file contains it as "sha256", a
        changed descriptor is rejected. At the end, the list shows which containment mechanisms this system
        lacks.
        """,
      options: [
        .value("site", "FILE", "the site file; without it, list the linked plugins"),
        .flag("json", "print the result as one JSON object"),
      ],
      run: { arguments, console in
        let list = try PluginList(site: arguments.text("site"), linked: linked)
        console.result(arguments.has("json") ? list.jsonText : console.fitted(list.text))
        return list.problems == 0 ? .fine : .findings
      })
  }
}
