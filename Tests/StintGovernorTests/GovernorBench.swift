import StintCompiler
import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// A governor with simulated devices that apply each setting immediately. The devices are a sensor, two
/// radios, a processor and a source of facts about the host.
struct GovernorBench {
  var governor: Governor
  /// All effects since the start, in order.
  var effects: [Effect] = []
  /// The decision log: one line for each effect that is a decision.
  var log: [String] = []
  private var nextDemand: Int64 = 1
  let sensor: Int
  let radio: Int
  let start: Instant

  init(
    extra: [Manifest] = [], declared: [FactSchema] = [], timeZone: TimeZoneRules = .utc,
    start: Instant = Instant(nanoseconds: 1_000_000_000_000)
  ) throws {
    self.start = start
    let vocabulary = Vocabulary(manifests: Self.manifests + extra, declared: declared)
    governor = Governor(vocabulary: vocabulary, timeZone: timeZone, at: start)
    sensor = vocabulary.device("test.sensor") ?? -1
    radio = vocabulary.device("test.radio") ?? -1
  }

  static let manifests: [Manifest] = [
    Manifest(
      device: "test.sensor", kind: .sensor, title: "",
      states: [
        PowerState(name: "off", power: .zero, isOn: false),
        PowerState(name: "track", power: Power(nanowatts: 60_000_000), isOn: true),
      ],
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)],
      verbs: Verb.allCases,
      attributes: [
        AttributeSchema(name: "accuracy", type: .quantity(.length), range: 5...3000),
        AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.0001...50, fallback: .number(1)),
        AttributeSchema(name: "linger", type: .quantity(.time), fallback: .number(5)),
        AttributeSchema(name: "pause", type: .symbol(["auto", "off"])),
        AttributeSchema(name: "activity", type: .symbol(["other", "fitness"])),
        AttributeSchema(name: "background", type: .symbol(["on", "off"])),
      ],
      fifo: 600,
      facts: [
        FactSchema(path: "test.sensor.accuracy", type: .quantity(.length), maxAge: .seconds(10)),
        FactSchema(path: "test.sensor.distance", type: .quantity(.length)),
        FactSchema(path: "test.sensor.latitude", type: .quantity(.angle), maxAge: .seconds(10)),
        FactSchema(path: "test.sensor.longitude", type: .quantity(.angle), maxAge: .seconds(10)),
      ]),
    Manifest(
      device: "test.radio", kind: .radio, title: "", ladder: LadderRank(name: "radio", rank: 1, serves: nil),
      states: [
        PowerState(name: "idle", power: Power(nanowatts: 10_000_000), isOn: false),
        PowerState(name: "active", power: Power(nanowatts: 1_000_000_000), isOn: true),
      ],
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases),
    Manifest(
      device: "test.wifi", kind: .radio, title: "", ladder: LadderRank(name: "radio", rank: 0, serves: nil),
      states: [
        PowerState(name: "idle", power: Power(nanowatts: 5_000_000), isOn: false),
        PowerState(name: "active", power: Power(nanowatts: 700_000_000), isOn: true),
      ],
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases),
    Manifest(
      device: "test.processor", kind: .processor, title: "",
      states: [
        PowerState(name: "suspended", power: Power(nanowatts: 3_000_000), isOn: false),
        PowerState(name: "awake", power: Power(nanowatts: 150_000_000), isOn: true),
      ],
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)],
      events: [PricedEvent(name: "wake", energy: Energy(nanojoules: 30_000_000))]),
    Manifest(
      device: "test.host", kind: .source, title: "",
      facts: [
        FactSchema(path: "battery.level", type: .quantity(.ratio), range: 0...1),
        FactSchema(path: "app.state", type: .symbol(["foreground", "background"])),
        FactSchema(path: "motion.activity", type: .symbol(["still", "walking"])),
        FactSchema(path: "net.kind", type: .symbol(["none", "cellular", "wifi"])),
      ]),
  ]

  /// Loads policies at the given second. The test fails when the policies have errors.
  mutating func load(_ texts: String..., at second: Double) throws {
    try reload(texts, at: second)
  }

  /// Loads a policy and returns the migration report.
  mutating func reload(
    _ text: String, at second: Double
  ) throws -> ReloadReport { try reload([text], at: second) }

  @discardableResult
  private mutating func reload(_ texts: [String], at second: Double) throws -> ReloadReport {
    let program = try program(texts)
    run(to: second)
    let loaded = try governor.load(program, at: instant(second))
    perform(loaded.effects)
    return loaded.report
  }

  /// Checks and compiles policies. The test fails when they have errors.
  func program(_ texts: [String]) throws -> Program {
    let sources = texts.enumerated().map { SourceText(file: "p\($0).stint", text: $1) }
    let checked = Checker.check(sources, vocabulary: governor.vocabulary)
    struct Broken: Error { var diagnostics: [Diagnostic] }
    let errors = checked.diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty else { throw Broken(diagnostics: errors) }
    let image = try ImageVerifier.verify(Compiler.compile(checked.policies, vocabulary: governor.vocabulary))
    let defaults = checked.policies.flatMap(\.defaults).map {
      DeviceDefaults(device: $0.device, wants: $0.wants, linger: $0.linger)
    }
    return Program(
      image: image, defaults: defaults, computed: checked.policies.flatMap(\.computed),
      moves: checked.policies.flatMap(\.moves),
      perDemandImage: try Compiler.compileForDemands(checked.policies, vocabulary: governor.vocabulary)
        .map(ImageVerifier.verify))
  }

  /// Returns the instant that is this number of seconds after the start.
  func instant(_ second: Double) -> Instant { start + (TimeSpan(seconds: second) ?? .zero) }

  /// Raises a demand at the given second and returns its id.
  mutating func raise(
    _ client: String, on device: DeviceID = "test.sensor", _ wants: DemandSettings = DemandSettings(),
    at second: Double
  ) -> DemandID {
    let id = DemandID(nextDemand)
    nextDemand += 1
    input(.raise(Demand(id: id, client: ClientID(client), target: device, wants: wants)), at: second)
    return id
  }

  mutating func set(_ path: String, _ text: String, at second: Double) {
    guard let fact = governor.vocabulary.fact(path),
      let value = governor.vocabulary.facts[fact].value(from: text)
    else { preconditionFailure("no fact \(path) = \(text)") }
    input(.fact(fact, value), at: second)
  }

  mutating func input(_ input: Input, at second: Double) {
    run(to: second)
    perform(governor.step(input, at: instant(second)))
  }

  /// Gives the governor several inputs in one step.
  mutating func input(_ inputs: [Input], at second: Double) {
    run(to: second)
    perform(governor.step(inputs, at: instant(second)))
  }

  /// Runs every timer up to the given second.
  mutating func run(to second: Double) {
    while governor.nextTimer <= instant(second) {
      let next = max(governor.nextTimer, governor.now)
      perform(governor.step([], at: next))
    }
  }

  /// Executes effects that the test received directly from the governor, for example after a restart.
  mutating func answer(_ wanted: [Effect]) { perform(wanted) }

  /// Records and executes effects. The devices answer at the same instant.
  private mutating func perform(_ wanted: [Effect]) {
    effects += wanted
    var answers: [Input] = []
    for effect in wanted {
      if let line = governor.decisionText(of: effect) { log.append(line) }
      switch effect {
      case .set(let device, let setting):
        answers.append(.outcome(device: device, .state(setting.isOn ? 1 : 0, period: setting.period)))
      case .drain(let device, let reason):
        answers.append(.delivered(device: device, samples: 1, reason: reason))
      case .carry(let device, let ids, _):
        answers.append(.outcome(device: device, .state(1, period: nil)))
        answers += ids.map(Input.carried)
        answers.append(.outcome(device: device, .state(0, period: nil)))
      case .wakeProcessor(let device): answers.append(.outcome(device: device, .event(0, count: 1)))
      case .read, .grant, .ended, .act, .refused, .faulted, .moved, .began, .ceased: continue
      }
    }
    if !answers.isEmpty { perform(governor.step(answers, at: governor.now)) }
  }

  /// The current setting of `test.sensor`.
  var setting: Setting { governor.status(of: "test.sensor")?.setting ?? .off }

  /// Returns the settings that a device received, each with its time in seconds.
  func settings(of device: DeviceID = "test.sensor") -> [String] {
    log.compactMap { line in
      let words = line.split(separator: " ", maxSplits: 3)
      guard words.count == 4, words[1] == "set", words[2] == device.path, let at = Int64(words[0]) else {
        return nil
      }
      let second = Quantity.number(Double(at - start.nanoseconds) / 1e9)
      return "\(second): \(words[3].prefix { $0 != ";" })"
    }
  }
}
