import StintModel

/// What of one image is the same in another: where each piece of state goes when the other takes its place.
///
/// State belongs to the expression that owns it: policy, rule and structure. A rule that has another name now, or
/// stands in a policy that has, is found by its whole text. Worked out from the images alone, before anything stops.
public struct ImageMatch: Sendable {
  /// By rule of the new image: the rule of the old one that it was, or -1.
  public let rules: [Int]
  /// By rule of the new image: whether its trigger is what it was.
  public let isSameTrigger: [Bool]
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
    slots = Array(repeating: -1, count: new.slots.count)
    directives = Array(repeating: -1, count: new.directives.count)
    matchSlots(old, new, renamed)
    for (number, former) in pairs.enumerated() where former >= 0 {
      var rest = Array(zip(old.rules[former].directives, before[former].directives))
      for (directive, text) in zip(new.rules[number].directives, now[number].directives) {
        guard let place = rest.firstIndex(where: { $0.1 == text }) else { continue }
        directives[directive] = rest.remove(at: place).0
      }
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
    for (number, slot) in new.slots.enumerated() {
      var key = slot.key
      guard let owner = former[key.rule] else { continue }
      key.rule = owner
      guard let place = places[key], slot.kind.matches(old.slots[place].kind) else { continue }
      slots[number] = place
    }
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
