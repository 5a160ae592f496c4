import StintTools

/// `stint plugin new`.
enum PluginNewCommand {
  static let form = CommandForm(
    name: "plugin new", operands: "NAME", operandCount: 1...1,
    meaning: "write a plugin that builds, passes its tests and runs",
    detail: """
      NAME is lower-case letters, digits and _. The plugin is a program of its own that Stint starts; its README says
      what to change. A plugin in Swift is built with the package of Stint: the one that this program was built in,
      or the one that --stint names.
      """,
    options: [
      .value("language", "LANGUAGE", "swift, c or python"),
      .value("into", "DIR", "the folder to make instead of NAME"),
      .value("stint", "DIR", "where the package of Stint lies"),
      .flag("json", "what was written as one JSON object"),
    ],
    run: { arguments, console in
      guard let text = arguments.text("language") else {
        throw UsageError("plugin new needs --language", hint: "say swift, c or python")
      }
      guard let language = PluginLanguage(rawValue: text) else {
        throw UsageError("no plugin is written in “\(text)”", hint: "say swift, c or python")
      }
      let plugin = try NewPlugin(
        name: arguments.operands[0], language: language, folder: arguments.text("into"),
        stint: arguments.text("stint"))
      console.result(arguments.has("json") ? plugin.jsonText : plugin.text)
      return .fine
    })
}
