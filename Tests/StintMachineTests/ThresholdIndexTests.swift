import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import StintMachine

@Suite("The threshold index")
struct ThresholdIndexTests {
  /// An image with random `while` rules that read five facts.
  private struct Rules {
    var image = Image()
    private var generator: SeededGenerator

    init(count: Int, seed: UInt64) {
      generator = SeededGenerator(seed: seed)
      image.facts = (0..<5).map { ImageFact(number: $0, maxAge: $0 == 4 ? .seconds(2) : nil) }
      image.devices = ["gps"]
      image.constants = (0..<40).map { Double($0) / 2 }
      for number in 0..<count {
        let start = image.code.count
        emit(depth: 3)
        image.rules.append(
          ImageRule(
            id: RuleID(policy: "p", rule: "r\(number)"), trigger: .level, structure: "\(number)",
            code: start..<image.code.count, directives: number..<(number + 1), acts: 0..<0, isInert: false))
        image.directives.append(
          ImageDirective(
            directive: Directive(
              rule: RuleID(policy: "p", rule: "r\(number)"), action: .stop, targets: []),
            rule: number, until: 0..<0, duration: nil))
      }
    }

    private mutating func emit(depth: Int) {
      let kind = depth == 0 ? 0 : Int.random(in: 0..<5, using: &generator)
      switch kind {
      case 1, 2:
        emit(depth: depth - 1)
        emit(depth: depth - 1)
        image.code.append(kind == 1 ? .and : .or)
      case 3:
        emit(depth: depth - 1)
        image.code.append(.not)
      default: emitTest()
      }
    }

