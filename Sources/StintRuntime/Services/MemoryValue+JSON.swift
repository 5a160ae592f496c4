import StintFormats
import StintServices

/// The state of services as JSON. Values of the case `number` are wrapped in an object, so that 1.0 is not
/// read back as an integer.
extension MemoryValue {
  var json: JSONValue {
    switch self {
    case .truth(let truth): JSONValue(.boolean(truth))
    case .integer(let number): JSONValue(.integer(number))
    case .number(let number):
      JSONValue(.object([JSONMember("number", JSONValue(.string(String(number))))]))
    case .text(let text): JSONValue(.string(text))
    case .list(let items): JSONValue(.array(items.map(\.json)))
    case .record(let parts):
      JSONValue(
        .object([
          JSONMember(
            "record",
            JSONValue(
              .object(
                parts.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value.json) })))
        ]))
    }
  }

  /// Decodes the result of `json`. Nil for other values.
  init?(_ json: JSONValue) {
    switch json.content {
    case .boolean(let truth): self = .truth(truth)
    case .integer(let number): self = .integer(number)
    case .string(let text): self = .text(text)
    case .array(let items):
      var values: [MemoryValue] = []
      for item in items {
        guard let value = MemoryValue(item) else { return nil }
        values.append(value)
      }
      self = .list(values)
    case .object:
      if let text = json["number"]?.string, let number = Double(text) {
        self = .number(number)
      } else if let members = json["record"]?.members {
        var parts: [String: MemoryValue] = [:]
        for member in members {
          guard let value = MemoryValue(member.value) else { return nil }
          parts[member.name] = value
        }
        self = .record(parts)
      } else {
        return nil
      }
    case .null, .number, .largeInteger: return nil
    }
  }
}
