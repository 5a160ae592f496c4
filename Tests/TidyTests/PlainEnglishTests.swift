import Testing

/// The folder `Words` contains the lists of these tests. `check.py` prints each finding with a replacement.
@Suite("Names and sentences use standard terms")
struct PlainEnglishTests {
  /// Words that a reader must look up, each with the permitted number of uses in comments. The numbers may
  /// only decrease.
  private static let limits: [(word: String, most: Int)] = [
    ("whoever", 0), ("believed", 0), ("anew", 0), ("unheard", 0), ("tremble", 0), ("vouch", 0), ("heeds", 0),
  ]

  /// The permitted number of code lines over 110 columns, which the formatter cannot break.
  private static let longLines = 240

  @Test("no type has a name from the left column of the table of identifiers")
  func oldTypes() {
    let old = Self.oldTypeNames
    #expect(old.count > 100)
    for file in SourceTree.files {
      for type in file.declaredTypes where old.contains(type.text) {
        Issue.record("\(file.path):\(type.line): \(type.text); see Tests/TidyTests/Words/identifiers.tsv")
      }
    }
  }

  @Test("each listed word occurs in comments at most as often as permitted")
  func words() {
    for (word, most) in Self.limits {
      let found = SourceTree.files.filter { !$0.path.hasPrefix("Tests/TidyTests/") }
        .flatMap { file in
          file.prose.filter { $0.text.lowercased() == word }.map { "\(file.path):\($0.line)" }
        }
      #expect(found.count <= most, "“\(word)”: \(found.joined(separator: ", "))")
    }
  }

  @Test("comment lines have at most 110 columns, and the number of longer code lines does not grow")
  func lineWidth() {
    var long = 0
    for file in SourceTree.files {
      for (number, line) in SourceTree.lines(of: file.path).enumerated() where line.count > 110 {
        long += 1
        let isComment = line.drop { $0 == " " }.hasPrefix("//")
        #expect(!isComment, "\(file.path):\(number + 1): \(line.count) columns")
      }
    }
    #expect(long <= Self.longLines, "\(long) long lines")
  }

  @Test("titles of tests begin with their subject, not with “it”")
  func titles() {
    for file in SourceTree.files where file.path.contains("Tests/") {
      for (number, line) in SourceTree.lines(of: file.path).enumerated() {
        let isTitle = ["@Test(\"it ", "@Test(\"It ", "@Suite(\"it ", "@Suite(\"It "].contains {
          line.contains($0)
        }
        #expect(!isTitle || file.path.hasPrefix("Tests/TidyTests/"), "\(file.path):\(number + 1): \(line)")
      }
    }
  }

  /// The names of types that the table replaces everywhere.
  private static var oldTypeNames: Set<String> {
    var names: Set<String> = []
    for line in SourceTree.lines(of: "Tests/TidyTests/Words/identifiers.tsv") {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard columns.count >= 3, columns[0].isEmpty, let first = columns[1].first, first.isUppercase,
        !columns[1].contains("."), !columns[1].contains("(")
      else { continue }
      names.insert(String(columns[1]))
    }
    return names
  }
}
