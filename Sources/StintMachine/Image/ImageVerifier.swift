import StintModel
public import StintUnits

/// An image of which every index, stack and span has been looked at; only the verifier makes one.
public struct VerifiedImage: Hashable, Sendable {
  public let image: Image

  fileprivate init(image: Image) { self.image = image }

  /// An image without rules.
  public static let empty = VerifiedImage(image: Image())
}

/// Looks at everything that a machine would otherwise have to check at every step; trusts nothing.
public enum ImageVerifier {
  /// How deep an expression may nest.
  public static let deepestStack = 64
  /// How many values a window may keep.
  public static let largestWindow = 4096
  /// How many values all windows may keep together: 64 MiB.
  public static let largestWindows = 1 << 22
  /// How many facts a vocabulary may have, and entries a table.
  public static let largestTable = 1 << 20
  /// The longest span: 73 years, so that a few of them never overflow.
  public static let longestSpan = TimeSpan(nanoseconds: .max / 4)
  /// The shortest period of a rule.
  public static let shortestPeriod = TimeSpan.milliseconds(1)

  /// The image, safe to run, or the first reason why it is not.
  public static func verify(_ image: Image) throws(ImageTrap) -> VerifiedImage {
    try sizes(image)
    try tables(image)
    try slots(image)
    for (number, rule) in image.rules.enumerated() { try check(rule, number, image) }
    for (number, directive) in image.directives.enumerated() { try check(directive, number, image) }
    for pair in image.overrides {
      try require(image.rules.indices.contains(pair.winner), .index, "an override names rule \(pair.winner)")
      try require(image.rules.indices.contains(pair.loser), .index, "an override names rule \(pair.loser)")
    }
    return VerifiedImage(image: image)
  }

  private static func sizes(_ image: Image) throws(ImageTrap) {
    let counts = [
      image.facts.count, image.devices.count, image.constants.count, image.spans.count,
      image.schedules.count, image.code.count, image.slots.count, image.rules.count, image.directives.count,
      image.acts.count, image.overrides.count,
    ]
    try require(
      counts.allSatisfy { $0 <= largestTable }, .size, "a table has more than \(largestTable) entries")
    var samples = 0
    for slot in image.slots {
      if case .window(_, _, _, let capacity) = slot.kind, (1...largestWindow).contains(capacity) {
        samples += capacity
      }
    }
    try require(samples <= largestWindows, .size, "windows keep \(samples) values together")
    var keys: Set<SlotKey> = []
    for (number, slot) in image.slots.enumerated() {
      try require(keys.insert(slot.key).inserted, .slot, "slot \(number) has the key of another")
    }
    var names: Set<RuleID> = []
    for rule in image.rules { try require(names.insert(rule.id).inserted, .value, "\(rule.id) stands twice") }
  }

  private static func tables(_ image: Image) throws(ImageTrap) {
    var seen: Set<Int> = []
    for fact in image.facts {
      try require((0..<largestTable).contains(fact.number), .index, "fact number \(fact.number)")
      try require(seen.insert(fact.number).inserted, .index, "fact \(fact.number) stands twice")
      try require(isSpan(fact.maxAge), .value, "fact \(fact.number) stands \(fact.maxAge ?? .zero)")
    }
    for constant in image.constants { try require(constant.isFinite, .value, "constant \(constant)") }
    for span in image.spans {
      try require(span >= .zero && span <= longestSpan, .value, "span \(span)")
    }
    for schedule in image.schedules {
      for window in schedule.windows {
        let isSound =
          window.days.count == 7 && window.from >= .zero && window.to >= .zero && window.from < .hours(24)
          && window.to <= .hours(24)
        try require(isSound, .value, "a window of a schedule leaves its day")
      }
    }
  }

  private static func slots(_ image: Image) throws(ImageTrap) {
    for (number, slot) in image.slots.enumerated() {
      switch slot.kind {
      case .latch: continue
      case .heldFor(let span, let tolerate):
        try require(isSpan(span), .value, "slot \(number) waits \(span)")
        try require(isSpan(tolerate), .value, "slot \(number) tolerates \(tolerate ?? .zero)")
      case .inLast(let span): try require(isSpan(span), .value, "slot \(number) remembers \(span)")
      case .window(_, let fact, let span, let capacity):
        try require(image.facts.indices.contains(fact), .index, "slot \(number) watches fact \(fact)")
        try require(isSpan(span), .value, "slot \(number) spans \(span)")
        let fits = capacity > 0 && capacity <= largestWindow
        try require(fits, .value, "slot \(number) keeps \(capacity) values")
      }
    }
  }

