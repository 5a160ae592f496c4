import StintModel
public import StintUnits

/// A function of conditions: its parameters, its result and the check of its calls.
public struct FunctionDefinition: Sendable {
  /// The kinds of argument that a parameter accepts.
  public enum Argument: String, Hashable, Sendable {
    case fact = "FACT"
    case device = "DEVICE"
    case zone = "ZONE"
    case service = "SERVICE"
    case client = "CLIENT"
    /// A device, or a setting of the grant on a device, as in `gps.accuracy`.
    case part = "PART"
    case number = "NUMBER"
    case time = "TIME"
    case length = "LENGTH"
  }

  /// The type of the result of a call.
  public enum Result: Hashable, Sendable {
    case boolean
    case quantity(Dimension)
    /// The type of the first argument.
    case asFirst
    /// For a device, a symbol. For a setting, the type of the setting.
    case asPart

    var sentence: String {
      switch self {
      case .boolean: "It is a condition."
      case .quantity(.none): "It is a plain number."
      case .quantity(let dimension): "It is \(dimension.phrase)."
      case .asFirst: "It has the dimension of the fact."
      case .asPart: "For a device it is a word; for a setting it has the type of the setting."
      }
    }
  }

  /// A call in the syntax tree.
  struct Call {
    var name: Name
    var arguments: [SyntaxExpression]
    var span: SourceSpan
  }

  typealias Check = @Sendable (inout PolicyChecker, Call) -> CheckedExpression?

  /// The name, form and meaning of the function.
  public let word: LanguageWord
  /// The kinds accepted for each argument. Arguments from the index `required` on are optional.
  public let arguments: [[Argument]]
  /// The number of arguments that a call must have.
  public let required: Int
  /// The type of the result of a call.
  public let result: Result
  /// True when only expectations of tests may call the function.
  public let isForTests: Bool
  /// Returns the checked expression of a call; reports the error and returns nil when the call is invalid.
  let check: Check

  /// The name of the function, as written in a policy.
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
