import StintLanguage
import StintTestSupport

/// Two small policies. The second policy is derived from the first policy by changes that often have no
/// effect.
struct RandomPair {
  /// A rule, split into its parts.
  private struct Rule {
    var name: String
    var over: String?
    var condition: String
    var directive: String

    var text: String {
      "rule \(name)\(over.map { " over \($0)" } ?? "") while \(condition) { \(directive) }"
    }
  }

  private var random: SeededGenerator
  /// True when conditions contain temporal operators.
  private let looksBack: Bool
  private(set) var before = ""
  private(set) var after = ""

  init(seed: UInt64, looksBack: Bool) {
    random = SeededGenerator(seed: seed)
    self.looksBack = looksBack
    let rules = (0..<Int.random(in: 2...3, using: &random)).map { rule($0) }
    var changed = rules
    for _ in 0..<Int.random(in: 1...2, using: &random) { changed = change(changed) }
    before = rules.map(\.text).joined(separator: "\n")
    after = changed.map(\.text).joined(separator: "\n")
  }

  private mutating func rule(_ number: Int) -> Rule {
    let over = number > 0 && random.once(in: 3) ? "r\(number - 1)" : nil
    return Rule(name: "r\(number)", over: over, condition: condition(1), directive: directive())
  }

  private mutating func directive() -> String {
    random.pick([
      "stop gps", "pause gps", "stop gps except \"sos\"", "downgrade gps to 50 m", "downgrade gps to 100 m",
      "downgrade gps to 1 per 10 s", "batch gps until 5 min", "batch gps until 9 min",
      "start gps for \"map\"",
    ])
  }

  private mutating func condition(_ depth: Int) -> String {
    if depth > 0 {
      switch Int.random(in: 0...3, using: &random) {
      case 0: return "\(condition(depth - 1)) and \(condition(depth - 1))"
      case 1: return "(\(condition(depth - 1)) or \(condition(depth - 1)))"
      case 2: return "not (\(condition(depth - 1)))"
      default: break
      }
    }
    let limit = random.pick(["20", "40"])
    let plain = [
      "battery.level < \(limit) %", "battery.level >= \(limit) %", "screen.on", "not screen.on",
      "known(battery.level)",
    ]
    let back = [
      "battery.level below \(limit) % release 60 %", "screen.on for \(random.pick(["1 min", "3 min"]))",
      "battery.level < \(limit) % for 2 min", "screen.on in last \(random.pick(["1 min", "3 min"]))",
    ]
    return random.pick(looksBack ? plain + back + back : plain + ["app.state is background"])
  }

  private mutating func change(_ rules: [Rule]) -> [Rule] {
    var rules = rules
    let number = Int.random(in: 0..<rules.count, using: &random)
    switch Int.random(in: looksBack ? -6...7 : 0...7, using: &random) {
    case ...0: rules[number].condition = condition(1)
    case 1: rules[number].directive = directive()
    case 2: rules[number].condition = "not (not (\(rules[number].condition)))"
    case 3: rules[number].condition = "(\(rules[number].condition)) and (\(rules[number].condition))"
    case 4: rules[number].condition = "(\(rules[number].condition)) or (screen.on and not screen.on)"
    case 5:
      // A copy of the rule under another name.
      var twin = rules[number]
      twin.name = "twin\(rules.count)"
      twin.over = nil
      if rules.allSatisfy({ $0.over != rules[number].name }) { rules.append(twin) }
    case 6: rules[number].over = nil
    default: rules.reverse()
    }
    return rules
  }
}
