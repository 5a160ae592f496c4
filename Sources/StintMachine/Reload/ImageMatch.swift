import StintModel
import StintUnits

/// What of one image is the same in another: where each piece of state goes when the other takes its place.
///
/// State belongs to the expression that owns it: policy, rule and structure. A rule that has another name now, or
/// stands in a policy that has, is found by its whole text. Where an expression differs in its numbers alone,
/// its state goes on under the new ones. Worked out from the images alone, before anything stops.
public struct ImageMatch: Sendable {
  /// By rule of the new image: the rule of the old one that it was, or -1.
  public let rules: [Int]
  /// By rule of the new image: whether its trigger is what it was.
  public let isSameTrigger: [Bool]
  /// By rule of the new image: whether its trigger differs in numbers alone.
  public let isTunedTrigger: [Bool]
  /// By slot of the new image: the slot of the old one, or -1.
  public private(set) var slots: [Int]
  /// By directive of the new image: the directive of the old one, or -1.
  public private(set) var directives: [Int]

  /// Compares two images; `renamed` are facts of policies that have other paths now.
  public init(from old: Image, to new: Image, renamed: [String: String] = [:]) {
    let before = RuleText.all(of: old, renamed: renamed)
    let now = RuleText.all(of: new)
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
      if let key, let place = tuned.readBytes(key) { slots[number] = place }
    }
  }
}

extension ImageDirective {
  /// What stays of an edge rule's directive when its time is tuned; nil for others, which have no state of their own.
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
  /// Whether state of one kind is good for the other: places of facts may differ between images.
  fileprivate func matches(_ other: ImageSlot.Kind) -> Bool {
    switch (self, other) {
    case (.window(let mine, _, let span, let size), .window(let yours, _, let other, let otherSize)):
      mine == yours && span == other && size == otherSize
    default: self == other
    }
  }
}
