import StintRuntime
import StintTestSupport
import StintUnits
import Testing

@testable import StintLanguage

/// A small text with the expected result of parsing it: its tree, or its diagnostics and their positions.
struct CorpusCase: Sendable, CustomTestStringConvertible {
  /// The expected result of parsing.
  enum Kind: String, Sendable {
    case tree
    case reject
  }

  /// The name of the case, as `FOLDER/NAME`.
  let name: String
  let path: String
  let source: SourceText
  /// The part of the file before the expectation, unchanged.
  let head: String
  /// The kind of the expectation; nil when the file contains none.
  let kind: Kind?
  /// The expectation, without the last line end.
  let expected: String

  var testDescription: String { name }

  /// All cases of the repository, by folder and name.
  static let all = Result {
    try Folder.folders(in: Repository.path("grammar/corpus")).flatMap { folder in
      try Folder.files(in: folder, suffix: ".txt").map { CorpusCase($0, try FileText.read($0)) }
    }
  }

  init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    name = path.split(separator: "/").suffix(2).joined(separator: "/").replacing(".txt", with: "")
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    let place = lines.firstIndex { line in
      line.elementsEqual("--- tree".utf8) || line.elementsEqual("--- reject".utf8)
    }
    kind = place.flatMap { Kind(rawValue: String(decoding: lines[$0].dropFirst(4), as: UTF8.self)) }
    expected = Self.text(lines.suffix(from: place.map { $0 + 1 } ?? lines.endIndex).joinedLines().dropLast())
    lines = lines.prefix(upTo: place ?? lines.endIndex)
    head = lines.map { Self.text($0) + "\n" }.joined()
    if let first = lines.first, first.elementsEqual("--- bytes".utf8) {
      source = SourceText(file: name, bytes: Self.unescaped(lines.dropFirst().joinedLines()))
    } else {
      source = SourceText(file: name, text: head)
    }
  }

  /// The result of parsing the text, in the form of the corpus.
  var actual: (kind: Kind, text: String) {
    let (file, diagnostics) = Parser.parse(source, units: .standard)
    guard !diagnostics.isEmpty else { return (.tree, file.tree.description) }
    return (.reject, diagnostics.map(line).joined(separator: "\n"))
  }

  private func line(_ diagnostic: Diagnostic) -> String {
    let span = diagnostic.labels.first?.span ?? SourceSpan(start: 0, end: 0)
    let (from, to) = (source.position(of: span.start), source.position(of: span.end))
    return "\(diagnostic.code) \(from.line):\(from.column)-\(to.line):\(to.column)"
  }

  /// Replaces each escape such as `<0D>` by its byte.
  private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    while let first = rest.first {
      let digits = text(rest.dropFirst().prefix(2))
      if first == 0x3C, rest.dropFirst(3).first == 0x3E, let byte = UInt8(digits, radix: 16) {
        result.append(byte)
        rest = rest.dropFirst(4)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }
}

extension Collection where Element == ArraySlice<UInt8> {
  fileprivate func joinedLines() -> [UInt8] { Array(joined(separator: [0x0A])) }
}
