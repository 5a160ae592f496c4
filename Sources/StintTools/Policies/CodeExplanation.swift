public import StintFormats
public import StintLanguage
public import StintUnits

/// What `stint explain` says of codes.
public enum CodeExplanation {
  /// The page of the code with this name, in any case; an unknown name is misuse, with the nearest that there
  /// is.
  public static func page(of name: String) throws(Problem) -> DiagnosticPage {
    if let page = DiagnosticCode.named(name).flatMap(DiagnosticPage.page) { return page }
    let nearest =
      Suggestion.nearest(to: name.uppercased(), in: DiagnosticCode.all.map(\.name))
      ?? Suggestion.nearest(to: name, in: LanguageDefinition.words.map(\.name))
    throw Problem(
      .unknownName, place: name, cause: "no code and no word of the language has this name",
      remedy: nearest.map { "did you mean \($0)?" } ?? "stint explain lists all codes")
  }

  /// One line for each code, in the order of their names.
  public static func list(_ paint: Paint = .plain) -> String {
    codes.map { "\(paint.strong($0.name))  \($0.meaning)" }.joined(separator: "\n")
  }

  /// All codes as `stint explain --json` prints them, as one line of text.
  public static var listJSONText: String {
    ReportKind.codes.text(of: [
      "codes": JSONValue(
        codes.map { code -> JSONValue in
          ["code": JSONValue(code.name), "meaning": JSONValue(code.meaning)]
        })
    ])
  }

  private static var codes: [DiagnosticCode] { DiagnosticCode.all.sorted { $0.name < $1.name } }
}

extension DiagnosticPage {
  /// The page for people.
  public func text(_ paint: Paint = .plain) -> String {
    [
      paint.strong("\(code)  \(code.meaning)"), TextWrap.page.paragraph(summary), paint.bad("wrong"),
      Self.indented(wrong), paint.strong("why"), TextWrap.page.paragraph(why), paint.good("right"),
      Self.indented(right),
    ].joined(separator: "\n\n")
  }

  /// The page as `stint explain CODE --json` prints it.
  public var json: JSONValue {
    [
      "code": JSONValue(code.name), "meaning": JSONValue(code.meaning), "summary": JSONValue(summary),
      "wrong": JSONValue(wrong), "why": JSONValue(why), "right": JSONValue(right),
    ]
  }

  /// The same as one line of text.
  public var jsonText: String { ReportKind.explain.text(of: json) }

  /// The lines of an example with a margin, and what its marks stand for.
  static func indented(_ example: String) -> String {
    var lines = example.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let text = lines.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    guard example.contains("‹") else { return text }
    return text + "\n\n    (‹E9› stands for a byte, and ‹3 × ab› for ababab)"
  }
}
