import StintLanguage
import StintUnits

extension TreeNode {
  static func name(_ name: Name) -> TreeNode { name.text.isEmpty ? .missing : .word(name.text) }

  static func text(_ literal: StringLiteral) -> TreeNode { .text(literal.text) }

  /// The node for a part that is missing from the source because of a syntax error.
  static let missing = TreeNode.word("missing")

  static func number(_ value: Double) -> TreeNode {
    // Integers are written without “.0”, unless the value exceeds the exact range of a 64-bit float.
    guard let whole = Int64(exactly: value), whole.magnitude < 1 << 53 else { return .word("\(value)") }
    return .word("\(whole)")
  }

  static func number(_ literal: NumberLiteral) -> TreeNode { number(literal.value) }

  /// Returns the dimension and the value in base units: `(time 300)`.
  static func quantity(_ literal: QuantityLiteral) -> TreeNode {
    if let name = literal.name { return .name(name) }
    if let rate = literal.namedRate { return .list("per", [number(rate.count), .name(rate.time)]) }
    guard let quantity = literal.quantity else { return missing }
    return .list(word(for: quantity.dimension), [number(quantity.value)])
  }

  static func clock(_ literal: ClockLiteral) -> TreeNode {
    guard let time = literal.time else { return missing }
    let minutes = time.nanoseconds / TimeSpan.minutes(1).nanoseconds
    let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return .word(digits.joined(separator: ":"))
  }

  static func value(_ value: SyntaxValue) -> TreeNode {
    switch value {
    case .quantity(let literal): quantity(literal)
    case .name(let name): .name(name)
    case .string(let literal): text(literal)
    case .number(let literal): number(literal)
    }
  }

  /// Returns each setting under its name: `(accuracy (length 10))`.
  static func settings(_ entries: [SettingEntry]) -> [TreeNode] {
    entries.map { .list($0.name.text, [value($0.value)]) }
  }

  /// Returns one list with this head and part; no list when the part is nil.
  static func optional(_ head: String, _ part: TreeNode?) -> [TreeNode] {
    part.map { [.list(head, [$0])] } ?? []
  }

  private static func word(for dimension: Dimension) -> String {
    let words: [(Dimension, String)] = [
      (.ratio, "ratio"), (.length, "length"), (.time, "time"), (.data, "data"), (.energy, "energy"),
      (.items, "items"), (.angle, "angle"), (.temperature, "temperature"), (.current, "current"),
      (.field, "field"), (.illuminance, "illuminance"), (.level, "level"), (.rate, "rate"),
      (.power, "power"), (.speed, "speed"), (.throughput, "throughput"), (.acceleration, "acceleration"),
      (.charge, "charge"), (.turning, "turning"), (.mass, "mass"), (.potential, "voltage"),
      (.pressure, "pressure"), (.concentration, "concentration"),
    ]
    return words.first { $0.0 == dimension }?.1 ?? "number"
  }
}
