import StintCompiler
import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

/// One hour of a governor with a sensor that publishes its facts only while it is on, once per period.
struct SensedHour {
  /// A client of the sensor, in addition to the rules that read the sensor's facts.
  enum Client: CaseIterable, Sendable {
    /// No client.
    case none
    /// One sample per 10 min.
    case slow
    /// One sample per 10 min, only in the foreground.
    case foregroundOnly
    /// One sample per 10 min, for the first half of the hour.
    case departing
    /// One sample per second, for 30 s of every 5 min.
    case dutyCycled
  }

  /// The values of all facts over time, with their times in seconds. Each list is sorted and begins at
  /// second 0.
  struct Script {
    var gait: [(Double, FactValue)]
    var strength: [(Double, FactValue)]
    var published: [(Double, String, FactValue)]

    /// Creates random values. No value of the fact `strength` lies between the two limits of `above … release
    /// …`. Between these limits, the result of the condition depends on earlier samples, so two runs with
    /// different clients could differ permanently.
    init(_ random: inout SeededGenerator) {
      gait = Self.steps(&random, 40...400) { .symbol($0.once(in: 2) ? 0 : 1) }
      strength = Self.steps(&random, 40...400) { .number($0.pick([0.1, 0.2, 0.7, 0.9])) }
      let level = Self.steps(&random, 300...1500) { .number($0.pick([0.2, 0.4, 0.8])) }
      let state = Self.steps(&random, 200...1500) { .symbol($0.once(in: 2) ? 0 : 1) }
      published = level.map { ($0.0, "battery.level", $0.1) } + state.map { ($0.0, "app.state", $0.1) }
      published.sort { $0.0 < $1.0 }
    }

    private static func steps(
      _ random: inout SeededGenerator, _ gap: ClosedRange<Int>, _ value: (inout SeededGenerator) -> FactValue
    ) -> [(Double, FactValue)] {
      var steps: [(Double, FactValue)] = []
      var now = 0.0
      while now < SensedHour.end {
        steps.append((now, value(&random)))
        now += Double(Int.random(in: gap, using: &random))
      }
      return steps
    }
  }

  /// The result of a run: the active periods and `emit` acts of each rule, and the use of the sensor.
  struct Result {
    /// For each rule that was ever active: the periods in which it was active, in seconds, sorted.
    var activePeriods: [String: [Range<Double>]] = [:]
    var acts: [String: Int] = [:]
    /// The time for which the sensor was on.
    var sensedFor = TimeSpan.zero
    var energy = Energy.zero
    /// All readings for which the sensor was on at any time; empty when `notesReadings` is false.
    var readings: Set<ActiveReader> = []

    /// Returns the longest uninterrupted time, in seconds, for which a rule was active in only one of
    /// two runs.
    func longestDifference(of rule: String, from other: Result) -> Double {
      let (one, two) = (activePeriods[rule] ?? [], other.activePeriods[rule] ?? [])
      let edges = Set((one + two).flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
      var (longest, current) = (0.0, 0.0)
      for (start, end) in zip(edges, edges.dropFirst()) {
        let differs = one.contains { $0.contains(start) } != two.contains { $0.contains(start) }
        current = differs ? current + end - start : 0
        longest = max(longest, current)
      }
      return longest
    }
  }

  static let end = 3600.0
  /// The largest difference, in seconds, between the times at which a rule changes in two runs: two sampling
  /// periods. A sample can be one period late, and the samples of two runs have different phases.
  static let tolerance = 10.0

