import StintLanguage
import StintTools

/// Every command that there is. Help, errors and the way to the code all come from this table.
struct CommandTable: Sendable {
  var forms: [CommandForm]

  /// The form that the words begin with, and how many words its name has.
  func form(for words: [String]) -> (form: CommandForm, length: Int)? {
    for length in [2, 1] where words.count >= length {
      let name = words[..<length].joined(separator: " ")
      if let form = forms.first(where: { $0.name == name }) { return (form, length) }
    }
    return nil
  }

  /// The error for words that no command begins with.
  func unknown(_ word: String) -> UsageError {
    let longer = forms.map(\.name).filter { $0.hasPrefix(word + " ") }
    if !longer.isEmpty {
      let names = longer.map { "stint \($0)" }.joined(separator: ", ")
      return UsageError("“\(word)” is half of a command", hint: "there are: \(names)")
    }
    let hint = Suggestion.nearest(to: word, in: forms.map(\.name) + ["help"]).map {
      "did you mean stint \($0)?"
    }
    return UsageError("there is no command “\(word)”", hint: hint ?? "stint help lists the commands")
  }

  /// The page of `stint help`.
  func overview(_ paint: Paint) -> String {
    var lines = [
      "stint \(Version.package) decides when sensors and radios work, and says why.", "",
      paint.strong("Commands"),
    ]
    let width = forms.map { Self.left($0).count }.max() ?? 0
    lines += forms.map { form in
      "  " + TextTable.pad(Self.left(form), to: width + 2) + form.meaning
    }
    lines += [
      "", paint.strong("Everywhere"), "  stint help COMMAND, COMMAND --help   about one command",
      "  stint --version                      the versions of the package and of the policy language", "",
      "Exit codes: 0 fine, 1 findings, 2 wrong use, 3 daemon not reachable.",
    ]
    return lines.joined(separator: "\n")
  }

  /// The page of one command.
  func page(of form: CommandForm, _ paint: Paint) -> String {
    var lines = [paint.strong(form.usage), "", form.meaning + "."]
    if !form.detail.isEmpty { lines += ["", form.detail] }
    let width = form.options.map(\.spelling.count).max() ?? 0
    if !form.options.isEmpty {
      lines += ["", paint.strong("Options")]
      lines += form.options.map { "  " + TextTable.pad($0.spelling, to: width + 2) + $0.meaning }
    }
    return lines.joined(separator: "\n")
  }

  private static func left(_ form: CommandForm) -> String {
    form.operands.isEmpty ? form.name : "\(form.name) \(form.operands)"
  }
}
