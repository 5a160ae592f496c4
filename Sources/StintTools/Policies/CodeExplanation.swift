public import StintAuthoring
import StintDaemon
public import StintFormats
import StintLanguage
import StintModel
public import StintUnits

/// The explanations that `stint explain` prints for diagnostic codes.
public enum CodeExplanation {
  /// Returns the page of a code. The name may be in upper or lower case.
  ///
  /// - Throws: `Problem` for an unknown name, with the nearest known name.
  public static func page(of name: String) throws(Problem) -> DiagnosticPage {
    if let page = DiagnosticCode.named(name).flatMap(DiagnosticPage.page) { return page }
    let nearest =
      Suggestion.nearest(to: name.uppercased(), in: DiagnosticCode.all.map(\.name))
      ?? Suggestion.nearest(
        to: name, in: LanguageDefinition.words.map(\.name) + DeviceClassReader.all.map(\.name))
    throw Problem(
      .unknownName, place: name, cause: "this is no diagnostic code, no keyword and no class of devices",
      remedy: nearest.map { "did you mean \($0)?" } ?? "stint explain lists all codes")
  }

  /// Returns one line for each code, sorted by name.
  public static func list(_ paint: Paint = .plain) -> String {
    codes.map { "\(paint.strong($0.name))  \($0.meaning)" }.joined(separator: "\n")
  }

  /// All codes as `stint explain --json` prints them, as one line of JSON.
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
  /// Returns the page as text for people.
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

  /// The page as one line of JSON.
  public var jsonText: String { ReportKind.explain.text(of: json) }

  /// Returns the lines of an example indented. A legend follows when the example contains marks such as ‹E9›.
  static func indented(_ example: String) -> String {
    var lines = example.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let text = lines.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    guard example.contains("‹") else { return text }
    return text + "\n\n    (‹E9› means a byte, and ‹3 × ab› means ababab)"
  }
}
