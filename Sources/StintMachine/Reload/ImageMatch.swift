import StintModel
import StintUnits

/// The correspondence between the rules, slots and directives of two images, which determines how a reload
/// migrates state.
///
/// Each state belongs to an expression, which is identified by policy, rule and structure. A rule whose name
/// or policy was renamed is matched by its whole content. An expression that differs only in numbers keeps
/// its state. The match needs only the two images, so it can be computed while the old rules still run.
public struct ImageMatch: Sendable {
  /// For each rule of the new image: the index of the corresponding old rule, or -1.
  public let rules: [Int]
  /// For each rule of the new image: true when its trigger is unchanged.
  public let isSameTrigger: [Bool]
  /// For each rule of the new image: true when its trigger differs only in numbers.
  public let isTunedTrigger: [Bool]
  /// For each slot of the new image: the index of the corresponding old slot, or -1.
  public private(set) var slots: [Int]
  /// For each directive of the new image: the index of the corresponding old directive, or -1.
  public private(set) var directives: [Int]

  /// Compares two images. `renamed` maps the old paths of facts that policies declare to the new paths.
  public init(from old: Image, to new: Image, renamed: [String: String] = [:]) {
    let before = RuleContent.all(of: old, renamed: renamed)
    let now = RuleContent.all(of: new)
    let pairs = RulePairing(
      from: zip(old.rules, before).map { ($0.id, $1) }, to: zip(new.rules, now).map { ($0.id, $1) }
    ).pairs
    rules = pairs
    isSameTrigger = pairs.enumerated().map { $1 >= 0 && before[$1].trigger == now[$0].trigger }
    isTunedTrigger = pairs.enumerated().map { number, former in
      guard former >= 0, before[former].trigger != now[number].trigger else { return false }
      return Structure.shape(of: before[former].trigger) == Structure.shape(of: now[number].trigger)
    }
    slots = Array(repeating: -1, count: new.slots.count)
    directives = Array(repeating: -1, count: new.directives.count)
    matchSlots(old, new, renamed)
    for (number, former) in pairs.enumerated() where former >= 0 {
      let texts = (before[former].directives, now[number].directives)
      matchDirectives(old.rules[former].directives, texts.0, new.rules[number].directives, texts.1)
    }
  }

  private mutating func matchDirectives(
    _ old: Range<Int>, _ before: [ImageDirective], _ new: Range<Int>, _ now: [ImageDirective]
  ) {
    var rest = Array(zip(old, before))
    for (directive, text) in zip(new, now) {
      guard let place = rest.firstIndex(where: { $0.1 == text }) else { continue }
      directives[directive] = rest.remove(at: place).0
    }
    for (directive, text) in zip(new, now) where directives[directive] < 0 {
      guard let tuned = text.withoutNumbers,
        let place = rest.firstIndex(where: { $0.1.withoutNumbers == tuned })
      else { continue }
      directives[directive] = rest.remove(at: place).0
    }
  }

  private mutating func matchSlots(_ old: Image, _ new: Image, _ renamed: [String: String]) {
    var places: [SlotKey: Int] = [:]
    for (number, slot) in old.slots.enumerated() {
      var key = slot.key
      key.structure = Structure.renaming(key.structure, renamed)
      places[key] = number
    }
    var former: [RuleID: RuleID] = [:]
    for (number, before) in rules.enumerated() where before >= 0 {
      former[new.rules[number].id] = old.rules[before].id
    }
    let keys = new.slots.map { slot in
      former[slot.key.rule].map {
        SlotKey(rule: $0, structure: slot.key.structure, occurrence: slot.key.occurrence)
      }
    }
    for (number, slot) in new.slots.enumerated() {
      guard let key = keys[number], let place = places[key], slot.kind.matches(old.slots[place].kind) else {
        continue
      }
      slots[number] = place
      places[key] = nil
    }
    var tuned = TunedSlots(places.sorted { $0.value < $1.value }.map { (place: $0.value, key: $0.key) })
    for (number, key) in keys.enumerated() where slots[number] < 0 {
      if let key, let place = tuned.removeSlot(matching: key) { slots[number] = place }
    }
  }
}

extension ImageDirective {
  /// The directive with all numbers of its duration, limit and `until` removed. Nil for a directive of a
  /// `while` or `always` rule, because such a directive has no state.
  fileprivate var withoutNumbers: ImageDirective? {
    guard duration != nil else { return nil }
    var entry = self
    entry.structure = Structure.shape(of: structure)
    entry.duration = .zero
    if doublingTo != nil { entry.doublingTo = .zero }
    if atMost != nil { entry.atMost = 0 }
    return entry
  }
}

extension ImageSlot.Kind {
  /// Returns whether the state of `other` fits this kind of slot. Fact indexes may differ between images.
  fileprivate func matches(_ other: ImageSlot.Kind) -> Bool {
    switch (self, other) {
    case (.window(let mine, _, let span, let size), .window(let yours, _, let other, let otherSize)):
      mine == yours && span == other && size == otherSize
    default: self == other
    }
  }
}
