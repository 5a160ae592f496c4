import Testing

@Suite("The repository follows its rules")
struct TidyTests {
  /// Source files that are allowed to be longer than 400 lines.
  private static let permittedLongFiles: Set<String> = []

  @Test("the top level contains only the listed folders")
  func topLevelFolders() {
    let folders = SourceTree.entries(of: "").filter { $0.isFolder && !$0.name.hasPrefix(".") }.map(\.name)
    #expect(Set(folders).isSubset(of: ["Sources", "Tests", "Plugins", "policies", "grammar"]))
    #expect(Set(folders).isSuperset(of: ["Sources", "Tests", "policies"]))
  }

  @Test("the root contains only the listed files")
  func rootFiles() {
    let files = SourceTree.entries(of: "").filter { !$0.isFolder && $0.name != ".git" }.map(\.name)
    #expect(
      files == [
        ".editorconfig", ".gitignore", ".swift-format", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md",
        "LICENSE", "Package.swift", "README.md",
      ])
  }

  @Test("Swift files have at most 700 lines, and outside of tests at most 400, except the listed files")
  func filesAreShort() {
    for file in SourceTree.files {
      let limit = file.isSource && !Self.permittedLongFiles.contains(file.path) ? 400 : 700
      #expect(file.lineCount <= limit, "\(file.path) has \(file.lineCount) lines")
    }
  }

  @Test("no type name ends in Manager, Helper or Utils")
  func typeNames() {
    for file in SourceTree.files {
      for type in file.declaredTypes {
        let isVague = ["Manager", "Helper", "Helpers", "Utils", "Util"].contains { type.text.hasSuffix($0) }
        #expect(!isVague, "\(file.path):\(type.line): \(type.text)")
      }
    }
  }

  @Test("comments contain no marks for unfinished work")
  func unfinishedWork() {
    let marks: Set<String> = ["TODO", "FIXME", "XXX", "HACK"]
    for file in SourceTree.files {
      for word in file.prose {
        #expect(!marks.contains(word.text), "\(file.path):\(word.line): \(word.text)")
      }
    }
  }

  /// Each program creates its tasks in one file: Stint in `Spawner`, a plugin process in `ProcessLoop`.
  @Test("tasks are created only in the files `Spawner` and `ProcessLoop`")
  func taskCreation() {
    let ways = [
      ["Task", "{"], ["Task", "("], ["Task", "<"], ["Task", ".", "detached"], ["Task", ".", "immediate"],
    ]
    let creators = SourceTree.files.filter { file in
      file.isSource && ways.contains { !file.lines(of: $0).isEmpty }
    }
    for creator in creators {
      let isPermitted =
        creator.module == "StintRuntime" && creator.path.hasSuffix("/Spawner.swift")
        || creator.module == "StintPluginKit" && creator.path.hasSuffix("/ProcessLoop.swift")
      #expect(isPermitted, "\(creator.path)")
    }
  }

  @Test("only the commands, main files of plugins, and the test equipment print or end the process")
  func printingModules() {
    let permitted: Set<String> = ["StintCommands", "StintMain", "StintLab"]
    for file in SourceTree.files where file.isSource && !permitted.contains(file.module) {
      // The main file of a plugin in its own process.
      if file.path.hasPrefix("Plugins/"), file.path.hasSuffix("/Sources/Program/Main.swift") { continue }
      for call in ["print", "debugPrint", "dump", "exit", "_exit", "abort", "fatalError"] {
        let lines = file.lines(of: [call, "("], notAfter: ["func", "."])
        #expect(lines.isEmpty, "\(file.path):\(lines): \(call)")
      }
    }
  }

  @Test("no code uses `try!` or `as!`, and no source uses `try?`")
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

  // The generic parameter of a lock can be a function type. Then Swift wraps the function in a new closure at
  // each access.
  @Test("no lock protects a function itself, because each access would wrap the function in a new closure")
  func lockedFunctions() {
    for file in SourceTree.files {
      for type in ["Locked", "Mutex"] {
        for start in [["(", "("], ["(", "@"], ["@"]] {
          let lines = file.lines(of: [type, "<"] + start, touching: true)
          #expect(lines.isEmpty, "\(file.path):\(lines): write a struct with the function as a member")
        }
      }
    }
  }

  @Test("the only public error type is Problem")
  func publicErrors() {
    let kinds: Set<String> = ["struct", "enum", "class", "actor", "final", "indirect"]
    var found: Set<String> = []
    for file in SourceTree.files where file.isSource && !file.path.hasPrefix("Tests/") {
      let words = file.code.map(\.text)
      for (index, word) in words.enumerated() where ["public", "open", "extension"].contains(word) {
        let head = words[(index + 1)...].prefix { $0 != "{" }
        let conformances = head.drop { $0 != ":" }
        guard conformances.contains("Error"), word == "extension" || kinds.contains(head.first ?? "") else {
          continue
        }
        found.insert(head.first { !kinds.contains($0) } ?? "")
      }
    }
    #expect(found == ["Problem"])
  }

  @Test("the core reads no clock and uses no random numbers")
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

  @Test("the scanner distinguishes code from comments and strings")
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
