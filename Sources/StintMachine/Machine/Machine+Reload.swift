public import StintUnits

extension Machine {
  /// Takes over the state of everything that is the same in another machine: slots by their keys, rules and
  /// directives by their structure. Directives that stay in force are not announced again.
  ///
  /// Call it before the first `settle`, after the facts have been set.
  public mutating func adopt(_ old: Machine, at instant: Instant) -> (kept: [SlotKey], dropped: [SlotKey]) {
    var kept: [SlotKey] = []
    var dropped: [SlotKey] = []
    let mine = Dictionary(
      image.slots.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    for (number, slot) in old.image.slots.enumerated() {
      if let place = mine[slot.key], image.slots[place].kind.matches(slot.kind) {
        slots[place] = old.slots[number]
        kept.append(slot.key)
      } else {
        dropped.append(slot.key)
      }
    }
    for (number, rule) in image.rules.enumerated() {
      guard
        let other = old.image.rules.firstIndex(where: { $0.id == rule.id && $0.structure == rule.structure })
      else { continue }
      rules[number] = old.rules[other]
      if rules[number].nextPeriod != .distantFuture { setPeriod(number, to: rules[number].nextPeriod) }
      adoptRuns(of: rule, from: old, old.image.rules[other])
    }
    return (kept, dropped)
  }

  private mutating func adoptRuns(of rule: ImageRule, from old: Machine, _ before: ImageRule) {
    for number in rule.directives {
      for other in before.directives where old.image.isSame(other, as: number, in: image) {
        runs[number] = old.runs[other]
        guard runs[number].end != .distantFuture else { continue }
        timers.set(runTimer(number), to: runs[number].end.nanoseconds)
      }
    }
  }
}

extension Image {
  /// Whether a directive of this image is the same as one of another, but for its place.
  func isSame(_ mine: Int, as yours: Int, in other: Image) -> Bool {
    var left = directives[mine]
    let right = other.directives[yours]
    left.rule = right.rule
    left.until = right.until
    return left == right
  }
}

extension ImageSlot.Kind {
  /// Whether state of one kind is good for the other: places of facts may differ between images.
  func matches(_ other: ImageSlot.Kind) -> Bool {
    switch (self, other) {
    case (.window(let mine, _, let span, let size), .window(let yours, _, let other, let otherSize)):
      mine == yours && span == other && size == otherSize
    default: self == other
    }
  }
}
