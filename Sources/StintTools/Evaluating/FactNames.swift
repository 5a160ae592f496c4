import StintFormats
import StintLanguage
import StintModel
import StintUnits

/// Finds facts by their names and the names that policies give to devices, and reads their values.
struct FactNames {
  let vocabulary: Vocabulary
  /// Names that policies give to devices, and the devices.
  let aliases: [String: DeviceID]

  /// The fact of this name and the value that stands for it; null is unknown.
  func fact(_ name: String, _ value: JSONValue) throws(Problem) -> (number: Int, value: FactValue) {
    guard let number = number(of: name) else {
      let near = Suggestion.nearest(to: name, in: vocabulary.facts.map(\.path))
      throw Problem(
        .content, cause: "unknown fact “\(name)”",
        remedy: near.map { "did you mean \($0)?" } ?? "stint check FILE names the facts that a policy reads")
    }
    let schema = vocabulary.facts[number]
    guard let read = Self.value(value, schema) else {
      throw Problem(
        .content, cause: "“\(name)” is \(schema.type.name), and cannot be \(Self.text(of: value))",
        remedy: "give it in base units, or as a text with its unit")
    }
    if let rejectionReason = schema.rejectionReason(for: read) {
      throw Problem(.content, cause: rejectionReason, remedy: "mend the value")
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
    case (.integer, .quantity), (.number, .quantity): value.number.map(FactValue.number)
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
