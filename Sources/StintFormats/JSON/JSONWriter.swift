import StintUnits

/// Writes JSON. Keys keep their order. A number has the fewest digits from which a reader gets exactly the
/// same number.
///
/// Equal values give equal bytes on every machine.
public struct JSONWriter {
  /// The layout of the text.
  public enum Layout: Hashable, Sendable {
    /// One line without spaces, as in JSON Lines.
    case compact
    /// Two spaces for each level and one line for each element.
    case pretty
  }

  private let layout: Layout
  private var output = ""

  private init(_ layout: Layout) { self.layout = layout }

  /// Returns the JSON text of a value, without a line end.
  ///
  /// - Precondition: all numbers are finite.
  public static func text(of value: JSONValue, _ layout: Layout = .compact) -> String {
    var writer = JSONWriter(layout)
    writer.write(value, level: 0)
    return writer.output
  }

  private mutating func write(_ value: JSONValue, level: Int) {
    switch value.content {
    case .null: output += "null"
    case .boolean(let truth): output += truth ? "true" : "false"
    case .integer(let number): output += String(number)
    case .largeInteger(let number): output += String(number)
    case .number(let number):
      precondition(number.isFinite, "JSON numbers are finite")
      output += number.description
    case .string(let text): write(text)
    case .array(let items):
      write(items, between: "[", and: "]", level: level) { writer, item in
        writer.write(item, level: level + 1)
      }
    case .object(let members):
      write(members, between: "{", and: "}", level: level) { writer, member in
        writer.write(member.name)
        writer.output += writer.layout == .pretty ? ": " : ":"
        writer.write(member.value, level: level + 1)
      }
    }
  }

  private mutating func write<Item>(
    _ items: [Item], between opening: String, and closing: String, level: Int,
    _ each: (inout JSONWriter, Item) -> Void
  ) {
    output += opening
    for (index, item) in items.enumerated() {
      if index > 0 { output += "," }
      breakLine(level: level + 1)
      each(&self, item)
    }
    if !items.isEmpty { breakLine(level: level) }
    output += closing
  }

  private mutating func breakLine(level: Int) {
    guard layout == .pretty else { return }
    output += "\n"
    output += String(repeating: "  ", count: level)
  }

  private mutating func write(_ text: String) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      // All dangerous characters are below U+10000, so four digits are enough.
      case _ where VisibleText.isDangerous(scalar):
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}
