import StintTools

enum ExplainCommand {
  static let definition = CommandDefinition(
    name: "explain", operands: "[CODE | WORD | CLASS]", operandCount: 0...1,
    meaning: "explain a diagnostic code, a keyword or a class of devices",
    example: "stint explain P0302",
    detail: """
      Without an operand, lists all codes and their meanings. A class is the contract between devices of one
      sort and policies; stint plugin check compares a device with its class.
      """,
    options: [.flag("json", "print the result as one JSON object")],
    run: { arguments, console in
      guard let name = arguments.operands.first else {
        console.result(
          arguments.has("json") ? CodeExplanation.listJSONText : CodeExplanation.list(console.resultPaint))
        return .fine
      }
      if let word = WordExplanation(of: name) {
        console.result(arguments.has("json") ? word.jsonText : word.text(console.resultPaint))
        return .fine
      }
      if let deviceClass = ClassExplanation(of: name) {
        console.result(arguments.has("json") ? deviceClass.jsonText : deviceClass.text(console.resultPaint))
        return .fine
      }
      let page = try CodeExplanation.page(of: name)
      console.result(arguments.has("json") ? page.jsonText : page.text(console.resultPaint))
      return .fine
    })
}
