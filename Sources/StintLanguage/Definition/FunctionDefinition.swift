import StintModel
public import StintUnits

/// A function of conditions: its parameters, its result, and how a call of it is checked.
public struct FunctionDefinition: Sendable {
  /// What an argument is.
  public enum Argument: String, Hashable, Sendable {
    case fact = "FACT"
    case device = "DEVICE"
    case zone = "ZONE"
    case service = "SERVICE"
    case client = "CLIENT"
    /// A device, or a part of what is granted on it.
    case part = "PART"
    case number = "NUMBER"
    case time = "TIME"
    case length = "LENGTH"
  }

  /// What a call measures.
  public enum Result: Hashable, Sendable {
    case boolean
    case quantity(Dimension)
    /// What its first argument is.
    case asFirst
    /// What the part of a grant is.
    case asPart

    var sentence: String {
      switch self {
      case .boolean: "It is true, false or unknown."
      case .quantity(.none): "It is a plain number."
      case .quantity(let dimension): "It is \(dimension.phrase)."
      case .asFirst: "It measures what its first argument measures."
      case .asPart: "It is a word for a device, and otherwise what the setting measures."
      }
    }
  }

  /// A call as it is written.
  struct Call {
    var name: Name
    var arguments: [SyntaxExpression]
    var span: SourceSpan
  }

  typealias Check = @Sendable (inout PolicyChecker, Call) -> CheckedExpression?

  public let word: LanguageWord
  /// For each argument what it may be; those after `required` may be left out.
  public let arguments: [[Argument]]
  public let required: Int
  public let result: Result
  /// Whether only expectations of tests may call it.
  public let isForTests: Bool
  /// Makes the checked expression of a call, or reports what is wrong with it and returns nil.
  let check: Check

  public var name: String { word.name }

  init(
    _ name: String, _ arguments: [[Argument]], required: Int? = nil, _ result: Result,
    isForTests: Bool = false, rule: String? = nil, _ meaning: String, example: String,
    check: @escaping Check
  ) {
    var parts = arguments.map { $0.map(\.rawValue).joined(separator: " | ") }
    let required = required ?? arguments.count
    for place in parts.indices where place >= required { parts[place] = "[\(parts[place])]" }
    word = LanguageWord(
      kind: .function, name: name, form: "\(name)(\(parts.joined(separator: ", ")))",
      rule: rule ?? result.sentence, meaning: meaning,
      example: isForTests ? .test(example) : .condition(example))
    self.arguments = arguments
    self.required = required
    self.result = result
    self.isForTests = isForTests
    self.check = check
  }
}
