import StintModel

/// What a fact lets through, ready to be asked thousands of times a second; the schema itself says why not.
struct FactGate: Sendable {
  private enum Kind {
    case boolean, number, symbol
  }

  private let kind: Kind
  private let lower: Double
  private let upper: Double
  private let words: Int

  init(_ schema: FactSchema) {
    lower = schema.range?.lowerBound ?? -.greatestFiniteMagnitude
    upper = schema.range?.upperBound ?? .greatestFiniteMagnitude
    switch schema.type {
    case .boolean:
      kind = .boolean
      words = 0
    case .quantity:
      kind = .number
      words = 0
    case .symbol(let list):
      kind = .symbol
      words = list.count
    }
  }

  /// Whether the schema has no objection to the value.
  func admits(_ value: FactValue) -> Bool {
    switch value {
    case .unknown: true
    case .boolean: kind == .boolean
    case .number(let number): kind == .number && number >= lower && number <= upper
    case .symbol(let word): kind == .symbol && word >= 0 && word < words
    }
  }
}
