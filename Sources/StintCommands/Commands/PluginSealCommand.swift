import StintTools

enum PluginSealCommand {
  static let definition = CommandDefinition(
    name: "plugin seal", operands: "DIR", operandCount: 1...1,
    meaning: "update the hashes in a plugin's descriptor",
    example: "stint plugin seal soil_probe",
    detail: """
      Stint starts a plugin only if its manifest, its program and all other sealed files match the hashes in
      plugin.json. By sealing a plugin you accept the current versions of all these files.
      """,
    options: [.flag("json", "print the files and their SHA-256 as one JSON object")],
    run: { arguments, console in
      let seal = try PluginSeal(arguments.operands[0])
      console.result(arguments.has("json") ? seal.jsonText : seal.text)
      return .fine
    })
}
