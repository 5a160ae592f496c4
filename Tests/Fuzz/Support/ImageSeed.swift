#if !FUZZING && !TURNING
  import StintCompiler
  import StintLanguage
  import StintMachine
  import StintRuntime
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A short policy; the rebuildable part of its image (the compiled code) is stored. A fuzzer starts from
  /// this part, and a test detects changes of the image format.
  struct ImageSeed: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String

    var testDescription: String { name }

    /// The path of the stored rebuildable part.
    var path: String {
      let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
      return "\(tests)/Seeds/image/\(name).input"
    }

    func file() -> ImageFile {
      let source = SourceText(file: "\(name).stint", text: text)
      let (policies, diagnostics) = Checker.check([source], vocabulary: Phone.vocabulary)
      let errors = diagnostics.filter { $0.severity == .error }
      precondition(errors.isEmpty, "the policy \(name) must be valid: \(errors)")
      return Compiler.file(policies, sources: [source], vocabulary: Phone.vocabulary)
    }

    /// Together the seeds contain every instruction, slot, trigger, directive, act and computed fact.
    static let all = [
      ImageSeed(
        name: "logic",
        text: """
          policy "logic" version 2
          use location.gnss as gps
          schedule night = mon, tue 22:00..06:00
          rule a while (battery.level * 2 - 10 % > 30 % and not time in night) or -battery.level < 1 % { stop gps }
          rule b over a while motion.activity in [walking, cycling] and known(gps.accuracy) { pause gps }
          rule c while age(gps.accuracy) > 20 s or demanded(gps) { downgrade gps to 100 m }
          """),
      ImageSeed(
        name: "time",
        text: """
          policy "time" version 1
          use location.gnss as gps
          rule a while screen.on for 4 min tolerate 5 s { pause gps }
          rule b while screen.on in last 10 min { downgrade gps to 1 per 10 s }
          rule c while battery.level below 20 % release 25 % { batch gps until 500 m or 5 min }
          rule d when trend(gps.accuracy, 90 s) > -5 m at most 1 per 1 h { stop gps for 2 min doubling to 1 h }
          """),
      ImageSeed(
        name: "acts",
        text: """
          policy "acts" version 1
          use location.gnss as gps
          use radio.cellular as cell
          default gps { accuracy 10 m  activity fitness  background on  pause auto  linger 5 s }
          rule a every 1 h flex 5 min if screen.on { fix gps to 50 m timeout 30 s  emit "hour" }
          rule b when app.state is background { flush cell  tell "coach" "gone"  launch "mail" }
          rule c while net.kind is cellular { defer cell until net.kind is wifi deadline 2 h }
          rule d while screen.on { start gps for "coach" with { accuracy 20 m }  batch cell until 50 kB }
          """),
      ImageSeed(
        name: "facts",
        text: """
          policy "facts" version 1
          use location.gnss as gps
          zone home = circle 47.3 8.5 radius 200 m enter_after 10 s exit_after 1 min
          budget trail = 1500 J per day from 04:00 on gps { at 80 % { downgrade gps to 50 m } }
          machine mode starts rest {
            state rest { pause gps goto move when motion.activity is walking }
            state move { goto rest when motion.activity is still }
          }
          rule a while inside(home) and wakeups(gps) > 5 per h { stop gps }
          rule b when enter(home) { emit "home" }
          rule c while energy(gps) > 10 J and client.accuracy > 5 m { downgrade gps to 100 m }
          rule d while client.name == "coach" { pause gps }
          """),
    ]
  }

  @Suite("Seed images of the fuzzer")
  struct ImageSeedTests {
    private static let isRecording = getenv("STINT_RECORD").map { String(cString: $0) } == "1"

    @Test(
      "the stored part of each image equals the compiler's output, byte for byte", arguments: ImageSeed.all)
    func bytes(seed: ImageSeed) throws {
      let part = ImageMending.rebuildable(of: seed.file())
      if Self.isRecording { try FileText.write(part, to: seed.path) }
      #expect(
        try FileText.read(seed.path) == part,
        "the image changed: raise its version if older Stints misread it; STINT_RECORD=1 updates the file")
    }

    @Test(
      "every seed image passes the verifier, and its file and its rebuildable part pass the image stage",
      arguments: ImageSeed.all)
    func sound(seed: ImageSeed) throws {
      let file = seed.file()
      _ = try ImageVerifier.verify(try ImageFile(file.bytes), vocabulary: Phone.vocabulary)
      try ImageStage.run(file.bytes)
      try ImageStage.run(try FileText.read(seed.path))
    }

    @Test("the seed images together contain every instruction")
    func instructions() {
      let used = Set(
        ImageSeed.all.flatMap { seed in
          let file = seed.file()
          return (file.image.code + (file.perDemandImage?.code ?? [])).map(\.opcode)
        })
      #expect(InstructionSet.forms.filter { !used.contains($0.opcode) }.map(\.name) == [])
    }
  }
#endif
