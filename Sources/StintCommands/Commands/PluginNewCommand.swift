import StintTools

enum PluginNewCommand {
  static let definition = CommandDefinition(
    name: "plugin new", operands: "NAME", operandCount: 1...1,
    meaning: "create a plugin that builds, passes its tests and runs",
    example: "stint plugin new soil_probe --language python",
    detail: """
      NAME consists of lower-case letters, digits and _. The plugin is a separate program that Stint starts;
      its README describes the parts to change. A plugin in Swift is built with the Stint package of this
      program, or with the one that --stint names.
      """,
    options: [
      .value("language", "LANGUAGE", "swift, c or python").required("write --language swift, c or python"),
      .value(
        "kind", "KIND",
        "sensor (default), chip (three sensors in one process), source or radio (both in python only)"),
      .value("into", "DIR", "create this folder instead of NAME"),
      .value("stint", "DIR", "the folder of the Stint package"),
      .flag("json", "print the created files as one JSON object"),
    ],
    run: { arguments, console in
      let text = arguments.required("language")
      guard let language = PluginLanguage(rawValue: text) else {
        throw UsageError("unknown plugin language “\(text)”", hint: "write --language swift, c or python")
      }
      let kindText = arguments.text("kind") ?? PluginTemplateKind.sensor.rawValue
      guard let kind = PluginTemplateKind(rawValue: kindText) else {
        throw UsageError(
          "unknown kind of plugin “\(kindText)”", hint: "write --kind sensor, chip, source or radio")
      }
      let plugin = try NewPlugin(
        name: arguments.operands[0], language: language, kind: kind, folder: arguments.text("into"),
        stint: arguments.text("stint"))
      console.result(arguments.has("json") ? plugin.jsonText : plugin.text)
      return .fine
    })
}
