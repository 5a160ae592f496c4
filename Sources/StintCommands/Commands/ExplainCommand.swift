import StintTools

/// `stint explain`.
enum ExplainCommand {
  static let definition = CommandDefinition(
    name: "explain", operands: "[CODE | WORD]", operandCount: 0...1,
    meaning: "explain a diagnostic code such as P0302, or a keyword",
    example: "stint explain P0302",
    detail: "Without an operand, lists all codes and their meanings.",
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
      let page = try CodeExplanation.page(of: name)
      console.result(arguments.has("json") ? page.jsonText : page.text(console.resultPaint))
      return .fine
    })
}
