import StintTestSupport

/// Writes random policies without syntax errors, with all kinds of items and with comments anywhere.
struct PolicyGenerator {
  var random: SeededGenerator
  /// The tokens of the policy in their order; a quantity is one piece. Any white space may separate
  /// two pieces.
  var pieces: [String] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns a policy with a few items.
  mutating func policy() -> String {
    pieces = ["policy", "\"generated\""]
    if random.once(in: 2) { pieces += ["version", "3"] }
    for _ in 0..<Int.random(in: 0...8, using: &random) { item() }
    return spaced()
  }

  private mutating func spaced() -> String {
    var text = random.once(in: 4) ? "# first\n\n" : ""
    for (index, piece) in pieces.enumerated() {
      if index > 0 { text += separator(startsItem: Self.itemWords.contains(piece)) }
      text += piece
    }
    return text + (random.once(in: 3) ? "  # last" : "") + (random.once(in: 2) ? "\n\n\n" : "")
  }

  private static let itemWords: Set<String> = [
    "use", "let", "param", "schedule", "default", "rule", "zone", "machine", "budget", "require", "test",
  ]

  private mutating func separator(startsItem: Bool) -> String {
    if startsItem { return random.pick(["\n", "\n\n", "\n\n\n", "\n# own line\n", " # behind\n", "\r\n"]) }
    if random.once(in: 12) {
      return random.pick(["\n", " # why\n", "\n# above\n\n", "\t", "\r\n", "\n\n\n"])
    }
    return random.pick([" ", " ", " ", "  "])
  }

  private mutating func item() {
    switch Int.random(in: 0...12, using: &random) {
    case 7: zone()
    case 8: machine()
    case 9: budget()
    case 10:
      pieces.append("require")
      expression(3)
    case 11: test()
    case 0:
      pieces += ["use", "location.gnss"]
      if random.once(in: 4) { pieces += ["where", "vendor", "==", "\"sim\""] }
      pieces += ["as", name()]
      if random.once(in: 2) { pieces.append("required") }
    case 1:
      pieces += ["let", name(), "="]
      expression(4)
    case 2: pieces += ["param", name(), "=", quantity(), "in", quantity(), "..", quantity()]
    case 3:
      pieces += ["schedule", name(), "="]
      if random.once(in: 2) { pieces += ["mon", ",", "weekends"] }
      pieces.append("22:00..06:30")
      if random.once(in: 3) { pieces += [",", "sat", "08:00", "..", "12:15"] }
    case 4:
      pieces += ["default", name()]
      settings()
    default: rule()
    }
  }

  mutating func settings() {
    pieces.append("{")
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      pieces += random.pick([["accuracy", quantity()], ["activity", "fitness"], ["rate", "1 per 30 s"]])
    }
    // The line must end after a number without a unit, or the next name would be parsed as the unit.
    if random.once(in: 8) { pieces.append("depth 3\n odd yes") }
    pieces.append("}")
  }

  private mutating func rule() {
    pieces += ["rule", name()]
    if random.once(in: 2) { pieces.append("\"because it is so\"") }
    if random.once(in: 4) { pieces += ["over", "other-policy/pack", ",", name()] }
    switch Int.random(in: 0...3, using: &random) {
    case 0: pieces.append("always")
    case 1:
      pieces.append("while")
      expression(4)
    case 2:
      pieces.append("when")
      expression(3)
      if random.once(in: 2) { pieces += ["at", "most", "1 per 5 min"] }
    default:
      pieces += ["every", "5 min"]
      if random.once(in: 2) { pieces += ["flex", "30 s"] }
      if random.once(in: 2) {
        pieces.append("if")
        expression(2)
      }
    }
    pieces.append("{")
    for _ in 0..<Int.random(in: 0...4, using: &random) { statement() }
    pieces.append("}")
  }

  private mutating func statement() {
    let target = random.pick([["gps"], ["[", "gps", ",", "accel", "]"], ["all"], ["location.gnss"]])
    switch Int.random(in: 0...8, using: &random) {
    case 0:
      pieces += ["start"] + target
      if random.once(in: 2) { pieces += ["for", "\"coach\""] }
      if random.once(in: 2) {
        pieces.append("with")
        settings()
      }
    case 1: pieces += ["stop"] + target + (random.once(in: 2) ? ["except", "\"sos\"", ",", "\"map\""] : [])
    case 2: pieces += ["pause"] + target
    case 3: pieces += ["downgrade"] + target + ["to", random.pick([quantity(), "slowly", "1 per h"])]
    case 4: pieces += ["batch"] + target + ["until", quantity(), "or", "hold"]
    case 5:
      pieces += ["defer"] + target + ["until"]
      expression(2)
      pieces += ["deadline", "18 h"]
    case 6: pieces += ["watch", "region"] + ["on"] + target
    case 7: pieces += ["fix"] + target + ["to", "25 m", "timeout", "20 s"]
    default:
      pieces += random.pick([
        ["flush"] + target, ["emit", "\"a\""], ["tell", "\"a\"", "\"b\""], ["launch", "\"c\""],
      ])
    }
    guard random.once(in: 3) else { return }
    pieces += ["for", "5 min"]
    if random.once(in: 2) { pieces += ["doubling", "to", "1 h 30 min"] }
    if random.once(in: 2) { pieces += ["at", "most", "3", "times"] }
  }
}

extension PolicyGenerator {
  mutating func name() -> String { random.pick(["gps", "moving", "hold_distance", "x", "a1"]) }

  mutating func quantity() -> String {
    random.pick(["5 min", "10 m", "20%", "80 km/h", "1 h 30 min", "9.81 m/s2", "2 per h", "-5 m", "0.5 s"])
  }

  mutating func expression(_ depth: Int) {
    guard depth > 0 else {
      pieces += random.pick([["gps.on"], ["known", "(", "gps.accuracy", ")"], ["moving"], ["x", ">", "3"]])
      return
    }
    switch Int.random(in: 0...8, using: &random) {
    case 0, 1: join(random.pick(["and", "or", "implies"]), depth)
    case 2:
      pieces += ["not"]
      group(depth)
    case 3: group(depth)
    case 4:
      if random.once(in: 3) {
        pieces += ["battery.level", "between", quantity(), "and", quantity()]
        return
      }
      pieces += ["battery.level", random.pick(["below", "above"]), quantity()]
      if random.once(in: 2) { pieces += ["release", quantity()] }
    case 5: pieces += ["motion.activity", "in", "[", "walking", ",", "running", "]"]
    case 6:
      group(depth)
      pieces += random.once(in: 2) ? ["for", "4 min", "tolerate", "30 s"] : ["in", "last", "10 min"]
    case 7:
      pieces += ["trend", "(", "gps.accuracy", ",", "90 s", ")", ">", "-", "x", "*", "2", "-", quantity()]
    default: pieces += random.pick([["time", "in", "night"], ["app.state", "is", "background"]])
    }
  }

  private mutating func group(_ depth: Int) {
    pieces.append("(")
    expression(depth - 1)
    pieces.append(")")
  }

  private mutating func join(_ word: String, _ depth: Int) {
    expression(depth - 1)
    pieces.append(word)
    expression(depth - 1)
  }
}
