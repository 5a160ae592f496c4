import StintRuntime
import Testing

/// A policy, or a part of one, that a document shows between fences.
struct DocumentExample: Sendable, CustomTestStringConvertible {
  /// How much of a policy it is: the word behind `stint` on the fence.
  enum Extent: String, Sendable {
    /// A policy as it could lie in a file; nothing stands behind `stint` then.
    case whole = ""
    /// Some items, without the header.
    case fragment
  }

  let file: String
  /// The line of the fence, from 1.
  let line: Int
  /// Nil when the word on the fence is none of those above.
  let extent: Extent?
  let text: String

  var testDescription: String { "\(file):\(line)" }

  /// The examples of all documents of the repository.
  static let all = Result {
    let root = Repository.path("")
    let documents = try ["", "grammar"].flatMap { try Folder.files(in: root + "/" + $0, suffix: ".md") }
    return try documents.flatMap { path in
      let name = path.dropFirst(root.count).drop { $0 == "/" }
      return examples(in: String(decoding: try FileText.read(path), as: UTF8.self), of: String(name))
    }
  }

  /// What stands between the fences of a document that are marked `stint`.
  static func examples(in document: String, of file: String) -> [DocumentExample] {
    var examples: [DocumentExample] = []
    var open: (line: Int, word: String, lines: [Substring])?
    for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let block = open {
        if line == "```" {
          let words = block.word.split(separator: " ")
          if words.first == "stint" {
            let text = block.lines.map { $0 + "\n" }.joined()
            let extent = Extent(rawValue: words.dropFirst().joined(separator: " "))
            examples.append(DocumentExample(file: file, line: block.line, extent: extent, text: text))
          }
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        open = (index + 1, String(line.dropFirst(3)), [])
      }
    }
    return examples
  }
}
