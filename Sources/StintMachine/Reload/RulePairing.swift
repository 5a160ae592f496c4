import StintModel

/// Finds for each rule of an image what it was in another: by name and text, else by text, else by name.
struct RulePairing {
  /// What two rules must have in common; nil is no matter.
  private struct Key: Hashable {
    var policy: String?
    var rule: String?
    var text: RuleText?
  }

  private let old: [(id: RuleID, text: RuleText)]
  private let new: [(id: RuleID, text: RuleText)]
  private var isTaken: [Bool]
  /// By rule of the new image: the rule of the old one, or -1.
  private(set) var pairs: [Int]

  init(from old: [(id: RuleID, text: RuleText)], to new: [(id: RuleID, text: RuleText)]) {
    self.old = old
    self.new = new
    isTaken = Array(repeating: false, count: old.count)
    pairs = Array(repeating: -1, count: new.count)
    pair { Key(policy: $0.policy, rule: $0.rule, text: $1) }
    // Another name in the same policy.
    pair { Key(policy: $0.policy, text: $1) }
    // A policy that is gone may be there under another name.
    let gone = Set(old.map(\.id.policy)).subtracting(new.map(\.id.policy))
    if !gone.isEmpty {
      pair(among: gone) { Key(rule: $0.rule, text: $1) }
      pair(among: gone) { Key(text: $1) }
    }
    pair { id, _ in Key(policy: id.policy, rule: id.rule) }
  }

  /// Pairs what is left and has the same key, each in the order of its file.
  private mutating func pair(among policies: Set<String>? = nil, by key: (RuleID, RuleText) -> Key) {
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
