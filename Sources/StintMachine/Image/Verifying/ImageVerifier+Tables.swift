import StintModel
import StintUnits

extension ImageVerifier {
  static func checkSizes(_ image: Image) throws(Problem) {
    let tables: [(name: String, count: Int)] = [
      ("facts", image.facts.count), ("devices", image.devices.count), ("constants", image.constants.count),
      ("spans", image.spans.count), ("schedules", image.schedules.count), ("code", image.code.count),
      ("slots", image.slots.count), ("rules", image.rules.count), ("directives", image.directives.count),
      ("acts", image.acts.count), ("overrides", image.overrides.count),
    ]
    for (name, count) in tables {
      try require(
        count <= PolicyLimits.maxTableEntries, .size, "the \(name)",
        "there are \(count), and at most \(PolicyLimits.maxTableEntries) are allowed")
    }
    var samples = 0
    for slot in image.slots {
      if case .window(_, _, _, let capacity) = slot.kind,
        (1...PolicyLimits.maxWindowValues).contains(capacity)
      {
        samples += capacity
      }
    }
    try require(
      samples <= PolicyLimits.maxTotalWindowValues, .size, "the slots",
      "windows store \(samples) samples in total")
  }

  /// Checks that slot keys and rule identifiers are unique. A reload matches state by these keys and
  /// identifiers.
  static func checkNames(_ image: Image) throws(Problem) {
    var keys: Set<SlotKey> = []
    for (number, slot) in image.slots.enumerated() {
      try require(keys.insert(slot.key).inserted, .slot, "slot \(number)", "its key is not unique")
    }
    var names: Set<RuleID> = []
    for (number, rule) in image.rules.enumerated() {
      try require(names.insert(rule.id).inserted, .value, "rule \(number)", "the id \(rule.id) is not unique")
    }
  }

  static func checkTables(_ image: Image) throws(Problem) {
    var seen: Set<Int> = []
    for (place, fact) in image.facts.enumerated() {
      try require(
        (0..<PolicyLimits.maxTableEntries).contains(fact.number), .index, "fact \(place)",
        "its index is \(fact.number)")
      try require(
        seen.insert(fact.number).inserted, .index, "fact \(place)", "the index \(fact.number) is not unique")
      try require(isSpan(fact.maxAge), .value, "fact \(place)", "its maximum age is \(fact.maxAge ?? .zero)")
    }
    for (place, constant) in image.constants.enumerated() {
      try require(constant.isFinite, .value, "constant \(place)", "it is \(constant)")
    }
    for (place, span) in image.spans.enumerated() {
      try require(span >= .zero && span <= PolicyLimits.maxSpan, .value, "span \(place)", "it is \(span)")
    }
    for (place, schedule) in image.schedules.enumerated() {
      for window in schedule.windows {
        let isSound =
          window.days.count == 7 && window.from >= .zero && window.to >= .zero && window.from < .hours(24)
          && window.to <= .hours(24)
        try require(isSound, .value, "schedule \(place)", "a window has invalid days or times")
      }
    }
  }

  static func checkSlots(_ image: Image) throws(Problem) {
    for (number, slot) in image.slots.enumerated() {
      let place = { "slot \(number)" }
      switch slot.kind {
      case .latch: continue
      case .heldFor(let span, let tolerate):
        try require(isWithinTimerLimits(span), .value, place(), "its span is \(span)")
        try require(
          isWithinTimerLimits(tolerate), .value, place(), "its tolerated gap is \(tolerate ?? .zero)")
      case .inLast(let span): try require(isWithinTimerLimits(span), .value, place(), "its span is \(span)")
      case .window(_, let fact, let span, let capacity):
        try require(image.facts.indices.contains(fact), .index, place(), "there is no fact \(fact)")
        try require(isWithinTimerLimits(span), .value, place(), "its span is \(span)")
        let fits = capacity > 0 && capacity <= PolicyLimits.maxWindowValues
        try require(fits, .value, place(), "its capacity is \(capacity) samples")
      }
    }
  }

  /// Checks that the total length of the `oneOf` lists is within its limit. The limit is necessary, because
  /// the VM searches these lists linearly.
  static func checkLists(_ image: Image) throws(Problem) {
    var entries = 0
    for instruction in image.code {
      if case .oneOf(_, let count) = instruction {
        entries += min(max(count, 0), PolicyLimits.maxTableEntries)
      }
    }
    try require(
      entries <= PolicyLimits.maxTableEntries, .size, "the code", "its lists have \(entries) entries in total"
    )
  }
}