  static let motion = Manifest(
    device: "day.motion", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "on", power: Power(nanowatts: 60_000), isOn: true),
    ],
    transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)],
    verbs: Verb.allCases,
    attributes: [
      AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.0001...50, fallback: .number(1)),
      AttributeSchema(name: "background", type: .symbol(["on", "off"])),
    ],
    facts: [
      FactSchema(
        path: "day.motion.gait", type: .symbol(["still", "walking"]), maxAge: .seconds(10),
        device: "day.motion"),
      FactSchema(
        path: "day.motion.strength", type: .quantity(.ratio), maxAge: .seconds(10), device: "day.motion"),
    ])

  private var bench: GovernorBench
  private let script: Script
  private let notesReadings: Bool
  /// The names of the rules, in the order of the image.
  private let names: [String]
  private let sensor: Int
  /// The facts of the sensor, by their indexes in the vocabulary.
  private let gait: Int
  private let strength: Int
  private var nextSample = Double.infinity
  private var period = 1.0
  private var onSince: Double?
  private var seen = 0
  private var result = Result()
  private var heldSince: [String: Double] = [:]

  /// - Parameter notesReadings: true to record `Result.readings`; the run then takes longer.
  static func run(
    _ policy: String, _ script: Script, beside client: Client, notesReadings: Bool = false
  ) throws -> Result {
    var day = try SensedHour(policy, script, notesReadings: notesReadings)
    return day.run(beside: client)
  }

  private init(_ policy: String, _ script: Script, notesReadings: Bool) throws {
    self.notesReadings = notesReadings
    bench = try GovernorBench(extra: [Self.motion])
    self.script = script
    sensor = try #require(bench.governor.vocabulary.device("day.motion"))
    gait = try #require(bench.governor.vocabulary.fact("day.motion.gait"))
    strength = try #require(bench.governor.vocabulary.fact("day.motion.strength"))
    try bench.load(policy, at: 0)
    names = bench.governor.program?.image.image.rules.map(\.id.rule) ?? []
  }

  static var vocabulary: Vocabulary { Vocabulary(manifests: GovernorBench.manifests + [motion]) }

  private mutating func run(beside client: Client) -> Result {
    _ = bench.raise("app", at: 0)
    note(0)
    var published = script.published[...]
    var actions = Self.actions(of: client)[...]
    var demand: DemandID?
    while true {
      let timer = (bench.governor.nextTimer - bench.start).seconds
      let now = [timer, nextSample, published.first?.0 ?? .infinity, actions.first?.0 ?? .infinity].min()
      guard let now, now < Self.end else { break }
      if let first = published.first, first.0 <= now {
        published.removeFirst()
        bench.input(.fact(fact(first.1), first.2), at: now)
      } else if let action = actions.first, action.0 <= now {
        actions.removeFirst()
        if let period = action.1 {
          demand = bench.raise(
            "logger", on: "day.motion",
            DemandSettings(period: period, background: client != .foregroundOnly), at: now)
        } else if let ended = demand {
          bench.input(.release(ended), at: now)
        }
      } else if nextSample <= now {
        bench.input(
          [.fact(gait, value(script.gait, now)), .fact(strength, value(script.strength, now))], at: now)
        nextSample = now + period
      } else {
        bench.run(to: now)
      }
      note(now)
    }
    finish()
    return result
  }

  /// Returns the seconds at which a client's demand begins or ends. Each second has the period of the new
  /// demand, or nil for the end of a demand.
  private static func actions(of client: Client) -> [(Double, TimeSpan?)] {
    switch client {
    case .none: []
    case .slow, .foregroundOnly: [(5, .minutes(10))]
    case .departing: [(5, .minutes(10)), (end / 2, nil)]
    case .dutyCycled:
      stride(from: 60.0, to: end, by: 300).flatMap { [($0, TimeSpan.seconds(1)), ($0 + 30, nil)] }
    }
  }

  private static func span(_ seconds: Double) -> TimeSpan { TimeSpan(seconds: seconds) ?? .zero }

  private func fact(_ path: String) -> Int { bench.governor.vocabulary.fact(path) ?? -1 }

  private func value(_ steps: [(Double, FactValue)], _ now: Double) -> FactValue {
    steps.last { $0.0 <= now }?.1 ?? .unknown
  }

  /// Follows the setting of the sensor, and records which rules are active.
  private mutating func note(_ now: Double) {
    let setting = bench.governor.status(of: "day.motion")?.setting ?? .off
    if setting.isOn {
      let wanted = setting.period.map(\.seconds) ?? 1
      if onSince == nil {
        onSince = now
        nextSample = now + 0.1
      } else if wanted != period {
        nextSample = min(nextSample, now + wanted)
      }
      period = wanted
    } else if let since = onSince {
      result.sensedFor = result.sensedFor + Self.span(now - since)
      onSince = nil
      nextSample = .infinity
    }
    if notesReadings { result.readings.formUnion(bench.governor.readings(of: sensor)) }
    for (number, name) in names.enumerated() {
      if bench.governor.isActive(rule: number) {
        if heldSince[name] == nil { heldSince[name] = now }
      } else if let since = heldSince.removeValue(forKey: name), since < now {
        result.activePeriods[name, default: []].append(since..<now)
      }
    }
  }

  private mutating func finish() {
    for (name, since) in heldSince { result.activePeriods[name, default: []].append(since..<Self.end) }
    if let onSince { result.sensedFor = result.sensedFor + Self.span(Self.end - onSince) }
    result.energy = bench.governor.ledger(at: bench.instant(Self.end)).byDevice["day.motion"] ?? .zero
    for effect in bench.effects {
      if case .act(let rule, .emit) = effect { result.acts[rule.rule, default: 0] += 1 }
    }
  }
}
