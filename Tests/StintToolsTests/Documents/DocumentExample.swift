import StintRuntime
import StintTestSupport
import Testing

/// A policy, or a part of a policy, in a document: a fenced block or inline code.
struct DocumentExample: Sendable, CustomTestStringConvertible {
  /// The extent of an example; the raw value is the word after `stint` on the fence.
  enum Extent: String, Sendable {
    /// A complete policy file; the fence has no word after `stint`.
    case whole = ""
    /// Items without the header.
    case fragment
  }

  let file: String
  /// The line of the fence, counted from 1.
  let line: Int
  /// Nil when the fence has an unknown word.
  let extent: Extent?
  let text: String

  var testDescription: String { "\(file):\(line)" }

  /// The examples of all documents in the repository.
  static let all = Result {
    let documents = try Self.documents()
    // The doc comments of the syntax tree also contain examples.
    let sources = try text(of: ["Sources/StintLanguage/Syntax"], ".swift")
    return documents.flatMap { examples(in: $0.text, of: $0.name) + inline(in: $0.text, of: $0.name) }
      + sources.flatMap { inline(in: comments(in: $0.text), of: $0.name) }
  }

  static func documents() throws -> [(name: String, text: String)] {
    try text(of: ["", "grammar", "Sources/Stint/Stint.docc"], ".md")
  }

  /// Returns the names and texts of the files in some folders of the repository.
  private static func text(of folders: [String], _ suffix: String) throws -> [(name: String, text: String)] {
    let root = Repository.path("")
    return try folders.flatMap { try Folder.files(in: root + $0, suffix: suffix) }.map { path in
      let name = path.dropFirst(root.count).drop { $0 == "/" }
      return (String(name), String(decoding: try FileText.read(path), as: UTF8.self))
    }
  }

  /// Returns the inline code that begins an item and has no ellipsis.
  static func inline(in document: String, of file: String) -> [DocumentExample] {
    let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().flatMap { index, line in
      line.matches(of: /`([^`]+)`/).map { String($0.output.1) }.filter(isItem).map {
        DocumentExample(file: file, line: index + 1, extent: .fragment, text: $0 + "\n")
      }
    }
  }

  private static func isItem(_ code: String) -> Bool {
    let word = code.prefix { $0 != " " }
    return itemWords.contains(String(word)) && word.count < code.count && !code.contains("…")
  }

  private static let itemWords: Set<String> = [
    "use", "let", "param", "schedule", "zone", "default", "rule", "machine", "budget", "require", "test",
  ]

  /// Returns the doc comments without their marks; all other lines are empty.
  private static func comments(in source: String) -> String {
    source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let text = line.drop { $0 == " " }
      return text.hasPrefix("///") ? text.dropFirst(3) : ""
    }.joined(separator: "\n")
  }

  /// Returns the fenced blocks of a document that are marked `stint`.
  static func examples(in document: String, of file: String) -> [DocumentExample] {
    blocks(in: document).compactMap { block in
      let words = block.word.split(separator: " ")
      guard words.first == "stint" else { return nil }
      let text = block.lines.map { $0 + "\n" }.joined()
      let extent = Extent(rawValue: words.dropFirst().joined(separator: " "))
      return DocumentExample(file: file, line: block.line, extent: extent, text: text)
    }
  }

  /// Returns all fenced blocks, with the line of the fence and the word after it.
  static func blocks(in document: String) -> [(line: Int, word: String, lines: [Substring])] {
    var blocks: [(line: Int, word: String, lines: [Substring])] = []
    var open: (line: Int, word: String, lines: [Substring])?
    for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let block = open {
        if line == "```" {
          blocks.append(block)
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        open = (index + 1, String(line.dropFirst(3)), [])
      }
    }
    return blocks
  }
}
