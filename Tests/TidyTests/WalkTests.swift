import Testing

/// The walks of ARCHITECTURE.md are short, and each file contains the functions that the walk mentions.
@Suite("Walks through the code")
struct WalkTests {
  /// A file of a walk, with the functions that the walk mentions there.
  struct Stop {
    var path: String
    var functions: [String]
  }

  @Test("the walks of a sample, a reload and two kinds of requests have at most 8, 6, 10 and 10 files")
  func walksAreShort() {
    let lengths = Self.walks.map(\.count)
    #expect(lengths.count == 4)
    for (length, longest) in zip(lengths, [8, 6, 10, 10]) { #expect((4...longest).contains(length)) }
  }

  @Test("each file of a walk contains the functions that the walk mentions")
  func walksAreTrue() {
    for stop in Self.walks.joined() {
      let text = String(decoding: SourceTree.bytes(of: stop.path), as: UTF8.self)
      #expect(!text.isEmpty, "\(stop.path) is missing")
      #expect(!stop.functions.isEmpty || stop.path.hasPrefix("Plugins/") || stop.path.contains("/Port/"))
      for function in stop.functions {
        let isThere = text.contains("\(function)(") || text.contains("func \(function)<")
        #expect(isThere, "\(stop.path) does not have \(function)")
      }
    }
  }

  /// The numbered lists under the heading of the walks.
  private static var walks: [[Stop]] {
    var walks: [[Stop]] = []
    var isInside = false
    let text = String(decoding: SourceTree.bytes(of: "ARCHITECTURE.md"), as: UTF8.self)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") { isInside = line == "## Four walks through the code" }
      guard isInside else { continue }
      let words = line.split(separator: "`", omittingEmptySubsequences: false)
      let quoted = stride(from: 1, to: words.count, by: 2).map { String(words[$0]) }
      if line.first?.isNumber == true, let path = quoted.first {
        if line.hasPrefix("1. ") { walks.append([]) }
        walks[walks.count - 1].append(Stop(path: path, functions: Array(quoted.dropFirst())))
      } else if line.first == " ", let walk = walks.indices.last, let stop = walks[walk].indices.last {
        walks[walk][stop].functions += quoted
      }
    }
    return walks
  }
}