    private mutating func emitTest() {
      let fact = Int.random(in: 0..<5, using: &generator)
      let constant = Int.random(in: 0..<40, using: &generator)
      let comparison = Comparison.allCases[Int.random(in: 0..<6, using: &generator)]
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: image.code.append(.known(fact))
      case 1: image.code.append(.demanded(0))
      case 2: image.code += [.fact(fact), .oneOf(first: constant / 2, count: 3)]
      case 3: image.code += [.constant(constant), .fact(fact), .compare(comparison)]
      case 4: image.code += [.constant(constant), .fact(0), .compare(.less)]
      default: image.code.append(.compareFact(fact, comparison, constant: constant))
      }
    }
  }

  /// Returns a VM with the same conditions and no indexed rule. Each directive gets an `until` that is never
  /// true, so its rule cannot be indexed.
  private func withoutIndex(_ image: Image) throws -> RuleVM {
    var image = image
    let start = image.code.count
    image.code.append(.constant(0))
    for number in image.directives.indices { image.directives[number].until = start..<(start + 1) }
    return RuleVM(image: try ImageVerifier.verify(image), timeZone: .utc, at: .epoch)
  }

  @Test(
    "indexed rules report the same changes in the same order as rules evaluated one by one",
    arguments: [(3, 11), (60, 12), (700, 13), (1500, 14)] as [(Int, UInt64)])
  func agrees(count: Int, seed: UInt64) throws {
    let rules = Rules(count: count, seed: seed)
    var indexed = RuleVM(image: try ImageVerifier.verify(rules.image), timeZone: .utc, at: .epoch)
    var plain = try withoutIndex(rules.image)
    #expect(indexed.plan.index.isIndexed.contains(true))
    #expect(!plain.plan.index.isIndexed.contains(true))
    var generator = SeededGenerator(seed: seed &+ 100)
    var values = Array(repeating: 0.0, count: 5)
    for step in 0..<80 {
      let now = Instant.epoch + .milliseconds(Int64(step) * 300)
      let isLarge = Int.random(in: 0..<3, using: &generator) == 0
      for fact in 0..<5 where isLarge || Int.random(in: 0..<3, using: &generator) == 0 {
        let way = Double.random(in: -0.6...0.6, using: &generator)
        values[fact] = isLarge ? Double(Int.random(in: -2...42, using: &generator)) / 2 : values[fact] + way
        var value = FactValue.number(values[fact])
        if Int.random(in: 0..<12, using: &generator) == 0 { value = .unknown }
        indexed.set(fact: fact, value, at: now)
        plain.set(fact: fact, value, at: now)
      }
      let isDemanded = Int.random(in: 0..<4, using: &generator) == 0
      indexed.setDemanded("gps", isDemanded)
      plain.setDemanded("gps", isDemanded)
      #expect(indexed.propagate(at: now) == plain.propagate(at: now), "step \(step)")
      #expect(indexed.nextTimer == plain.nextTimer)
      guard step % 10 == 0 else { continue }
      let numbers = rules.image.rules.indices
      #expect(numbers.map { indexed.isActive(rule: $0) } == numbers.map { plain.isActive(rule: $0) })
      #expect(numbers.map { indexed.truth(of: $0) } == numbers.map { plain.truth(of: $0) }, "step \(step)")
      #expect(
        numbers.map { indexed.isInForce(directive: $0) } == numbers.map { plain.isInForce(directive: $0) })
    }
  }

  @Test("`firstHeld` returns the first active indexed rule at or after a given rule")
  func first() throws {
    let rules = Rules(count: 700, seed: 5)
    var machine = RuleVM(image: try ImageVerifier.verify(rules.image), timeZone: .utc, at: .epoch)
    for fact in 0..<5 { machine.set(fact: fact, .number(7), at: .epoch) }
    machine.evaluate(at: .epoch)
    var next: Int?
    for rule in rules.image.rules.indices.reversed() {
      if machine.plan.index.isIndexed[rule], machine.isActive(rule: rule) { next = rule }
      if rule % 7 == 0 || rule > 690 { #expect(machine.firstHeld(from: rule) == next) }
    }
  }

  @Test("wrong input: NaN is unknown, infinity lies beyond every constant, and -0 equals 0")
  func oddNumbers() throws {
    var assembled = try AssembledVM([.compareFact(0, .greaterOrEqual, constant: 0)], constants: [0])
    #expect(assembled.truth([.number(.nan)]) == .unknown)
    #expect(assembled.truth([.number(.infinity)]) == .yes)
    #expect(assembled.truth([.number(-.infinity)]) == .no)
    #expect(assembled.truth([.number(-0.0)]) == .yes)
    #expect(assembled.truth([.number(-.leastNonzeroMagnitude)]) == .no)
    #expect(assembled.truth([.number(.greatestFiniteMagnitude)]) == .yes)
  }

  @Test("wrong input: an input with an earlier instant is applied at the current instant")
  func backInTime() throws {
    var assembled = try AssembledVM([.compareFact(0, .greater, constant: 0)], constants: [5])
    #expect(assembled.truth([.number(6)], at: 10) == .yes)
    assembled.machine.set(fact: 0, .number(4), at: .epoch + .seconds(3))
    _ = assembled.machine.propagate(at: .epoch + .seconds(2))
    #expect(assembled.machine.now == .epoch + .seconds(10))
    #expect(assembled.machine.truth(of: 0) == .no)
  }

  @Test("wrong input: of ten thousand values in a millisecond, the last value of each fact decides")
  func flood() throws {
    let rules = Rules(count: 100, seed: 9)
    var flooded = RuleVM(image: try ImageVerifier.verify(rules.image), timeZone: .utc, at: .epoch)
    var calm = flooded
    let now = Instant.epoch + .milliseconds(1)
    for number in 0..<10_000 {
      flooded.set(fact: number % 5, .number(Double(number % 40) / 2), at: now)
    }
    for number in 9_995..<10_000 { calm.set(fact: number % 5, .number(Double(number % 40) / 2), at: now) }
    #expect(flooded.propagate(at: now) == calm.propagate(at: now))
    #expect(rules.image.rules.indices.allSatisfy { flooded.truth(of: $0) == calm.truth(of: $0) })
  }

  @Test("a rule is marked for evaluation only when the result of one of its tests changes")
  func watches() throws {
    var assembled = try AssembledVM(
      [.compareFact(0, .greater, constant: 0), .heldFor(0)], constants: [5],
      slots: [.heldFor(.seconds(3), tolerate: nil)])
    _ = assembled.truth([.number(1)])
    for value in [2.0, 3, 4, 5] {
      assembled.machine.set(fact: 0, .number(value), at: .epoch)
      #expect(assembled.machine.dirty.isEmpty)
    }
    assembled.machine.set(fact: 0, .number(5.5), at: .epoch)
    #expect(assembled.machine.dirty.contains(0))
  }
}
