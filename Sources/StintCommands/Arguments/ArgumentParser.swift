import StintLanguage

/// Parses the words after a command's name according to its `CommandDefinition`.
enum ArgumentParser {
  /// The result of parsing.
  enum Request: Hashable, Sendable {
    case run(Arguments)
    /// The words contain `-h` or `--help`.
    case help
  }

  /// Parses all words. After `--` every word is an operand; a single `-` is an operand too.
  static func parse(_ words: [String], as definition: CommandDefinition) throws(UsageError) -> Request {
    var arguments = Arguments()
    arguments.command = definition.name
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        arguments.operands += rest
        break
      }
      if word == "-h" || word == "--help" { return .help }
      guard word.hasPrefix("-"), word != "-" else {
        arguments.operands.append(word)
        continue
      }
      try parseOption(word, from: &rest, into: &arguments, as: definition)
    }
    try checkCount(of: arguments.operands, as: definition)
    try checkOptions(of: arguments, as: definition)
    return .run(arguments)
  }

  private static func parseOption(
    _ word: String, from rest: inout ArraySlice<String>, into arguments: inout Arguments,
    as definition: CommandDefinition
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = definition.options.first(where: { $0.words.contains(parts[0]) }) else {
      throw unknown(parts[0], as: definition)
    }
    guard !arguments.flags.contains(option.name), arguments.values[option.name] == nil else {
      throw UsageError("--\(option.name) is given twice", hint: "leave one of them out")
    }
    guard let placeholder = option.value else {
      guard parts.count == 1 else {
        throw UsageError("--\(option.name) takes no value", hint: "write --\(option.name) without “=”")
      }
      arguments.flags.insert(option.name)
      return
    }
    let value: String
    if parts.count == 2 {
      value = parts[1]
    } else if let next = rest.first, !next.hasPrefix("--") {
      value = next
      rest = rest.dropFirst()
    } else {
      throw UsageError("--\(option.name) needs a value", hint: "write --\(option.name) \(placeholder)")
    }
    // An empty value is usually a shell variable that is not set.
    guard !value.isEmpty else {
      throw UsageError("--\(option.name) has an empty value", hint: "write --\(option.name) \(placeholder)")
    }
    if option.isRepeatable {
      arguments.lists[option.name, default: []].append(value)
    } else {
      arguments.values[option.name] = value
    }
  }

  private static func unknown(_ word: String, as definition: CommandDefinition) -> UsageError {
    let known = definition.options.flatMap(\.words) + ["--help"]
    let hint =
      Suggestion.nearest(to: word, in: known).map { "did you mean \($0)?" }
      ?? "\(definition.program) help \(definition.name) lists its options"
    return UsageError("\(definition.program) \(definition.name) has no option \(word)", hint: hint)
  }

  /// Checks every rule that the definition states about its options. The check precedes the run of the
  /// command, so such an error never appears after a part of the work.
  private static func checkOptions(
    of arguments: Arguments, as definition: CommandDefinition
  ) throws(UsageError) {
    for option in definition.options {
      let isGiven = arguments.isGiven(option.name)
      if let hint = option.requirement, !isGiven {
        throw UsageError("\(definition.name) needs \(option.words.last ?? option.name)", hint: hint)
      }
      if let other = option.prerequisite, isGiven, !arguments.isGiven(other.name) {
        throw UsageError("--\(option.name) needs --\(other.name)", hint: other.hint)
      }
      if option.integers != nil { _ = try arguments.integer(option, as: UInt64.self) }
    }
  }

  private static func checkCount(of operands: [String], as definition: CommandDefinition) throws(UsageError) {
    if operands.count < definition.operandCount.lowerBound {
      throw UsageError(
        "\(definition.program) \(definition.name) needs \(definition.operands)",
        hint: "write \(definition.usage)")
    }
    let most = definition.operandCount.upperBound
    if operands.count > most {
      throw UsageError(
        "\(definition.program) \(definition.name) has too many operands: “\(operands[most])” is not expected",
        hint: "write \(definition.usage)")
    }
  }
}
