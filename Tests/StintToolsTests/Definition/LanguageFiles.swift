import StintLanguage
import StintUnits

/// The files that are generated, in whole or in part, from the definition of the language.
enum LanguageFiles {
  /// A file: its path from the root of the repository, and a function that computes its new text from its
  /// present text.
  struct File: Sendable, CustomStringConvertible {
    var path: String
    var made: @Sendable (_ present: String) -> String

    var description: String { path }
  }

  static let all: [File] = [
    File(path: "grammar/stint.ebnf", made: grammar),
    File(path: "grammar/stint.tmLanguage.json", made: textMate),
    File(path: "grammar/vim/syntax/stint.vim", made: vim),
    File(path: "grammar/REFERENCE.md", made: { _ in LanguageReference.text }),
  ]

  // MARK: EBNF

  private static func grammar(_ present: String) -> String {
    var text = present
    text = production("trigger", LanguageDefinition.triggers.map(\.word.form), text)
    text = production(
      "statement",
      LanguageDefinition.verbs.map { verb in
        verb.word.form + (verb.name == "defer" ? "     (* without until, an ending follows *)" : "")
      }, text)
    text = comparison(text)
    text = list(
      "FACT",
      ["a NAME that joins no expressions, so none of:"] + LanguageDefinition.joiningWords.map { $0 }, text,
      end: ".")
    text = list("UNIT", units { $0 != .time && $0 != .angle }, text)
    text = list("TIME", units { $0 == .time }, text)
    text = list("ANGLE", units { $0 == .angle }, text)
    return list("BEHIND", LanguageDefinition.wordsAfterNumbers.filter { $0 != "per" }, text)
  }

  private static func units(_ isWanted: (Dimension) -> Bool) -> [String] {
    MeasureUnit.all.filter { isWanted($0.dimension) }.map(\.symbol)
  }

  private static func production(_ name: String, _ choices: [String], _ text: String) -> String {
    let head = name.padding(to: 11) + "= "
    return replaced(text, from: "\n\(head)", to: " ;\n", by: choices.joined(separator: "\n           | "))
  }

  /// Replaces the production of comparisons. Operators with the same operands are in one group.
  private static func comparison(_ text: String) -> String {
    var groups: [(names: [String], tail: String)] = []
    for entry in LanguageDefinition.operators where entry.level == .comparison {
      if groups.last?.tail == entry.tail {
        groups[groups.count - 1].names.append(entry.name)
      } else {
        groups.append(([entry.name], entry.tail))
      }
    }
    let choices = groups.map { group in
      let names = group.names.map { "\"\($0)\"" }.joined(separator: " | ")
      return (group.names.count > 1 ? "( \(names) )" : names) + " " + group.tail
    }
    return replaced(
      text, from: "\ncomparison = sum [ ", to: " ] ;\n",
      by: choices.joined(separator: "\n                 | "))
  }

  /// Replaces the words after a name in capitals, up to the end of its paragraph or the next name.
  private static func list(_ name: String, _ words: [String], _ text: String, end: String = "") -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let head = "   " + name.padding(to: 9)
    guard let first = lines.firstIndex(where: { $0.hasPrefix(head) }) else { return text }
    let last = lines[(first + 1)...].firstIndex { !$0.hasPrefix("            ") } ?? lines.endIndex
    let made = wrapped(words.flatMap { $0.split(separator: " ").map(String.init) }, width: 98)
    lines.replaceSubrange(
      first..<last,
      with: made.enumerated().map { number, line in
        (number == 0 ? head : "            ") + line + (number == made.count - 1 ? end : "")
      })
    return lines.joined(separator: "\n")
  }

  // MARK: Editors

  private static func names(_ group: KeywordDefinition.Group) -> [String] {
    LanguageDefinition.keywords.filter { $0.group == group }.map(\.name).sorted()
  }

  private static func textMate(_ present: String) -> String {
    let scopes: [KeywordDefinition.Group: String] = [
      .declaration: "declaration", .control: "control", .directive: "other.directive",
      .operatorWord: "operator.word", .other: "other",
    ]
    var text = present
    for (group, scope) in scopes {
      text = replaced(
        text, from: "\"name\": \"keyword.\(scope).stint\",\n      \"match\": \"\\\\b(?:", to: ")\\\\b\"",
        by: names(group).joined(separator: "|"))
    }
    return text
  }

  private static func vim(_ present: String) -> String {
    let lines = present.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let made = KeywordDefinition.Group.allCases.flatMap { group in
      let head =
        "syntax keyword stint" + (group == .other ? "Keyword" : group.rawValue.capitalizedFirst) + " "
      return wrapped(names(group), width: 100 - head.count).map { head + $0 }
    }
    guard let first = lines.firstIndex(where: { $0.hasPrefix("syntax keyword ") }) else { return present }
    let rest = lines[first...].drop { $0.hasPrefix("syntax keyword ") }
    return (lines[..<first] + made + rest).joined(separator: "\n")
  }

  // MARK: Text

  private static func replaced(_ text: String, from start: String, to end: String, by new: String) -> String {
    guard let head = text.firstRange(of: start), let tail = text[head.upperBound...].firstRange(of: end)
    else {
      return text
    }
    return text[..<head.upperBound] + new + text[tail.lowerBound...]
  }

  private static func wrapped(_ words: [String], width: Int) -> [String] {
    var lines = [""]
    for word in words {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = word
      } else if last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
