import StintTools

/// `stint plugin seal`.
enum PluginSealCommand {
  static let form = CommandForm(
    name: "plugin seal", operands: "DIR", operandCount: 1...1,
    meaning: "bring the hashes of a plugin's descriptor up to date",
    detail: """
      Stint starts a plugin only while its program and its manifest match the hashes in plugin.json. By sealing
      it you accept both as they are now.
      """,
    options: [.flag("json", "the files and their SHA-256 as one JSON object")],
    run: { arguments, console in
      let seal = try PluginSeal(arguments.operands[0])
      console.result(arguments.has("json") ? seal.jsonText : seal.text)
      return .fine
    })
}
