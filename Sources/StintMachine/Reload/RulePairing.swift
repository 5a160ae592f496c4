import StintModel

/// Pairs the rules of a new image with those of an old image. First, rules with equal name and content are
/// paired, then rules with equal content, then rules with equal name. Rules of different policies are paired
/// only when the old policy is missing in the new image and their contents are equal.
struct RulePairing {
  /// The properties that two rules must have in common; nil properties are ignored.
  private struct Key: Hashable {
    var policy: String?
    var rule: String?
    var text: RuleContent?
  }

  private let old: [(id: RuleID, text: RuleContent)]
  private let new: [(id: RuleID, text: RuleContent)]
  private var isTaken: [Bool]
  /// For each rule of the new image: the index of the old rule, or -1.
  private(set) var pairs: [Int]

  init(from old: [(id: RuleID, text: RuleContent)], to new: [(id: RuleID, text: RuleContent)]) {
    self.old = old
    self.new = new
    isTaken = Array(repeating: false, count: old.count)
    pairs = Array(repeating: -1, count: new.count)
    pair { Key(policy: $0.policy, rule: $0.rule, text: $1) }
    // A rule may have been renamed within its policy.
    pair { Key(policy: $0.policy, text: $1) }
    // A policy that is missing in the new image may have been renamed.
    let gone = Set(old.map(\.id.policy)).subtracting(new.map(\.id.policy))
    if !gone.isEmpty {
      pair(among: gone) { Key(rule: $0.rule, text: $1) }
      pair(among: gone) { Key(text: $1) }
    }
    pair { id, _ in Key(policy: id.policy, rule: id.rule) }
  }

  /// Pairs unpaired rules with equal keys, in the order of the images. `policies` restricts the old rules.
  private mutating func pair(among policies: Set<String>? = nil, by key: (RuleID, RuleContent) -> Key) {
    var places: [Key: [Int]] = [:]
    for (number, rule) in old.enumerated().reversed() where !isTaken[number] {
      guard policies?.contains(rule.id.policy) ?? true else { continue }
      places[key(rule.id, rule.text), default: []].append(number)
    }
    guard !places.isEmpty else { return }
    for (number, rule) in new.enumerated() where pairs[number] < 0 {
      guard let place = places[key(rule.id, rule.text)]?.popLast() else { continue }
      pairs[number] = place
      isTaken[place] = true
    }
  }
}
