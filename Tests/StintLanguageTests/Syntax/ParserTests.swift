import StintLanguage
import StintModel
import StintUnits
import Testing

@Suite("Parser")
struct ParserTests {
  private func read(_ text: String) -> (file: PolicyFile, codes: [String]) {
    let parsed = Parser.parse(SourceText(file: "p", text: "policy \"p\"\n" + text), units: .standard)
    return (parsed.file, parsed.diagnostics.map(\.code.name))
  }

  /// Returns the expression of `let a = …` as text, with parentheses around every operation.
  private func shape(_ text: String) -> String {
    guard case .let(let item) = read("let a = " + text).file.items.first else { return "nothing" }
    return shape(item.value)
  }

  private func shape(_ expression: SyntaxExpression) -> String {
    switch expression.kind {
    case .path(let name): return name.text
    case .number(let literal): return Quantity.number(literal.value)
    case .quantity(let literal): return literal.quantity.map(\.description) ?? "?"
    case .parenthesised(let inner): return shape(inner)
    case .not(let operand): return "(not \(shape(operand)))"
    case .negate(let operand): return "(-\(shape(operand)))"
    case .and(let operands): return "(" + operands.map(shape).joined(separator: " and ") + ")"
    case .or(let operands): return "(" + operands.map(shape).joined(separator: " or ") + ")"
    case .implies(let left, let right): return "(\(shape(left)) implies \(shape(right)))"
    case .compare(let comparison, let left, let right):
      return "(\(shape(left)) \(comparison.rawValue) \(shape(right)))"
    case .arithmetic(let operation, let left, let right):
      return "(\(shape(left)) \(operation.rawValue) \(shape(right)))"
    case .worded(let name, let operands):
      let release = operands.count > 2 ? " release " + shape(operands[2]) : ""
      return "(\(shape(operands[0])) \(name) \(shape(operands[1]))\(release))"
    case .isWord(let operand, let word): return "(\(shape(operand)) is \(word.text))"
    case .inList(let operand, let words):
      return "(\(shape(operand)) in [\(words.map(\.text).joined(separator: " "))])"
    case .inName(let operand, let name): return "(\(shape(operand)) in \(name.text))"
    case .heldFor(let operand, let span, let tolerate):
      let gap = tolerate.map { " tolerate \($0.quantity?.description ?? "?")" } ?? ""
      return "(\(shape(operand)) for \(span.quantity?.description ?? "?")\(gap))"
    case .inLast(let operand, let span):
      return "(\(shape(operand)) in last \(span.quantity?.description ?? "?"))"
    case .call(let name, let arguments):
      return "\(name.text)(\(arguments.map(shape).joined(separator: ", ")))"
    case .string, .missing: return "?"
    }
  }

  @Test(
    "operators bind in the order of their precedence",
    arguments: [
      ("a or b and c", "(a or (b and c))"),
      ("not a and b", "((not a) and b)"),
      ("not a for 4 min", "((not a) for 4 min)"),
      ("a and b for 4 min", "(a and (b for 4 min))"),
      ("(a and b) for 4 min tolerate 30 s", "((a and b) for 4 min tolerate 30 s)"),
      ("a in last 10 min or b", "((a in last 10 min) or b)"),
      ("a implies b implies c", "(a implies (b implies c))"),
      ("a or b implies c", "((a or b) implies c)"),
      ("x + 2 * y - 3 > -z", "(((x + (2 * y)) - 3) > (-z))"),
      ("x / 2 / y <= 1 h 30 min", "(((x / 2) / y) <= 1 h 30 min)"),
      ("x below 20 % release 25 % for 1 s", "((x below 20 % release 25 %) for 1 s)"),
      (
        "m in [walking, running] and not time in night",
        "((m in [walking running]) and (not (time in night)))"
      ),
      ("trend(gps.accuracy, 90 s) > -5 m", "(trend(gps.accuracy, 1 min 30 s) > (-5 m))"),
      ("not not a", "(not (not a))"),
      ("s is not still", "(not (s is still))"),
      ("a and s is not still for 1 s", "(a and ((not (s is still)) for 1 s))"),
      ("not s is not still", "(not (not (s is still)))"),
      ("s is not not still", "?"),
      ("s is not", "?"),
      ("s is still != b", "?"),
    ])
  func binding(text: String, expected: String) {
    guard expected != "?" else {
      #expect(!read("let a = " + text).codes.isEmpty)
      return
    }
    #expect(shape(text) == expected)
    #expect(read("let a = " + text).codes.isEmpty)
  }

  @Test("each trigger, directive and act is parsed", arguments: Self.rules)
  func rule(text: String) {
    let (file, codes) = read(text)
    #expect(codes.isEmpty)
    guard case .rule(let rule) = file.items.first else {
      Issue.record("no rule in \(text)")
      return
    }
    #expect(rule.body.count == 1)
  }

