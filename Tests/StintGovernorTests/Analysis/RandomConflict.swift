import StintLanguage
import StintTestSupport

/// Random policies with a start and a stop of a device. In `fighting`, the chosen facts make both rules
/// active. In `peaceful`, no facts make both rules active, or the second rule does not stop the demand of the
/// first rule.
struct RandomConflict {
  private var random: SeededGenerator
  /// The chosen facts: with the values of the properties from `level` to `reach`, both rules are active.
  private var level: Int
  private var app: String
  private var screen: Bool
  private let net: String
  private let steps: Int
  private let reach: Int

  static func source(_ body: String) -> SourceText {
    SourceText(
      file: "planted.stint",
      text: """
        policy "planted"
        use location.gnss as gps
        use location.wifi as place
        schedule night = 22:00..06:00
        schedule weekend = sat, sun 00:00..00:00
        \(body)
        """)
  }

  /// Returns two rules with a conflict.
  static func fighting(seed: UInt64) -> String {
    var maker = RandomConflict(seed)
    let go = maker.either("while \(maker.condition(2))", "while \(maker.condition(1)) for 2 min")
    let condition = maker.condition(2)
    let halt = maker.pick([
      "while \(condition) { stop gps }", "while \(condition) { pause gps }",
      "always { stop gps except \"other\" }",
      "when \(condition) { stop gps for 30 min }",
      "when \(condition) { stop gps for 30 min doubling to 1 h }",
      "every 10 min if \(condition) { stop gps for 1 min }", "while \(condition) { stop [gps, place] }",
    ])
    let pair = ["rule go \(go) { start gps for \"map\" }", "rule halt \(halt)"]
    return (maker.random.once(in: 2) ? pair : pair.reversed()).joined(separator: "\n")
  }

  /// Returns two rules without a conflict.
  static func peaceful(seed: UInt64) -> String {
    var maker = RandomConflict(seed)
    var other = RandomConflict(seed)
    other.random = SeededGenerator(seed: seed ^ 0xA5A5)
    other.level -= 8
    other.app = maker.app == "foreground" ? "background" : "foreground"
    maker.screen = false
    other.screen = true
    let (go, halt, same) = (maker.condition(1), other.condition(1), maker.condition(1))
    let (limit, state) = (maker.level, maker.app)
    return maker.pick([
      "rule go over halt while (\(go)) and gps.speed > 3 m/s { start gps for \"map\" }\nrule halt while \(same) { stop gps }",
      "rule go while \(go) { start gps for \"map\" }\nrule halt while \(halt) { stop place }",
      "rule go while \(go) { start gps for \"map\" }\nrule halt while \(halt) { stop gps except \"map\" }",
      "rule go while \(go) { start gps for \"map\" }\nrule halt while \(halt) { downgrade gps to 100 m }",
      """
      rule go while (\(go)) and battery.level >= \(limit) % { start gps for "map" }
      rule halt while (\(halt)) and battery.level < \(limit) % { stop gps }
      """,
      """
      rule go while (\(go)) and app.state is \(state) for 5 min { start gps for "map" }
      rule halt while (\(halt)) and not app.state is \(state) { pause gps }
      """,
      """
      rule go while (\(go)) and not (screen.on in last 10 min) { start gps for "map" }
      rule halt while (\(halt)) and screen.on { pause gps }
      """,
      """
      rule go while (\(go)) and time in night { start gps for "map" }
      rule halt while (\(halt)) and not time in night { stop gps }
      """,
      """
      rule go while (\(go)) { start gps for "map" with { pause off } }
      rule halt while (\(halt)) { pause gps }
      """,
      """
      rule go while (\(go)) and battery.level above \(limit) % release \(limit - 5) % { start gps for "map" }
      rule halt while (\(halt)) and battery.level < \(limit - 5) % { stop gps }
      """,
    ])
  }

  private init(_ seed: UInt64) {
    random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 1)
    level = Int.random(in: 25...85, using: &random)
    app = random.pick(["foreground", "background"])
    screen = random.once(in: 2)
    net = random.pick(["none", "cellular", "wifi"])
    steps = Int.random(in: 100...9000, using: &random)
    reach = Int.random(in: 20...900, using: &random)
  }

  private mutating func pick(_ all: [String]) -> String { random.pick(all) }

  private mutating func either(_ first: String, _ second: String) -> String { pick([first, second]) }

  /// Returns a condition that is true for the chosen facts.
  private mutating func condition(_ depth: Int) -> String {
    guard depth > 0 else { return atom() }
    switch Int.random(in: 0...7, using: &random) {
    case 0, 1: return "(\(condition(depth - 1)) and \(condition(depth - 1)))"
    case 2: return "(\(condition(depth - 1)) or \(wrong()))"
    case 3: return "not \(wrong())"
    case 4: return "(\(condition(depth - 1)) for \(pick(["30 s", "2 min", "5 min"])))"
    case 5: return "(\(condition(depth - 1)) in last \(pick(["1 min", "10 min"])))"
    case 6: return "(\(wrong()) implies \(atom()))"
    default: return atom()
    }
  }

  private mutating func atom() -> String {
    let more = Int.random(in: 1...10, using: &random)
    return pick([
      "battery.level < \(level + more) %", "battery.level > \(level - more) %",
      "battery.level below \(level + more) % release \(level + more + 2) %",
      "battery.level above \(level - more) % release \(level - more - 1) %",
      "app.state is \(app)", "app.state in [\(app)]", screen ? "screen.on" : "not screen.on",
      "net.kind is \(net)", "motion.steps >= \(steps - more)", "place.accuracy <= \(reach + more) m",
      "place.accuracy + 5 m > \(reach) m", "known(net.kind)", "\(reach - more) m < place.accuracy",
    ])
  }

  /// Returns a condition that is false for the chosen facts.
  private mutating func wrong() -> String {
    let more = Int.random(in: 1...10, using: &random)
    return pick([
      "(battery.level > \(level + more) %)", "(battery.level <= \(level - more) %)",
      screen ? "(not screen.on)" : "screen.on", "(motion.steps < \(steps - more))",
      "(place.accuracy > \(reach + more) m)", "(not known(net.kind))",
    ])
  }
}
