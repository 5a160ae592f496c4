import StintLanguage
package import StintTools

/// The commands of a program, in groups. Help pages, usage errors and the dispatch use this table.
package struct CommandTable: Sendable {
  /// A group of related commands, with its title in `help`.
  package struct Group: Sendable {
    var title: String
    var definitions: [CommandDefinition]

    package init(_ title: String, _ definitions: [CommandDefinition]) {
      self.title = title
      self.definitions = definitions
    }
  }

  /// The name of the program, as typed.
  let program: String
  /// A short description of the program, printed after its name.
  let purpose: String
  let groups: [Group]

  package init(program: String, purpose: String, groups: [Group]) {
    self.program = program
    self.purpose = purpose
    self.groups = groups.map { group in
      Group(
        group.title,
        group.definitions.map { definition in
          var definition = definition
          definition.program = program
          return definition
        })
    }
  }

  /// Makes a table of `stint` with one group.
  package init(definitions: [CommandDefinition]) {
    self.init(program: "stint", purpose: "", groups: [Group("Commands", definitions)])
  }

  /// All commands, in the order of help.
  package var definitions: [CommandDefinition] { groups.flatMap(\.definitions) }

  /// Returns the command whose name is at the start of `words`, and the number of words in that name.
  ///
  /// - Returns: nil for an unknown command.
  package func definition(for words: [String]) -> (definition: CommandDefinition, length: Int)? {
    for length in [2, 1] where words.count >= length {
      let name = words[..<length].joined(separator: " ")
      if let definition = definitions.first(where: { $0.name == name }) { return (definition, length) }
    }
    return nil
  }

  /// Returns the commands whose first word is `word` and whose names have a second word.
  private func subcommands(of word: String) -> [CommandDefinition] {
    definitions.filter { $0.name.hasPrefix(word + " ") }
  }

  /// Returns the error for words that do not begin with a command.
  ///
  /// - Precondition: there is at least one word.
  package func unknown(_ words: [String]) -> UsageError {
    let word = words[0]
    let longer = subcommands(of: word).map(\.name)
    if !longer.isEmpty {
      let names = longer.map { "\(program) \($0)" }.joined(separator: ", ")
      guard words.count > 1 else {
        return UsageError("“\(word)” is an incomplete command", hint: "write one of: \(names)")
      }
      let name = "\(word) \(words[1])"
      let near = Suggestion.nearest(to: name, in: longer).map { "did you mean \(program) \($0)?" }
      return UsageError("there is no command “\(name)”", hint: near ?? "write one of: \(names)")
    }
    let hint = Suggestion.nearest(to: word, in: definitions.map(\.name) + ["help"]).map {
      "did you mean \(program) \($0)?"
    }
    return UsageError("there is no command “\(word)”", hint: hint ?? "\(program) help lists the commands")
  }

  /// Returns the page of `help`: each command with its one-line description, within 80 columns.
  package func overview(_ paint: Paint) -> String {
    var lines = ["\(program) \(Version.package) \(purpose)"]
    let width = definitions.map(\.name.count).max() ?? 0
    for group in groups {
      lines += ["", paint.strong(group.title)]
      lines += group.definitions.map { definition in
        "  " + TextTable.pad(definition.name, to: width + 2) + definition.meaning
      }
    }
    let about = [("help COMMAND", "describe one command"), ("--version", "print the versions")]
    lines += ["", paint.strong("Everywhere")]
    lines += about.map { name, meaning in "  " + TextTable.pad(name, to: width + 2) + meaning }
    lines += [
      "", "Exit codes: 0 success; 1 problems found, also in the content of an input;",
      "2 usage error, input that cannot be read, or output that was not written;", "3 no daemon answers.",
    ]
    return lines.joined(separator: "\n")
  }

  /// Returns the page about the commands that share a first word, such as `plugin`. Nil when no command has
  /// this first word and a second one.
  package func page(ofGroup word: String, _ paint: Paint) -> String? {
    let definitions = subcommands(of: word)
    guard !definitions.isEmpty else { return nil }
    let width = definitions.map(\.name.count).max() ?? 0
    var lines = [paint.strong("\(program) \(word) COMMAND"), "", paint.strong("Commands")]
    lines += definitions.map { "  " + TextTable.pad($0.name, to: width + 2) + $0.meaning }
    lines += ["", "\(program) help \(word) COMMAND describes one of them."]
    return lines.joined(separator: "\n")
  }

  /// Returns the help page of one command, within 80 columns.
  package func page(of definition: CommandDefinition, _ paint: Paint) -> String {
    var lines = [paint.strong(definition.usage), "", definition.meaning + "."]
    if !definition.detail.isEmpty { lines += ["", TextWrap.page.paragraphs(definition.detail)] }
    if !definition.example.isEmpty { lines += ["", paint.strong("Example"), "  " + definition.example] }
    let width = definition.options.map(\.spelling.count).max() ?? 0
    if !definition.options.isEmpty {
      lines += ["", paint.strong("Options")]
      lines += definition.options.map { option in
        let head = "  " + TextTable.pad(option.spelling, to: width + 2)
        return TextWrap.page.paragraph(option.note, first: head, indent: head.count)
      }
    }
    return lines.joined(separator: "\n")
  }
}
