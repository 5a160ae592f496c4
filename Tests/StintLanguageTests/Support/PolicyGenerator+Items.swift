import StintTestSupport

extension PolicyGenerator {
  mutating func zone() {
    pieces += ["zone", name(), "="]
    if random.once(in: 2) {
      pieces += ["circle", "48.1", "-11.5", "radius", quantity()]
    } else {
      pieces += ["beacon", "\"b-1\""]
      if random.once(in: 2) { pieces += ["major", "3\n"] }
      if random.once(in: 2) { pieces += ["minor", "4\n"] }
    }
    if random.once(in: 2) { pieces += ["exit_after", quantity()] }
  }

  mutating func machine() {
    pieces += ["machine", name(), "starts", name(), "{"]
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      pieces += ["state", name(), "{"]
      if random.once(in: 2) {
        pieces += ["goto", name(), "when"]
        expression(2)
      }
      if random.once(in: 2) { pieces += ["pause", name()] }
      if random.once(in: 2) { pieces += [" rule", name(), "always", "{", "flush", name(), "}"] }
      pieces.append("}")
    }
    pieces.append("}")
  }

  mutating func budget() {
    pieces += ["budget", name(), "=", "1500 J", "per", "day"]
    if random.once(in: 2) { pieces += ["from", "04:00"] }
    pieces += ["on", name(), "{"]
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      pieces += ["at", "80 %", "{", "pause", name(), "}"]
    }
    pieces.append("}")
  }

  mutating func test() {
    pieces += ["test", "\"it holds\"", "{"]
    if random.once(in: 2) { pieces += ["given", name(), "=", "walking", ",", name(), "=", quantity()] }
    for _ in 0..<Int.random(in: 0...3, using: &random) { event() }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      pieces.append("expect")
      expression(2)
      if random.once(in: 2) { pieces += [random.pick(["at", "by"]), quantity()] }
      if random.once(in: 3) { pieces += ["because", "other-policy/pack"] }
      if random.once(in: 3) { event() }
    }
    pieces.append("}")
  }

  private mutating func event() {
    pieces += ["at", quantity()]
    switch Int.random(in: 0...3, using: &random) {
    case 0: pieces += ["set", name(), "=", quantity()]
    case 1:
      pieces += ["attach", "\"app\""]
      if random.once(in: 2) { pieces += ["on", name()] }
      if random.once(in: 2) {
        pieces.append("with")
        settings()
      }
    case 2: pieces += ["detach", "\"app\""]
    default: pieces.append("reload")
    }
  }
}
