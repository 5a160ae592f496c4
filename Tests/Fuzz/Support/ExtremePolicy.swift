/// Generates policies whose numbers and sizes are near the limits or far beyond them. Equal seeds give equal
/// policies.
struct ExtremePolicy {
  private var state: UInt64

  init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func text() -> String {
    var lines = [
      "policy \"extreme\" version 1", "use location.gnss as gps required",
      "use radio.cellular as cell required",
    ]
    // A policy has only one or two items. With more items, nearly every policy would contain an
    // invalid number.
    for number in 0..<(1 + random(below: 2)) { lines.append(item(number)) }
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func item(_ number: Int) -> String {
    let name = "r\(number)"
    switch random(below: 22) {
    case 0: return "rule \(name) every \(time()) { fix gps to \(length()) timeout \(time()) }"
    case 1: return "rule \(name) every 1 min flex \(time()) { flush gps }"
    case 2: return "rule \(name) while screen.on for \(time()) { pause gps }"
    case 3: return "rule \(name) while screen.on for \(time()) tolerate \(time()) { pause gps }"
    case 4: return "rule \(name) while screen.on in last \(time()) { pause gps }"
    case 5: return "rule \(name) while age(battery.level) > \(time()) or screen.on { pause gps }"
    case 6:
      return "rule \(name) while max(battery.level, \(time())) > \(digits()) % or screen.on { pause gps }"
    case 7: return "default gps { linger \(time()) max_age \(time()) }"
    case 8: return "rule \(name) when screen.on at most \(digits()) per \(time()) { pause gps for \(time()) }"
    case 9:
      return
        "rule \(name) when screen.on { stop gps for \(time()) doubling to \(time()) at most \(digits()) times }"
    case 10: return "rule \(name) while screen.on { defer cell until net.kind is wifi deadline \(time()) }"
    case 11:
      return "rule \(name) while screen.on { batch gps until \(time()) or \(digits()) items or \(length()) }"
    case 12: return "rule \(name) while screen.on { downgrade gps to \(digits()) per \(time()) }"
    case 13:
      return "rule \(name) while screen.on { start gps with { accuracy \(length()) latency \(time()) } }"
    case 14: return "budget b\(number) = \(digits()) J per day on gps { at \(digits()) % { pause gps } }"
    case 15: return "rule \(name) while respite(gps, \(length())) > \(time()) or screen.on { pause gps }"
    case 16: return "rule \(name) while spread(gps, \(time())) > \(length()) or screen.on { pause gps }"
    case 17: return zone(number)
    case 18: return machine(number)
    case 19: return "rule \(name) while \(chain(of: 60 + random(below: 10))) { pause gps }"
    case 20:
      return "rule \(name) while gps.accuracy > \(sum(of: 60 + random(below: 10))) or screen.on { pause gps }"
    default: return lets(number, 58 + random(below: 10))
    }
  }

  private mutating func zone(_ number: Int) -> String {
    let sign = random(below: 2) == 0 ? "" : "-"
    return """
      zone z\(number) = circle \(sign)\(pick(["0", "47.05", "89.9999", "90", "91"])) \
      \(sign)\(pick(["0", "8.31", "179.9999", "180", "181"])) radius \(length()) enter_after \(time())
      rule near\(number) while inside(z\(number)) { pause gps }
      """
  }

  private mutating func machine(_ number: Int) -> String {
    """
    machine m\(number) starts a {
      state a { goto b when screen.on for \(time()) }
      state b { goto a when screen.on for \(time()) }
    }
    rule leave\(number) while m\(number) is b { downgrade gps to 100 m }
    """
  }

  /// Returns a nested condition. Each level of nesting needs one more value on the stack of the rule VM.
  private func chain(of depth: Int) -> String {
    (1..<depth).reduce("screen.on") { inner, level in
      "battery.level < \(level) % \(level % 2 == 0 ? "and" : "or") (\(inner))"
    }
  }

  private func sum(of depth: Int) -> String {
    (1..<depth).reduce("gps.accuracy") { inner, level in
      level % 2 == 0 ? "(1 m + \(inner))" : "(gps.accuracy + \(inner))"
    }
  }

  private func lets(_ number: Int, _ count: Int) -> String {
    (1..<count).reduce("let l\(number)_0 = screen.on\n") { text, level in
      text
        + "let l\(number)_\(level) = battery.level < 6 % or (l\(number)_\(level - 1) and battery.level > 2 %)\n"
    } + "rule r\(number) while l\(number)_\(count - 1) { pause gps }"
  }

  // MARK: Numbers

  /// Returns a common number, a number near a limit, or a number beyond 64 bits.
  private mutating func digits() -> String {
    if random(below: 2) == 0 { return pick(["1", "5", "30", "80", "600"]) }
    let huge = "1" + String(repeating: "0", count: 1 + random(below: 40))
    let tiny = "0." + String(repeating: "0", count: random(below: 20)) + "1"
    return pick([
      "0", "0.999999", "1.000001", "2305843009.2", "2305843009.3", "9223372036.8", "9223372036854775807",
      "26687",
      "1e9", huge, tiny, String(repeating: "9", count: 300),
    ])
  }

  private mutating func time() -> String {
    digits() + " " + pick(["ns", "us", "ms", "s", "s", "min", "h", "d", "week"])
  }

  private mutating func length() -> String { digits() + " " + pick(["m", "m", "km"]) }

  private mutating func pick(_ words: [String]) -> String { words[random(below: words.count)] }

  private mutating func random(below count: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(count))
  }
}