  private static let rules =
    [
      "always", "while a", "when a", "when a at most 1 per 5 min", "every 5 min", "every 5 min flex 30 s",
      "every 1 h if a and b",
    ].map { "rule r \"why\" over x, other-policy/pack \($0) { pause gps }" }
    + [
      "start gps", "start gps for \"coach\" with { accuracy 10 m  activity fitness }", "stop gps",
      "stop [gps, accel] except \"sos\", \"map\"", "pause all", "downgrade gps to 100 m",
      "downgrade gps to 1 per 30 s", "downgrade gps to hold",
      "batch gps until 2 km or 5 min or 30 items or 2 MB",
      "defer net until a and b deadline 18 h", "watch region on gps", "stop gps for 5 min",
      "stop gps for 5 min doubling to 1 h", "stop gps for 5 min doubling to 1 h at most 8 times",
      "start gps for \"coach\" for 5 min", "fix gps to 25 m timeout 20 s", "flush gps", "emit \"dawn\"",
      "tell \"app\" \"text\"", "launch \"app\"",
    ].map { "rule r when a { \($0) }" }

  @Test(
    "the parser reports the errors of an item and still parses the items after it",
    arguments: [
      ("let a =\nlet b = c", 2, ["P0102"]),
      ("use location.gnss as\nlet b = c", 2, ["P0102"]),
      ("rule r while a and\nlet b = c", 2, ["P0102"]),
      ("rule r while { pause gps }\nlet b = c", 2, ["P0102"]),
      ("rule r always { stop [] downgrade gps 5 m }\nlet b = c", 2, ["P0102", "P0102"]),
      ("rule r always { pause gps\nlet b = c", 2, ["P0105"]),
      ("param p = 5 m in 1 m\nlet b = c", 2, ["P0102"]),
      ("zone z = circle 1 2 radius 5 m enter_after 3 s\nlet b = c", 2, []),
      ("zone z = square 4\nlet b = c", 2, ["P0102"]),
      ("zone z = circle 1 m 2 radius 5 m\nlet b = c", 2, ["P0102"]),
      ("zone z = circle 1 2 radius 5\nlet b = c", 2, ["P0303"]),
      ("machine m { state a { } }\nlet b = c", 2, ["P0102"]),
      (
        "machine m starts a { state a { goto when x pause gps jump } state b }\nlet b = c", 2,
        ["P0102", "P0102", "P0102"]
      ),
      ("machine m starts a { state a { pause gps\nlet b = c", 2, ["P0105"]),
      ("budget b = 5 per day on gps { at 80 % { pause gps } }\nlet b = c", 2, ["P0303"]),
      ("budget b = 5 J per day on gps { 80 % { pause gps } }\nlet b = c", 2, ["P0102"]),
      ("test \"t\" { at 5 s jump\nexpect a\nat 6 s reload }\nlet b = c", 2, ["P0102"]),
      ("test \"t\" { given a 3\nexpect a by\n}\nlet b = c", 2, ["P0102", "P0102"]),
      ("machine m starts a {\n state a { rule x always { pause gps } }\n}\nlet b = c", 2, []),
      (
        "budget b = 5 J per day on gps {\n at 80 % { pause gps }\n}\nrequire a\nlet b = c", 3,
        []
      ),
      ("test \"t\" {\n at 0 s attach \"x\"\n expect a at 5 s\n}\nlet b = c", 2, []),
    ] as [(String, Int, [String])])
  func recovery(text: String, items: Int, codes: [String]) {
    let read = read(text)
    #expect(read.codes == codes)
    #expect(read.file.items.count == items)
    guard case .let(let last) = read.file.items.last else {
      Issue.record("the last item was lost")
      return
    }
    #expect(last.name.text == "b")
  }

  @Test(
    "a quantity is parsed into its value in base units and its dimension",
    arguments: [
      ("5 min", 300, Dimension.time), ("5min", 300, .time), ("1 h 30 min", 5400, .time), ("20%", 0.2, .ratio),
      ("80 km/h", 80 / 3.6, .speed), ("9.5 m/s2", 9.5, .acceleration), ("2 MB", 2e6, .data),
      ("2 per h", 2 / 3600, .rate),
      ("1 per 30 s", 1 / 30, .rate), ("10 Hz", 10, .rate),
    ] as [(String, Double, Dimension)])
  func quantity(text: String, value: Double, dimension: Dimension) {
    guard case .let(let item) = read("let a = " + text).file.items.first,
      case .quantity(let literal) = item.value.kind
    else {
      Issue.record("no quantity in \(text)")
      return
    }
    #expect(literal.quantity?.dimension == dimension)
    #expect(abs((literal.quantity?.value ?? 0) - value) < 1e-9)
  }
}
