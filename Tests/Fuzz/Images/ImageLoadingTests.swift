#if !FUZZING && !TURNING
  import StintCompiler
  import StintGovernor
  import StintLanguage
  import StintMachine
  import StintModel
  import StintRuntime
  import StintSimulation
  import StintTestSupport
  import Testing

  @Suite("Policies loaded from images")
  struct ImageLoadingTests {
    private static let policies = Result {
      try Folder.files(
        in: "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/policies",
        suffix: ".stint")
    }

    private func loaded(_ paths: [String]) throws -> (text: PolicyLoader.Loaded, image: PolicyLoader.Loaded) {
      let loader = PolicyLoader(vocabulary: Phone.vocabulary)
      let sources = try paths.map { SourceText(file: $0, bytes: try FileText.read($0)) }
      let text = loader.load(sources)
      let file = try #require(text.imageFile(for: Phone.vocabulary))
      return (text, try loader.load(image: file.bytes))
    }

    private func expectSame(_ loaded: (text: PolicyLoader.Loaded, image: PolicyLoader.Loaded)) throws {
      let (text, image) = (try #require(loaded.text.program), try #require(loaded.image.program))
      #expect(image.image == text.image)
      #expect(image.perDemandImage == text.perDemandImage)
      #expect(image.defaults == text.defaults)
      #expect(image.computed == text.computed)
      #expect(image.moves == text.moves)
      #expect(loaded.image.sources.map(\.text) == loaded.text.sources.map(\.text))
      #expect(loaded.image.policies.map(\.name) == loaded.text.policies.map(\.name))
      for seed in 1...Trials(30, fewest: 1).count {
        var (left, right) = (ImageTrial(seed: seed), ImageTrial(seed: seed))
        #expect(try left.effects(of: text, steps: 60) == right.effects(of: image, steps: 60))
      }
    }

    @Test("an image makes the same decisions as its policy text", arguments: try policies.get())
    func same(path: String) throws { try expectSame(try loaded([path])) }

    @Test("an image of several policies makes the same decisions as their texts")
    func together() throws { try expectSame(try loaded(try Self.policies.get())) }

    @Test("a written image reads back unchanged", arguments: ImageSeed.all)
    func roundTrip(seed: ImageSeed) throws {
      let file = seed.file()
      #expect(try ImageFile(file.bytes) == file)
    }

    @Test("an image lists its policies with the versions in their texts")
    func versions() throws {
      let rule = "rule r every 1 h { emit \"e\" }"
      let texts = ["policy \"one\" version 3\n", "policy \"two\" version 1\n\(rule)\n"]
      let sources = texts.enumerated().map { SourceText(file: "\($0.offset).stint", text: $0.element) }
      let loaded = PolicyLoader(vocabulary: Phone.vocabulary).load(sources)
      let file = try #require(loaded.imageFile(for: Phone.vocabulary))
      #expect(
        try ImageFile(file.bytes).texts.policies == [
          ImageTexts.Policy(name: "one", version: 3), ImageTexts.Policy(name: "two", version: 1),
        ])
    }
  }
#endif
