import StintLanguage
import StintTestSupport

struct RandomRequirement {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 7) }

  static func source(_ body: String) -> SourceText {
    SourceText(
      file: "planted.stint",
      text: """
        policy "planted"
        use location.gnss as gps
        use location.wifi as place
        default gps { linger 5 s }
        default place { linger 2 s }
        \(body)
        """)
  }

  /// Returns a policy with a few rules and one requirement about its devices.
  mutating func policy() -> String {
    let rules = (0..<Int.random(in: 0...3, using: &random)).map { number in
      random.once(in: 4)
        ? reader(number) : "rule r\(number) while \(condition(1)) { \(directive()) }"
    }
    return (rules + ["require \(requirement())"]).joined(separator: "\n")
  }

  /// Returns a rule that switches a sensor on to read a fact.
  private mutating func reader(_ number: Int) -> String {
    let value = random.pick(["gps.speed > 5 m/s", "place.accuracy < 50 m", "(gps.speed > 5 m/s for 1 min)"])
    let trigger = random.pick([
      "when \(value)", "when \(condition(0)) and \(value)", "while \(value) or \(condition(0))",
      "while \(value) and \(condition(1))",
    ])
    let effect = trigger.hasPrefix("when") ? "emit \"read\"" : directive()
    return "rule r\(number) \(trigger) { \(effect) }"
  }

  /// Returns a condition on facts that do not depend on the rules.
  mutating func condition(_ depth: Int) -> String {
    guard depth > 0 else { return atom() }
    switch Int.random(in: 0...5, using: &random) {
    case 0, 1: return "(\(condition(depth - 1)) and \(condition(depth - 1)))"
    case 2: return "(\(condition(depth - 1)) or \(condition(depth - 1)))"
    case 3: return "(\(condition(depth - 1)) implies \(condition(depth - 1)))"
    case 4: return "not (\(condition(depth - 1)))"
    default: return atom()
    }
  }

  private mutating func atom() -> String {
    random.pick([
      "battery.level < 20 %", "battery.level > 40 %", "battery.level <= 40 %", "battery.level >= 20 %",
      "battery.level <= 100 %", "app.state is background", "app.state is foreground", "screen.on",
      "known(screen.on)", "known(app.state)",
    ])
  }

  private mutating func directive() -> String {
    random.pick([
      "stop gps", "pause gps", "start gps for \"map\"", "downgrade gps to 100 m", "stop place",
      "start place for \"map\"", "stop [gps, place]",
    ])
  }

  private mutating func requirement() -> String {
    let about = [
      "gps.on implies \(condition(1))", "\(condition(1)) implies not gps.on", "not (gps.on and place.on)",
      "not gps.on or demanded(gps)", "gps.on implies demanded(gps)", "\(condition(1)) implies demanded(gps)",
      "not ((gps.on for 1 min) and \(condition(1)))", "gps.on or \(condition(0))", "not gps.on",
      "place.on and \(condition(0)) implies demanded(place) or \(condition(0))", "wakeups(gps) <= 721 per h",
      "wakeups(gps) <= 2 per h", "place.on implies gps.on",
    ]
    return random.pick(about)
  }
}
