import Testing

@Suite("The repository is tidy")
struct TidyTests {
  /// Source files that are longer than 400 lines for a reason.
  private static let longForAReason: Set<String> = []

  @Test("top-level folders are the known ones")
  func topLevelFolders() {
    let folders = SourceTree.entries(of: "").filter { $0.isFolder && !$0.name.hasPrefix(".") }.map(\.name)
    #expect(Set(folders).isSubset(of: ["Sources", "Tests", "Plugins", "policies", "grammar"]))
    #expect(Set(folders).isSuperset(of: ["Sources", "Tests", "policies"]))
  }

  @Test("the root holds its documents and nothing else")
  func rootFiles() {
    let files = SourceTree.entries(of: "").filter { !$0.isFolder && $0.name != ".git" }.map(\.name)
    #expect(
      files == [
        ".editorconfig", ".gitignore", ".swift-format", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md",
        "LICENSE", "Package.swift", "README.md",
      ])
  }

  @Test("no file passes 700 lines, no source file 400 without a reason")
  func filesAreShort() {
    for file in SourceTree.files {
      let limit = file.isSource && !Self.longForAReason.contains(file.path) ? 400 : 700
      #expect(file.lineCount <= limit, "\(file.path) has \(file.lineCount) lines")
    }
  }

  @Test("no type is a Manager, Helper or Utils")
  func typeNamesSaySomething() {
    for file in SourceTree.files {
      for type in file.declaredTypes {
        let empty = ["Manager", "Helper", "Helpers", "Utils", "Util"].contains { type.text.hasSuffix($0) }
        #expect(!empty, "\(file.path):\(type.line): \(type.text)")
      }
    }
  }

  @Test("comments leave nothing for later")
  func nothingForLater() {
    let marks: Set<String> = ["TODO", "FIXME", "XXX", "HACK"]
    for file in SourceTree.files {
      for word in file.prose {
        #expect(!marks.contains(word.text), "\(file.path):\(word.line): \(word.text)")
      }
    }
  }

  /// A program has one file that makes tasks: Stint, and a plugin in a process of its own.
  @Test("tasks are made in one file only")
  func tasksComeFromTheSpawner() {
    let ways = [
      ["Task", "{"], ["Task", "("], ["Task", "<"], ["Task", ".", "detached"], ["Task", ".", "immediate"],
    ]
    let makers = SourceTree.files.filter { file in
      file.isSource && ways.contains { !file.lines(of: $0).isEmpty }
    }
    for maker in makers {
      let isOne =
        maker.module == "StintRuntime" && maker.path.hasSuffix("/Spawner.swift")
        || maker.module == "StintPluginKit" && maker.path.hasSuffix("/ProcessLoop.swift")
      #expect(isOne, "\(maker.path)")
    }
  }

  @Test("only the commands and the test equipment print or end the process")
  func onlyCommandsTalk() {
    let talkers: Set<String> = ["StintCommands", "StintMain", "StintLab"]
    for file in SourceTree.files where file.isSource && !talkers.contains(file.module) {
      for call in ["print", "debugPrint", "dump", "exit", "_exit", "abort", "fatalError"] {
        let lines = file.lines(of: [call, "("], notAfter: ["func", "."])
        #expect(lines.isEmpty, "\(file.path):\(lines): \(call)")
      }
    }
  }

  @Test("errors are not forced away")
  func noForcedTry() {
    for file in SourceTree.files {
      for forced in [["try", "!"], ["as", "!"]] {
        let lines = file.lines(of: forced, touching: true)
        #expect(lines.isEmpty, "\(file.path):\(lines): \(forced.joined())")
      }
    }
    for file in SourceTree.files where file.isSource {
      let lines = file.lines(of: ["try", "?"], touching: true)
      #expect(lines.isEmpty, "\(file.path):\(lines): try?")
    }
  }

  @Test("the core reads no clock and throws no dice")
  func coreIsDeterministic() {
    let core = Set(ImportTable.rows.filter(\.isCore).map(\.module))
    let banned: Set<String> = [
      "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator", "Hasher", "ObjectIdentifier",
    ]
    for file in SourceTree.files where file.isSource && core.contains(file.module) {
      for token in file.code {
        #expect(!banned.contains(token.text), "\(file.path):\(token.line): \(token.text)")
      }
      #expect(file.lines(of: [".", "hashValue"]).isEmpty, "\(file.path): hash values differ from run to run")
    }
  }

  @Test("the scanner tells code from comments and strings")
  func scannerKnowsStrings() {
    let text = """
      import A  // try! in prose
      let b = "try! \\(c(")")) try!"; try d()
      if try !e() {}
      try! f()
      """
    let file = SourceFile(path: "Sources/M/F.swift", bytes: Array(text.utf8))
    #expect(file.imports.map(\.text) == ["A"])
    #expect(file.lines(of: ["try", "!"], touching: true) == [4])
    #expect(file.lines(of: ["try", "d", "("]) == [2])
  }
}
