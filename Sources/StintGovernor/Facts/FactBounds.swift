import StintModel

/// The part of a schema against which every published value is checked. It contains only numbers, so a copy
/// needs no reference counting.
struct FactBounds: Sendable {
  private enum Kind: Sendable {
    case boolean
    case quantity
    case symbol
  }

  private let kind: Kind
  private let low: Double
  private let high: Double
  private let words: Int

  init(_ schema: FactSchema) {
    low = schema.range?.lowerBound ?? -.greatestFiniteMagnitude
    high = schema.range?.upperBound ?? .greatestFiniteMagnitude
    switch schema.type {
    case .boolean:
      kind = .boolean
      words = 0
    case .quantity:
      kind = .quantity
      words = 0
    case .symbol(let list):
      kind = .symbol
      words = list.count
    }
  }

  /// Returns whether the value satisfies the schema. When it returns false, the schema gives the reason.
  @inline(__always)
  func admits(_ value: FactValue) -> Bool {
    switch (value, kind) {
    case (.unknown, _), (.boolean, .boolean): true
    case (.number(let number), .quantity): number >= low && number <= high
    case (.symbol(let index), .symbol): index >= 0 && index < words
    default: false
    }
  }
}
