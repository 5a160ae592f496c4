#if !FUZZING && !TURNING
  import StintRuntime
  import Testing

  /// An input that once failed: a file in a stage's folder of `Crashes`.
  struct KeptInput: Sendable, CustomTestStringConvertible {
    let stage: FuzzStage
    let path: String

    var testDescription: String { path.split(separator: "/").suffix(2).joined(separator: "/") }

    /// All stored inputs, by stage and name.
    static let all = Result {
      try FuzzStage.allCases.flatMap { stage in
        try Folder.files(in: folder + "/" + stage.rawValue, suffix: ".input").map {
          KeptInput(stage: stage, path: $0)
        }
      }
    }

    private static let folder =
      "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Crashes"

    /// Returns the names of all folders in `Crashes`.
    static func folders() throws -> [String] {
      try Folder.folders(in: folder).map { String($0.split(separator: "/").last ?? "") }
    }
  }

  @Suite("Inputs that once failed")
  struct KeptInputTests {
    @Test("each stored input passes its stage", arguments: try KeptInput.all.get())
    func replay(input: KeptInput) throws {
      try input.stage.run(try FileText.read(input.path))
    }

    @Test("every stage has stored inputs in its folder")
    func folders() throws {
      let inputs = try KeptInput.all.get()
      #expect(try KeptInput.folders() == FuzzStage.allCases.map(\.rawValue).sorted())
      for stage in FuzzStage.allCases { #expect(inputs.contains { $0.stage == stage }, "\(stage)") }
    }

    @Test("no stage has a finding for a valid policy or for empty input", arguments: FuzzStage.allCases)
    func sound(stage: FuzzStage) throws {
      let policies = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/policies"
      try stage.run([])
      try stage.run(try FileText.read(policies + "/hiking.stint"))
    }
  }
#endif
