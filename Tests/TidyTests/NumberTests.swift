import Testing

/// `Tests/BEHAVIOURS.md` describes every id in the titles of tests.
@Suite struct NumberTests {
  private static let series: [(letter: Character, count: Int, width: Int)] = [
    ("G", 6, 2), ("L", 36, 2), ("R", 23, 2), ("M", 18, 2), ("N", 24, 2), ("X", 12, 2), ("F", 21, 1),
    ("W", 21, 1), ("P", 13, 1),
  ]

  private var page: [String] {
    String(decoding: SourceTree.bytes(of: "Tests/BEHAVIOURS.md"), as: UTF8.self).split(separator: "\n")
      .compactMap { line in
        let cells = line.split(separator: "|", omittingEmptySubsequences: true)
        guard cells.count == 2, let id = cells.first.map({ $0.filter { $0 != " " } }), !id.isEmpty,
          id != "---"
        else {
          return nil
        }
        return id
      }
  }

  @Test("the page contains every id once, in order")
  func complete() {
    let all = Self.series.flatMap { series in
      (1...series.count).map { number in
        let digits = String(number)
        return "\(series.letter)" + String(repeating: "0", count: max(series.width - digits.count, 0))
          + digits
      }
    }
    #expect(page == all)
  }

  @Test("every id at the beginning of a test title is on the page")
  func known() {
    let page = Set(page)
    for file in SourceTree.files where !file.isSource {
      for title in Self.titles(in: String(decoding: SourceTree.bytes(of: file.path), as: UTF8.self)) {
        let words = title.prefix { $0 != ":" }.split(whereSeparator: { $0 == " " || $0 == "," })
        for word in words where Self.isNumber(word) {
          #expect(page.contains(String(word)), "\(file.path): \(title)")
        }
      }
    }
  }

  private static func titles(in text: String) -> [Substring] {
    var titles: [Substring] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "@Test(") {
      rest = rest[start.upperBound...].drop { $0 == " " || $0 == "\n" }
      guard rest.first == "\"" else { continue }
      let title = rest.dropFirst().prefix { $0 != "\"" }
      titles.append(title)
    }
    return titles
  }

  /// Returns whether a word is an id: a letter of a series and one or two digits.
  private static func isNumber(_ word: Substring) -> Bool {
    guard let letter = word.first, series.contains(where: { $0.letter == letter }) else { return false }
    let digits = word.dropFirst()
    return (1...2).contains(digits.count) && digits.allSatisfy { ("0"..."9").contains($0) }
  }
}
