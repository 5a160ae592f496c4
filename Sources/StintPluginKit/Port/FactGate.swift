import StintModel

/// A fast check of a fact's values. The slower `FactSchema.rejectionReason(for:)` returns the reason for a
/// rejection.
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

  /// True when the schema accepts the value.
  func admits(_ value: FactValue) -> Bool {
    switch value {
    case .unknown: true
    case .boolean: kind == .boolean
    case .number(let number): kind == .number && number >= lower && number <= upper
    case .symbol(let word): kind == .symbol && word >= 0 && word < words
    }
  }
}
