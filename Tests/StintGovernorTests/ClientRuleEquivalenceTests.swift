import StintGovernor
import StintModel
import StintTestSupport
import StintUnits
import Testing

/// Checks per-demand rules against an independent computation. The computation uses one governor for each
/// demand, with a policy in which constants replace the facts of the client.
@Suite struct ClientRuleEquivalenceTests {
  /// A client with its settings and the seconds between which it has a demand.
  private struct TestClient: Sendable {
    var name: String
    var accuracy: Double
    var background: Bool
    var from: Double
    var to: Double

    var wants: DemandSettings { DemandSettings(accuracy: accuracy, background: background ? nil : false) }
  }

  /// A condition or a whole policy as text. `folded` returns its text for one client, in which constants
  /// replace the client's facts.
  private struct Condition: Sendable {
    var text: String
    var folded: @Sendable (TestClient) -> String
  }

  private static let common = [
    "motion.activity is still", "battery.level < 50 %", "battery.level below 30 % release 60 %",
    "known(motion.activity)", "net.kind in [wifi, cellular]", "age(battery.level) > 20 s",
  ].map { text in Condition(text: text) { _ in text } }

  private static let ofClients = [
    Condition(text: "client.accuracy >= 50 m") { "\($0.accuracy >= 50)" },
    Condition(text: "client.name == \"a\"") { "\($0.name == "a")" },
    Condition(text: "client.name in [\"b\", \"c\"]") { "\(["b", "c"].contains($0.name))" },
    Condition(text: "client.may_background") { "\($0.background)" },
    Condition(text: "client.background") { "(\($0.background) and app.state is background)" },
  ]

  private static func condition(depth: Int, _ random: inout SeededGenerator) -> Condition {
    if depth == 0 || random.once(in: 4) { return random.pick(common + ofClients) }
    let left = condition(depth: depth - 1, &random)
    let span = Int.random(in: 1...15, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      let right = condition(depth: depth - 1, &random)
      return Condition(text: "(\(left.text) and \(right.text))") {
        "(\(left.folded($0)) and \(right.folded($0)))"
      }
    case 2:
      let right = condition(depth: depth - 1, &random)
      return Condition(text: "(\(left.text) or \(right.text))") {
        "(\(left.folded($0)) or \(right.folded($0)))"
      }
    case 3: return Condition(text: "(not \(left.text))") { "(not \(left.folded($0)))" }
    case 4: return Condition(text: "(\(left.text) for \(span) s)") { "(\(left.folded($0)) for \(span) s)" }
    default:
      return Condition(text: "(\(left.text) in last \(span) s)") { "(\(left.folded($0)) in last \(span) s)" }
    }
  }

  private static func policy(_ random: inout SeededGenerator) -> Condition {
    let triggers = ["while", "while", "when"]
    let actions = [
      "pause sensor", "stop sensor", "downgrade sensor to 100 m", "downgrade sensor to 1 per 4 s",
    ]
    let head = "policy \"p\" version 1\nuse test.sensor as sensor\ndefault sensor { linger 0 s }\n"
    var whole = Condition(text: head) { _ in head }
    for number in 0..<3 {
      let (some, own) = (condition(depth: 3, &random), random.pick(ofClients))
      let word = random.once(in: 2) ? "and" : "or"
      let condition = Condition(text: "\(own.text) \(word) \(some.text)") {
        "\(own.folded($0)) \(word) \(some.folded($0))"
      }
      let trigger = random.pick(triggers)
      let action = random.pick(actions)
      let over = number > 0 && random.once(in: 2) ? " over r\(number - 1)" : ""
      let ending = trigger == "when" ? " for \(Int.random(in: 2...9, using: &random)) s doubling to 40 s" : ""
      let (before, after) = ("rule r\(number)\(over) \(trigger) ", " { \(action)\(ending) }\n")
      let written = whole
      whole = Condition(text: written.text + before + condition.text + after) {
        written.folded($0) + before + condition.folded($0) + after
      }
    }
    return whole
  }

  private static let facts: [(path: String, values: [String])] = [
    ("motion.activity", ["still", "walking"]), ("battery.level", ["10 %", "40 %", "55 %", "80 %"]),
    ("app.state", ["foreground", "background"]), ("net.kind", ["none", "wifi"]),
  ]

  /// Returns the grants of a client in the log, each with its instant and device but without the demand's id.
  private func grants(_ bench: GovernorBench, _ name: String) -> [String] {
    bench.log.compactMap { line in
      let words = line.split(separator: " ", maxSplits: 4).map(String.init)
      return words.count == 5 && words[1] == "grant" && words[2] == name ? "\(words[0]) \(words[4])" : nil
    }
  }

  @Test("each demand gets the grants that a policy for this demand alone would give", arguments: 0..<4)
  func alone(part: Int) throws {
    var seen = 0
    let trials = Trials(100, fewest: 2)
    for round in trials.rounds { seen += try compare(4 * round + part) }
    // With fewer grants the comparison would prove little.
    #expect(seen >= trials.share(of: 800), "only \(seen) grants")
  }

  /// Compares the grants of one random policy, and returns their number.
  private func compare(_ seed: Int) throws -> Int {
    var random = SeededGenerator(seed: UInt64(seed))
    let policy = Self.policy(&random)
    let clients = ["a", "b", "c", "d"].map { name in
      let from = Double(Int.random(in: 0...40, using: &random)) + 0.5
      return TestClient(
        name: name, accuracy: random.once(in: 2) ? 10 : 80, background: random.once(in: 2), from: from,
        to: from + Double(Int.random(in: 10...80, using: &random)))
    }
    let changes = (0..<100).compactMap { second -> (at: Double, path: String, value: String)? in
      guard random.once(in: 2) else { return nil }
      let fact = random.pick(Self.facts)
      return (Double(second), fact.path, random.pick(fact.values))
    }
    let reload = Double(Int.random(in: 20...60, using: &random)) + 0.25
    var together = try GovernorBench()
    try play(changes, clients, in: &together, loading: policy.text, reload: reload)
    var seen = 0
    for client in clients {
      var alone = try GovernorBench()
      try play(changes, [client], in: &alone, loading: policy.folded(client), reload: nil)
      #expect(grants(together, client.name) == grants(alone, client.name), "\(policy.text)\n\(client)")
      seen += grants(alone, client.name).count
    }
    return seen
  }

  /// Runs the events. With `reload`, the policy is loaded at second 0 and again at second `reload`. Without
  /// `reload`, the policy is loaded when the client arrives.
  private func play(
    _ changes: [(at: Double, path: String, value: String)], _ clients: [TestClient],
    in bench: inout GovernorBench,
    loading text: String, reload: Double?
  ) throws {
    var ids: [String: DemandID] = [:]
    var steps: [(at: Double, run: (inout GovernorBench) throws -> Void)] = changes.map { change in
      (change.at, { $0.set(change.path, change.value, at: change.at) })
    }
    for second in [0, reload].compactMap(\.self) where reload != nil {
      steps.append((second, { try $0.load(text, at: second) }))
    }
    for client in clients {
      steps.append(
        (
          client.from,
          { bench in
            if reload == nil { try bench.load(text, at: client.from) }
            ids[client.name] = bench.raise(client.name, client.wants, at: client.from)
          }
        ))
      steps.append(
        (client.to, { bench in if let id = ids[client.name] { bench.input(.release(id), at: client.to) } }))
    }
    for step in steps.enumerated().sorted(by: { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }) {
      try step.element.run(&bench)
    }
    bench.run(to: 150)
  }
}
