import StintMachine
import StintModel
import StintUnits
import Testing

@Suite("The verifier")
struct VerifierTests {
  private static let cases: [(String, Problem.Code, Image)] = [
    ("pops an empty stack", .stack, AssembledVM.image([.not])),
    ("leaves two values", .stack, AssembledVM.image([.fact(0), .fact(1)])),
    (
      "exceeds the stack limit", .stack,
      AssembledVM.image(Array(repeating: .fact(0), count: 65) + Array(repeating: .and, count: 64))
    ),
    ("a missing fact", .index, AssembledVM.image([.fact(3)])),
    ("a missing constant", .index, AssembledVM.image([.constant(-1)])),
    (
      "a comparison with a missing constant", .index, AssembledVM.image([.compareFact(0, .less, constant: 0)])
    ),
    ("a missing device", .index, AssembledVM.image([.demanded(1)])),
    ("a missing schedule", .index, AssembledVM.image([.schedule(0)])),
    ("a missing span", .index, AssembledVM.image([.age(0, .less, span: 0)])),
    ("too many constants", .index, AssembledVM.image([.fact(0), .oneOf(first: 0, count: .max)])),
    ("a missing slot", .index, AssembledVM.image([.fact(0), .heldFor(0)])),
    (
      "a slot of another kind", .slot,
      AssembledVM.image([.fact(0), .heldFor(0)], slots: [.inLast(.seconds(1))])
    ),
    ("an infinite constant", .value, AssembledVM.image([.constant(0)], constants: [.infinity])),
    ("a negative span", .value, AssembledVM.image([.fact(0)], spans: [.seconds(-1)])),
    (
      "an endless wait", .value,
      AssembledVM.image([.fact(0), .heldFor(0)], slots: [.heldFor(.unlimited, tolerate: nil)])
    ),
    (
      "a window without capacity", .value,
      AssembledVM.image([.window(0)], slots: [.window(.count, fact: 0, .seconds(1), capacity: 0)])
    ),
    (
      "windows above the memory limit", .size,
      AssembledVM.image(
        [.window(0)],
        slots: Array(repeating: .window(.count, fact: 0, .seconds(1), capacity: 4096), count: 1025))
    ),
    ("a fact index above the limit", .index, with { $0.facts[0].number = .max }),
    ("a duplicate fact", .index, with { $0.facts[0].number = 1 }),
    ("missing code", .index, with { $0.rules[0].code = 0..<9 }),
    ("missing directives", .index, with { $0.rules[0].directives = 0..<1 }),
    ("missing acts", .index, with { $0.rules[0].acts = -1..<0 }),
    ("a duplicate rule", .value, with { $0.rules.append($0.rules[0]) }),
    ("a period of zero", .value, with { $0.rules[0].trigger = .period(.zero, flex: nil) }),
    ("a `when` rule without condition", .stack, with { $0.rules[0] = edge($0.rules[0]) }),
    ("an override of a missing rule", .index, with { $0.overrides = [ImageOverride(winner: 0, loser: 1)] }),
  ]

  private static func with(_ change: (inout Image) -> Void) -> Image {
    var image = AssembledVM.image([.fact(0)])
    change(&image)
    return image
  }

  private static func edge(_ rule: ImageRule) -> ImageRule {
    var rule = rule
    rule.trigger = .rise(atMost: nil)
    rule.code = 0..<0
    return rule
  }

  @Test("an invalid image is rejected with the code of its problem", arguments: cases)
  func refuses(name: String, code: Problem.Code, image: Image) {
    #expect { try ImageVerifier.verify(image) } throws: { ($0 as? Problem)?.code == code }
  }

  @Test("an empty image is valid and has no timer")
  func acceptsNothing() {
    var machine = RuleVM(image: .empty, timeZone: .utc, at: .epoch)
    #expect(machine.propagate(at: .epoch) == [])
    #expect(machine.nextTimer == nil)
  }

  @Test("the disassembler prints slots, rules and code")
  func prints() {
    let image = AssembledVM.image(
      [.fact(0), .constant(0), .compare(.less), .heldFor(0)], constants: [2],
      slots: [.heldFor(.minutes(4), tolerate: nil)])
    #expect(
      Disassembler(image) { ["gps.accuracy", "b", "c"][$0] }.text == """
        slot 0: for 4 min, p/r 0
        rule 0: p/r, while
          0: fact gps.accuracy
          1: constant 2.0
          2: compare <
          3: held for, slot 0

        """)
  }
}
