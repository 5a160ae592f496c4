import StintModel

/// Rules that switch off what the next one reads, all the way round.
struct RuleCycles {
  /// How many circles are looked at.
  static let most = 2000
  /// Numbers of rules, each circle once, from its lowest.
  private(set) var all: [[Int]] = []

  /// Rules that read and switch off the same devices are alike.
  private struct Kind: Hashable {
    /// Never empty.
    var reads: Set<DeviceID>
    var targets: Set<DeviceID>
  }

  private var kinds: [Kind] = []
  /// By rule: the place of its kind; nil for those that read nothing outside.
  private var kindOf: [Int?]
  /// By kind: the rules that silence what it reads, sorted.
  private var switchOffRules: [[Int]] = []
  /// By kind, then by kind: whether the second silences what the first reads.
  private var isSwitchedOff: [[Bool]] = []
  /// By kind of the lowest rule, then by kind of the next: whether another may close the circle.
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

  /// Adds the circles whose lowest rule is this; true when there are enough.
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
