/// A part of a file's tree as an S-expression: what the corpus of the grammar holds, for other parsers too.
public indirect enum TreeNode: Hashable, Sendable, CustomStringConvertible {
  /// A name, an operator or a number.
  case word(String)
  /// A text, written in quotes.
  case text(String)
  /// What it is, and its parts.
  case list(String, [TreeNode])

  /// On one line where it fits into a hundred columns; else each part on a line of its own.
  public var description: String { layout(indent: 0) }

  private static let width = 100

  private var line: String {
    switch self {
    case .word(let word): word
    case .text(let text): Self.quoted(text)
    case .list(let head, let parts): "(" + ([head] + parts.map(\.line)).joined(separator: " ") + ")"
    }
  }

  private func layout(indent: Int) -> String {
    guard case .list(let head, let parts) = self else { return line }
    if head != "policy", indent + line.count <= Self.width { return line }
    // Names and texts stay beside the head: they say which one it is.
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
