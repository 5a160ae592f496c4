import StintFormats
import StintLanguage
import StintModel
import StintUnits

/// Resolves fact names, including those that begin with a policy's device alias, and parses their values.
struct FactNames {
  let vocabulary: Vocabulary
  /// Devices by the aliases that policies give them.
  let aliases: [String: DeviceID]

  /// Returns the index of a fact and its parsed value; JSON null is unknown.
  ///
  /// - Throws: `Problem` when the name is unknown or the value does not fit the fact's schema.
  func fact(_ name: String, _ value: JSONValue) throws(Problem) -> (number: Int, value: FactValue) {
    guard let number = number(of: name) else {
      let near = Suggestion.nearest(to: name, in: vocabulary.facts.map(\.path))
      throw Problem(
        .content, cause: "unknown fact “\(name)”",
        remedy: near.map { "did you mean \($0)?" } ?? "stint check FILE lists the facts that a policy reads")
    }
    let schema = vocabulary.facts[number]
    guard let read = Self.value(value, schema) else {
      throw Problem(
        .content, cause: "“\(name)” is \(schema.type.name), found \(Self.text(of: value))",
        remedy: "write a value of this type; a quantity is a number in base units or a string with a unit")
    }
    if let rejectionReason = schema.rejectionReason(for: read) {
      throw Problem(.content, cause: rejectionReason, remedy: "correct the value")
    }
    return (number, read)
  }

  private func number(of name: String) -> Int? {
    if let number = vocabulary.fact(name) { return number }
    guard let dot = name.firstIndex(of: "."), let device = aliases[String(name[..<dot])] else { return nil }
    return vocabulary.fact(device.path + name[dot...])
  }

  private static func value(_ value: JSONValue, _ schema: FactSchema) -> FactValue? {
    switch (value.content, schema.type) {
    case (.null, _): .unknown
    case (.boolean(let truth), .boolean): .boolean(truth)
    case (.integer, .quantity), (.largeInteger, .quantity), (.number, .quantity):
      value.number.map(FactValue.number)
    case (.string(let text), _): schema.value(from: text)
    default: nil
    }
  }

  private static func text(of value: JSONValue) -> String {
    switch value.content {
    case .array, .object: value.kind
    default: JSONWriter.text(of: value)
    }
  }
}
