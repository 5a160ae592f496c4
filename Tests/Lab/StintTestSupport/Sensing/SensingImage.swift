import StintMachine
import StintModel
import StintUnits

/// Makes random images with facts of three kinds: two Boolean facts, a word, and three numbers.
struct SensingImage {
  /// For each fact: the number of its possible values; nil for numbers.
  static let choices: [Int?] = [2, 2, 3, nil, nil, nil]
  /// The maximum age of each fact in seconds; nil for no limit.
  static let maxAges: [Int64?] = [nil, 90, nil, nil, 90, nil]

  private(set) var image = Image()
  private(set) var generator: SeededGenerator
  private let rule: RuleID
  private var code: [Instruction] = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    rule = RuleID(policy: "p", rule: "r")
    image.facts = Self.maxAges.enumerated().map { ImageFact(number: $0, maxAge: $1.map { .seconds($0) }) }
    image.devices = ["gps"]
    let days = [true, true, true, true, true, true, true]
    image.schedules = [
      ImageSchedule(windows: [.init(days: days, from: .zero, to: .minutes(7))]),
      ImageSchedule(windows: [.init(days: days, from: .minutes(5), to: .minutes(12))]),
    ]
    for number in 0..<Int.random(in: 1...4, using: &generator) { add(number) }
  }

  private mutating func add(_ number: Int) {
    let isLevel = generator.once(in: 2)
    let first = image.directives.count
    let condition = block(depth: 3)
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      let until = generator.once(in: 3) ? block(depth: 2) : 0..<0
      let id = RuleID(policy: "p", rule: "r\(number)")
      image.directives.append(
        ImageDirective(
          directive: Directive(rule: id, action: .stop, targets: ["gps"]), rule: number, until: until,
          duration: isLevel ? nil : .seconds(Int64.random(in: 20...200, using: &generator)),
          doublingTo: isLevel || generator.once(in: 2) ? nil : .seconds(400)))
    }
    let acts = image.acts.count
    if !isLevel { image.acts.append(.emit("\(number)")) }
    let trigger: ImageRule.Trigger =
      isLevel
      ? .level
      : generator.once(in: 4)
        ? .period(.seconds(70), flex: nil) : .rise(atMost: generator.once(in: 3) ? .seconds(100) : nil)
    image.rules.append(
      ImageRule(
        id: RuleID(policy: "p", rule: "r\(number)"), trigger: trigger, structure: "", code: condition,
        directives: first..<image.directives.count, acts: acts..<image.acts.count, isInert: false))
  }

  private mutating func block(depth: Int) -> Range<Int> {
    code = []
    condition(depth)
    let start = image.code.count
    image.code += code
    return start..<image.code.count
  }

  private mutating func constant(_ number: Double) -> Int {
    image.constants.append(number)
    return image.constants.count - 1
  }

  private mutating func slot(_ kind: ImageSlot.Kind) -> Int {
    let key = SlotKey(rule: rule, structure: "\(image.slots.count)", occurrence: 0)
    image.slots.append(ImageSlot(kind: kind, key: key, place: 0..<0))
    return image.slots.count - 1
  }

  private mutating func seconds(_ range: ClosedRange<Int64>) -> TimeSpan {
    .seconds(Int64.random(in: range, using: &generator))
  }

  private mutating func condition(_ depth: Int) {
    guard depth > 0 else { return leaf() }
    switch Int.random(in: 0...11, using: &generator) {
    case 0...3:
      for place in 0..<Int.random(in: 2...3, using: &generator) {
        condition(depth - 1)
        if place > 0 { code.append(.and) }
      }
    case 4, 5:
      condition(depth - 1)
      condition(depth - 1)
      code.append(.or)
    case 6:
      condition(depth - 1)
      code.append(.not)
    case 7:
      condition(depth - 1)
      let tolerate: TimeSpan? = generator.once(in: 2) ? nil : seconds(5...40)
      code.append(.heldFor(slot(.heldFor(seconds(20...150), tolerate: tolerate))))
    case 8:
      condition(depth - 1)
      code.append(.inLast(slot(.inLast(seconds(20...150)))))
    default: leaf()
    }
  }

  private mutating func leaf() {
    let number = Int.random(in: 3...5, using: &generator)
    let limit = Double(Int.random(in: -20...20, using: &generator))
    switch Int.random(in: 0...13, using: &generator) {
    case 0, 1: code.append(.fact(Int.random(in: 0...1, using: &generator)))
    case 2, 3:
      let word = constant(Double(Int.random(in: 0...2, using: &generator)))
      code.append(.compareFact(2, generator.once(in: 3) ? .notEqual : .equal, constant: word))
    case 4...6:
      code.append(.compareFact(number, generator.pick(Comparison.allCases), constant: constant(limit)))
    case 7: code.append(.known(Int.random(in: 0...5, using: &generator)))
    case 8: code.append(.schedule(Int.random(in: 0...1, using: &generator)))
    case 9:
      let isBelow = generator.once(in: 2)
      let release = constant(isBelow ? limit + 6 : limit - 6)
      code += [.fact(number), .constant(constant(limit)), .constant(release)]
      code.append(.latch(slot(.latch(isBelow ? .below : .above))))
    case 10: code.append(.demanded(0))
    case 11:
      image.spans.append(seconds(10...60))
      code.append(.age(number, generator.pick([.less, .greater]), span: image.spans.count - 1))
    case 12:
      let window = slot(.window(generator.pick([.avg, .max]), fact: number, seconds(30...90), capacity: 16))
      code += [.window(window), .constant(constant(limit)), .compare(.greater)]
    default:
      code += [.fact(3), .fact(number), .arithmetic(.subtract), .constant(constant(limit)), .compare(.less)]
    }
  }
}
