import StintModel

/// Cycles of two or three rules. Each rule of a cycle reads facts of a device that the next rule switches
/// off.
struct RuleCycles {
  /// The largest number of cycles that are collected.
  static let most = 2000
  /// The cycles as indices of rules; each cycle occurs once and begins with its lowest index.
  private(set) var all: [[Int]] = []

  /// The devices that a rule reads, and the devices that it switches off. Rules with equal `reads` and equal
  /// `targets` are of one kind.
  private struct Kind: Hashable {
    /// The devices whose facts the rule reads; never empty.
    var reads: Set<DeviceID>
    var targets: Set<DeviceID>
  }

  private var kinds: [Kind] = []
  /// The index of each rule's kind; nil for a rule that is left out or reads no device outside its targets.
  private var kindOf: [Int?]
  /// For each kind, the rules that switch off a device that the kind reads, sorted.
  private var switchOffRules: [[Int]] = []
  /// `isSwitchedOff[first][second]`: true when kind `second` switches off a device that kind `first` reads.
  private var isSwitchedOff: [[Bool]] = []
  /// `closing[first][second]`: true when a third kind can close a cycle that begins with these two kinds.
  /// A row is empty before `hasThird` computes it.
  private var closing: [[Bool]] = []

  init(_ rules: [SwitchOffRule], vocabulary: Vocabulary, leavingOut stuck: Set<Int>) {
    kindOf = Array(repeating: nil, count: rules.count)
    var places: [Kind: Int] = [:]
    var members: [[Int]] = []
    for (number, rule) in rules.enumerated() where !stuck.contains(number) {
      let kind = Kind(reads: rule.outsideSensors(vocabulary), targets: rule.targets)
      guard !kind.reads.isEmpty else { continue }
      let place = places[kind] ?? kinds.count
      if place == kinds.count {
        places[kind] = place
        kinds.append(kind)
        members.append([])
      }
      members[place].append(number)
      kindOf[number] = place
    }
    isSwitchedOff = kinds.map { kind in kinds.map { !$0.targets.isDisjoint(with: kind.reads) } }
    switchOffRules = isSwitchedOff.map { row in
      row.indices.filter { row[$0] }.flatMap { members[$0] }.sorted()
    }
    closing = Array(repeating: [], count: kinds.count)
    for first in rules.indices {
      if let kind = kindOf[first], find(from: first, kind) { return }
    }
  }

  /// Adds the cycles whose lowest rule is `first`. Returns true when `most` cycles have been collected.
  private mutating func find(from first: Int, _ kind: Int) -> Bool {
    let hasThird = self.hasThird(kind)
    for second in switchOffRules[kind] where second > first {
      guard all.count < Self.most else { return true }
      guard let secondKind = kindOf[second] else { continue }
      if isSwitchedOff[secondKind][kind] {
        all.append([first, second])
        continue
      }
      guard hasThird[secondKind] else { continue }
      for third in switchOffRules[secondKind] where third > first && third != second {
        guard let thirdKind = kindOf[third], isSwitchedOff[thirdKind][kind] else { continue }
        guard all.count < Self.most else { return true }
        all.append([first, second, third])
      }
    }
    return false
  }

  private mutating func hasThird(_ first: Int) -> [Bool] {
    if closing[first].isEmpty {
      closing[first] = kinds.indices.map { second in
        kinds.indices.contains { isSwitchedOff[second][$0] && isSwitchedOff[$0][first] }
      }
    }
    return closing[first]
  }
}