  private static func check(_ rule: ImageRule, _ number: Int, _ image: Image) throws(ImageTrap) {
    let directives = 0...image.directives.count
    let isInside =
      directives.contains(rule.directives.lowerBound) && directives.contains(rule.directives.upperBound)
    try require(isInside, .index, "rule \(number) has directives \(rule.directives)")
    for directive in rule.directives {
      try require(
        image.directives[directive].rule == number, .index, "directive \(directive) is another rule's")
    }
    let acts = 0...image.acts.count
    try require(
      acts.contains(rule.acts.lowerBound) && acts.contains(rule.acts.upperBound), .index,
      "rule \(number) has acts \(rule.acts)")
    try check(rule.code, "rule \(number)", image)
    switch rule.trigger {
    case .level: break
    case .rise(let atMost):
      try require(!rule.code.isEmpty, .stack, "rule \(number) rises without a condition")
      try require(isSpan(atMost), .value, "rule \(number) acts at most once in \(atMost ?? .zero)")
    case .period(let period, let flex):
      try require(
        isSpan(period) && period >= shortestPeriod, .value, "rule \(number) repeats each \(period)")
      try require(isSpan(flex), .value, "rule \(number) is late by \(flex ?? .zero)")
    }
  }

  private static func check(_ directive: ImageDirective, _ number: Int, _ image: Image) throws(ImageTrap) {
    try require(image.rules.indices.contains(directive.rule), .index, "directive \(number) has no rule")
    let rule = image.rules[directive.rule]
    try require(rule.directives.contains(number), .index, "directive \(number) is not among its rule's")
    try check(directive.until, "directive \(number)", image)
    try require(
      (directive.duration ?? .unlimited) > .zero, .value, "directive \(number) lasts no time")
    try require(
      rule.trigger == .level || directive.duration != nil, .value, "directive \(number) of an edge has no end"
    )
    if let ceiling = directive.doublingTo {
      try require(ceiling >= directive.duration ?? .zero, .value, "directive \(number) doubles downwards")
    }
    try require(directive.atMost.map { $0 > 0 } ?? true, .value, "directive \(number) may never act")
  }

  private static func check(_ code: Range<Int>, _ owner: String, _ image: Image) throws(ImageTrap) {
    guard !code.isEmpty else { return }
    try require(
      code.lowerBound >= 0 && code.upperBound <= image.code.count, .index, "\(owner) has code \(code)")
    var depth = 0
    for place in code {
      let instruction = image.code[place]
      try check(instruction, image)
      depth -= instruction.operands
      try require(depth >= 0, .stack, "\(owner) pops an empty stack at \(place)")
      depth += 1
      try require(depth <= deepestStack, .stack, "\(owner) nests deeper than \(deepestStack)")
    }
    try require(depth == 1, .stack, "\(owner) leaves \(depth) values")
  }

  private static func check(_ instruction: Instruction, _ image: Image) throws(ImageTrap) {
    switch instruction {
    case .constant(let index):
      try require(image.constants.indices.contains(index), .index, "constant \(index)")
    case .fact(let index), .known(let index):
      try require(image.facts.indices.contains(index), .index, "fact \(index)")
    case .age(let index, _, let span):
      try require(image.facts.indices.contains(index), .index, "fact \(index)")
      try require(image.spans.indices.contains(span), .index, "span \(span)")
    case .compareFact(let index, _, let constant):
      try require(image.facts.indices.contains(index), .index, "fact \(index)")
      try require(image.constants.indices.contains(constant), .index, "constant \(constant)")
    case .demanded(let index): try require(image.devices.indices.contains(index), .index, "device \(index)")
    case .schedule(let index):
      try require(image.schedules.indices.contains(index), .index, "schedule \(index)")
    case .oneOf(let first, let count):
      let isInside =
        first >= 0 && count >= 0 && count <= image.constants.count
        && first <= image.constants.count - count
      try require(isInside, .index, "constants \(first) and \(count) more")
    case .latch(let slot), .heldFor(let slot), .inLast(let slot), .window(let slot):
      try require(image.slots.indices.contains(slot), .index, "slot \(slot)")
      try require(fits(instruction, image.slots[slot].kind), .slot, "slot \(slot) is of another kind")
    case .not, .and, .or, .compare, .arithmetic, .negate: return
    }
  }

  private static func fits(_ instruction: Instruction, _ kind: ImageSlot.Kind) -> Bool {
    switch (instruction, kind) {
    case (.latch, .latch), (.heldFor, .heldFor), (.inLast, .inLast), (.window, .window): true
    default: false
    }
  }

  /// Whether a span is missing, or positive and short enough.
  private static func isSpan(_ span: TimeSpan?) -> Bool {
    span.map { $0 > .zero && $0 <= longestSpan } ?? true
  }

  private static func require(
    _ condition: Bool, _ code: ImageTrap.Code, _ sentence: @autoclosure () -> String
  ) throws(ImageTrap) {
    guard condition else { throw ImageTrap(code, sentence()) }
  }
}
