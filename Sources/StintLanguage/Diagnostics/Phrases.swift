import StintModel
import StintUnits

extension Dimension {
  /// The name of the dimension with its article: "a length", "an energy", "a percentage".
  var phrase: String {
    switch name {
    case "percent": return "a percentage"
    case let name where "aeio".contains(name.first ?? " "): return "an \(name)"
    case let name: return "a \(name)"
    }
  }

  /// A quantity of this dimension for examples in messages.
  var example: String {
    let examples: [(Dimension, String)] = [
      (.ratio, "20 %"), (.length, "50 m"), (.time, "5 min"), (.data, "2 MB"), (.energy, "100 J"),
      (.items, "10 items"),
      (.rate, "1 Hz"), (.power, "50 mW"), (.speed, "3 m/s"), (.temperature, "20 C"), (.angle, "45 deg"),
      (.level, "-90 dBm"), (.illuminance, "100 lux"), (.acceleration, "2 m/s2"), (.throughput, "100 kB/s"),
    ]
    return examples.first { $0.0 == self }?.1 ?? "10"
  }
}

extension FactType {
  /// The type as a phrase: "true or false", "a length", "one of still, walking".
  var phrase: String {
    if case .quantity(let dimension) = self { dimension.phrase } else { name }
  }

  /// A value of this type for examples in messages.
  var example: String {
    switch self {
    case .boolean: "true"
    case .quantity(let dimension): dimension.example
    case .symbol(let words): words.first ?? "other"
    }
  }
}

extension CheckedExpression {
  /// Returns a label with the type of the expression.
  func label(_ span: SourceSpan) -> Diagnostic.Label { Diagnostic.Label(span: span, text: type.phrase) }
}
