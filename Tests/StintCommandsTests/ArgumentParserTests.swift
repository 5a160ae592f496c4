import StintTools
import Testing

@testable import StintCommands

@Suite("Arguments")
struct ArgumentParserTests {
  static let definition = CommandDefinition(
    name: "sim", operands: "FILE...", operandCount: 1...3, meaning: "simulate",
    options: [
      .value("seed", "N", "the seed"), .value("speed", "N", "how fast"), .flag("json", "as JSON"),
    ],
    run: { _, _ in .fine })

  private static func parsed(_ words: [String]) throws -> Arguments {
    guard case .run(let arguments) = try ArgumentParser.parse(words, as: definition) else {
      throw UsageError("help", hint: "")
    }
    return arguments
  }

  @Test(
    "an option's value is the next word or follows an equals sign; -- ends the options; - is an operand",
    arguments: [
      (["a", "--seed", "7", "--json"], ["a"], "7", true),
      (["--seed=7", "a"], ["a"], "7", false),
      (["--seed=a=b", "a"], ["a"], "a=b", false),
      (["--seed", "-3", "a"], ["a"], "-3", false),
      (["-", "--", "--json", "-x"], ["-", "--json", "-x"], nil, false),
    ] as [([String], [String], String?, Bool)])
  func shapes(words: [String], operands: [String], seed: String?, json: Bool) throws {
    let arguments = try Self.parsed(words)
    #expect(arguments.operands == operands)
    #expect(arguments.text("seed") == seed)
    #expect(arguments.has("json") == json)
  }

  @Test(
    "an invalid command line is rejected with a hint",
    arguments: [
      (["a", "--sed", "1"], "stint sim has no option --sed", "did you mean --seed?"),
      (["a", "--frequency=1"], "stint sim has no option --frequency", "stint help sim lists its options"),
      (["a", "-j"], "stint sim has no option -j", "stint help sim lists its options"),
      (["a", "--seed"], "--seed needs a value", "write --seed N"),
      (["a", "--seed", "--json"], "--seed needs a value", "write --seed N"),
      (["a", "--json=yes"], "--json takes no value", "write --json without “=”"),
      (["a", "--json", "--json"], "--json is given twice", "leave one of them out"),
      ([], "stint sim needs FILE...", "write stint sim FILE... [options]"),
      (
        ["a", "b", "c", "d"], "stint sim has too many operands: “d” is not expected",
        "write stint sim FILE... [options]"
      ),
    ] as [([String], String, String)])
  func misuse(words: [String], sentence: String, hint: String) {
    #expect(throws: UsageError(sentence, hint: hint)) { try Self.parsed(words) }
  }

  @Test(
    "-h and --help are accepted at any position before --",
    arguments: [["-h"], ["a", "--help"], ["--json", "-h", "--nonsense"]])
  func help(words: [String]) throws {
    #expect(try ArgumentParser.parse(words, as: Self.definition) == .help)
  }

  @Test("an empty value is refused, even after an equals sign", arguments: [["--seed", ""], ["--seed="]])
  func empty(words: [String]) {
    #expect(throws: UsageError.self) { try Self.parsed(["a"] + words) }
  }

  @Test("a repeatable option collects its values in their order")
  func repeatable() throws {
    let definition = CommandDefinition(
      name: "test", operands: "FILE...", operandCount: 1...9, meaning: "test",
      options: [.values("with", "KEY=VALUE", "a setting")], run: { _, _ in .fine })
    let words = ["a", "--with", "x=1", "--with=y=2"]
    guard case .run(let arguments) = try ArgumentParser.parse(words, as: definition) else {
      throw UsageError("", hint: "")
    }
    #expect(arguments.list("with") == ["x=1", "y=2"])
    #expect(arguments.list("other").isEmpty)
  }

  @Test(
    "a number that is not an integer, or is outside its range, is refused",
    arguments: ["x", "0", "65", "1.5", "99999999999999999999"])
  func numbers(text: String) throws {
    let arguments = try Self.parsed(["a", "--seed", text])
    #expect(throws: UsageError.self) { try arguments.number("seed", in: 1...64, otherwise: 1) }
    #expect(try Self.parsed(["a", "--seed=64"]).number("seed", in: 1...64, otherwise: 1) == 64)
    #expect(try Self.parsed(["a"]).number("seed", in: 1...64, otherwise: 1) == 1)
  }

  @Test(
    "a factor that is not a finite number above zero is refused",
    arguments: ["0", "-1", "nan", "inf", "fast"])
  func factors(text: String) throws {
    let arguments = try Self.parsed(["a", "--speed=\(text)"])
    #expect(throws: UsageError.self) { try arguments.factor("speed", otherwise: 1) }
    #expect(try Self.parsed(["a", "--speed=0.5"]).factor("speed", otherwise: 1) == 0.5)
  }
}
