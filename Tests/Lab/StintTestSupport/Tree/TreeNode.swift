/// A node of a syntax tree as an S-expression, the format of the grammar corpus for other parsers.
public indirect enum TreeNode: Hashable, Sendable, CustomStringConvertible {
  /// A name, an operator or a number.
  case word(String)
  /// A string, written in quotes.
  case text(String)
  /// The head and the parts of a list.
  case list(String, [TreeNode])

  /// The node on one line. A node of more than 100 columns, and every `policy`, has each of its lists on a
  /// separate line.
  public var description: String { layout(indent: 0) }

  private static let width = 100

  private var line: String {
    var line = ""
    var left = Int.max
    _ = write(to: &line, &left)
    return line
  }

  /// Returns the node as one line; nil when the line is longer than `columns`. The function stops early for a
  /// longer line.
  private func line(within columns: Int) -> String? {
    var line = ""
    // `left` counts the characters of each piece separately. The whole line may have fewer characters,
    // because a combining mark merges with the character before it. The limit therefore exceeds the width of
    // a line.
    var left = 4 * Self.width
    guard write(to: &line, &left), line.count <= columns else { return nil }
    return line
  }

  /// Appends the node to a line. Returns false when no characters are left.
  private func write(to line: inout String, _ left: inout Int) -> Bool {
    func add(_ piece: String, _ line: inout String, _ left: inout Int) -> Bool {
      line += piece
      left -= piece.count
      return left >= 0
    }
    switch self {
    case .word(let word): return add(word, &line, &left)
    case .text(let text): return add(Self.quoted(text), &line, &left)
    case .list(let head, let parts):
      guard add("(" + head, &line, &left) else { return false }
      for part in parts {
        guard add(" ", &line, &left), part.write(to: &line, &left) else { return false }
      }
      return add(")", &line, &left)
    }
  }

  private func layout(indent: Int) -> String {
    guard case .list(let head, let parts) = self else { return line }
    if head != "policy", let line = line(within: Self.width - indent) { return line }
    // The first names and strings of a list stay on the line of its head, because they identify the list.
    let beside = parts.prefix { !$0.isList }
    let first = "(" + ([head] + beside.map(\.line)).joined(separator: " ")
    let margin = "\n" + String(repeating: " ", count: indent + 2)
    return first + parts.dropFirst(beside.count).map { margin + $0.layout(indent: indent + 2) }.joined() + ")"
  }

  private var isList: Bool {
    if case .list = self { true } else { false }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text {
      switch character {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default: result.append(character)
      }
    }
    return result + "\""
  }
}
