import StintLanguage

/// Reads the pages of a Markdown file.
///
/// A page consists of the heading `# P0302: meaning`, the paragraph of the summary, the wrong example in a
/// fenced code block, the paragraph of the reason, and the right example in a fenced code block. The lines
/// `Wrong:` and `Right:` are for people and are skipped. The paragraph `State slots: 1` sets the limit of
/// state slots with which the examples are checked.
struct PageReader {
  private var pages: [DiagnosticPage] = []
  /// The heading, paragraphs and examples of the page that is being read.
  private var heading: Substring = ""
  private var paragraphs: [String] = []
  private var examples: [String] = []

  /// Returns the pages in the order of the file.
  ///
  /// - Precondition: the pages have the format that this type describes.
  static func pages(of bytes: [UInt8]) -> [DiagnosticPage] {
    var reader = PageReader()
    reader.read(String(decoding: bytes, as: UTF8.self))
    reader.endPage()
    return reader.pages
  }

  private mutating func read(_ text: String) {
    var isExample = false
    var continuesParagraph = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isExample.toggle()
        if isExample { examples.append("") }
      } else if isExample {
        examples[examples.count - 1] += line + "\n"
      } else if line.hasPrefix("# ") {
        endPage()
        heading = line.dropFirst(2)
      } else if line.isEmpty || line == "Wrong:" || line == "Right:" {
        continuesParagraph = false
      } else if continuesParagraph {
        paragraphs[paragraphs.count - 1] += " " + line
      } else {
        paragraphs.append(String(line))
        continuesParagraph = true
      }
    }
  }

  /// Appends the page that was read. Does nothing before the first heading.
  private mutating func endPage() {
    guard !heading.isEmpty else { return }
    let slots = paragraphs.firstIndex { $0.hasPrefix("State slots: ") }
      .flatMap { Int(paragraphs.remove(at: $0).dropFirst("State slots: ".count)) }
    let words = heading.split(separator: ": ", maxSplits: 1)
    guard words.count == 2, let code = DiagnosticCode(rawValue: String(words[0])), paragraphs.count == 2,
      examples.count == 2
    else { preconditionFailure("invalid page: \(heading)") }
    pages.append(
      DiagnosticPage(
        code: code, meaning: String(words[1]), summary: paragraphs[0], wrong: examples[0],
        why: paragraphs[1], right: examples[1], maxSlots: slots))
    (heading, paragraphs, examples) = ("", [], [])
  }
}
