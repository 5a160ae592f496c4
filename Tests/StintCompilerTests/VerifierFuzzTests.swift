import StintCompiler
import StintLanguage
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("Hostile images")
struct VerifierFuzzTests {
  /// Returns a valid image with a rule for each kind of trigger, and with directives, overrides, acts and
  /// schedules.
  private static func sound(seed: Int) -> Image {
    var expressions = RandomExpressions(generator: SplitMix(seed: UInt64(seed)))
    let ending = CheckedEnding(duration: .seconds(3), doublingTo: .seconds(9), atMost: 4)
    let until = expressions.condition(depth: 1)
    let rules = [
      rule("a", .whilst(expressions.condition(depth: 3)), [stop(until: until, rule: "a")], over: ["b"]),
      rule(
        "b", .when(expressions.condition(depth: 3), atMost: .seconds(2)), [stop(ending: ending, rule: "b")]),
      rule("c", .every(.seconds(7), flex: .seconds(1), condition: flag("a")), acts: [.emit("tick")]),
      rule("d", .always, [stop("modem", rule: "d")]),
    ]
    let schedules = ["one", "two"].map {
      CheckedSchedule(name: $0, windows: [.init(days: [3], from: .seconds(4), to: .seconds(19))])
    }
    let policy = CheckedPolicy(name: "p", version: 1, file: "", schedules: schedules, rules: rules)
    return Compiler.compile([policy], vocabulary: RuleVMBench.vocabulary(maxAge: .seconds(4)))
  }

  @Test("the verifier accepts the images of the compiler", arguments: 0..<100)
  func acceptsTheCompiler(seed: Int) throws {
    _ = try ImageVerifier.verify(Self.sound(seed: seed))
  }

  @Test(
    "a damaged image is rejected or runs, and never causes a trap",
    arguments: Trials(6_000).rounds)
  func survivesDamage(seed: Int) {
    var generator = SplitMix(seed: UInt64(seed) &+ 4711)
    var image = Self.sound(seed: seed % 50)
    for _ in 0..<Int.random(in: 1...3, using: &generator) { Damage().hit(&image, &generator) }
    #expect(!Disassembler(image).text.isEmpty || image.rules.isEmpty)
    guard let verified = Self.verified(image) else { return }
    var machine = RuleVM(image: verified, timeZone: .utc, at: .epoch)
    let story = Story(using: &generator)
    let vocabulary = RuleVMBench.vocabulary()
    for (second, events) in story.events.enumerated() {
      let now = Instant.epoch + .seconds(Int64(second))
      for case .fact(let path, let value) in events {
        machine.set(fact: vocabulary.fact(path) ?? 0, value, at: now)
      }
      _ = machine.propagate(at: now)
      if let timer = machine.nextTimer { #expect(timer > now) }
    }
  }

  private static func verified(_ image: Image) -> VerifiedImage? {
    do { return try ImageVerifier.verify(image) } catch {
      return nil
    }
  }
}
