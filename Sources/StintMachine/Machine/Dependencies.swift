import StintModel

/// The rules to evaluate when a fact, a demand or the time changes. Computed once when an image is loaded.
struct Dependencies {
  /// For each fact: true when a condition reads its value.
  var isRead: [Bool]
  /// The rules that a fact affects. For each fact: the rules to evaluate when its value changes (`readers`),
  /// and the rules to evaluate at each publication, even of an equal value (`refreshed`).
  var readers: [[Int]]
  var refreshed: [[Int]]
  /// For each fact: the window slots that store its samples.
  var windows: [[Int]]
  var demandReaders: [[Int]]
  /// The tests of facts in the code of rules. A rule is evaluated when the result of one of its tests
  /// changes.
  var watches: [RuleWatch] = []
  /// For each rule: true when its result can change although no fact changes.
  var timed: [Bool]

  init(_ image: Image) {
    isRead = Array(repeating: false, count: image.facts.count)
    readers = Array(repeating: [], count: image.facts.count)
    refreshed = readers
    windows = readers
    demandReaders = Array(repeating: [], count: image.devices.count)
    timed = Array(repeating: false, count: image.rules.count)
    for (number, slot) in image.slots.enumerated() {
      if case .window(_, let fact, _, _) = slot.kind { windows[fact].append(number) }
    }
    for (number, rule) in image.rules.enumerated() {
      note(rule.code, of: number, image)
      for directive in rule.directives { note(image.directives[directive].until, of: number, image) }
    }
  }

  private mutating func note(_ code: Range<Int>, of rule: Int, _ image: Image) {
    for place in code {
      switch image.code[place] {
      case .fact(let fact):
        isRead[fact] = true
        if !watchLatch(at: place, in: code, fact, rule, image) { Self.add(rule, to: &readers[fact]) }
      case .known(let fact):
        isRead[fact] = true
        watches.append(RuleWatch(fact: fact, rule: rule, test: .known))
      case .compareFact(let fact, let comparison, let constant):
        isRead[fact] = true
        let test = ValueTest.compare(comparison, image.constants[constant])
        watches.append(RuleWatch(fact: fact, rule: rule, test: test))
      case .age(let fact, _, _):
        isRead[fact] = true
        timed[rule] = true
        Self.add(rule, to: &readers[fact])
        Self.add(rule, to: &refreshed[fact])
      case .window(let slot):
        timed[rule] = true
        if case .window(_, let fact, _, _) = image.slots[slot].kind { Self.add(rule, to: &refreshed[fact]) }
      case .demanded(let device): Self.add(rule, to: &demandReaders[device])
      case .schedule, .heldFor, .inLast: timed[rule] = true
      default: continue
      }
    }
  }

  /// Adds watches for a latch (a comparison with a `release`) with two constants. The rule is then evaluated
  /// only when the fact crosses one of the constants. Returns false when the fact is not the operand of such
  /// a latch.
  private mutating func watchLatch(
    at place: Int, in code: Range<Int>, _ fact: Int, _ rule: Int, _ image: Image
  ) -> Bool {
    guard place + 3 < code.upperBound, case .constant(let threshold) = image.code[place + 1],
      case .constant(let release) = image.code[place + 2], case .latch = image.code[place + 3]
    else { return false }
    for limit in [threshold, release] {
      let test = ValueTest.compare(.equal, image.constants[limit])
      watches.append(RuleWatch(fact: fact, rule: rule, test: test))
    }
    return true
  }

  private static func add(_ rule: Int, to list: inout [Int]) {
    if list.last != rule { list.append(rule) }
  }
}
