import StintCompiler
import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// Devices with valid manifests whose numbers are extreme, and a policy for these devices.
struct GovernorWorld: Sendable {
  let vocabulary: Vocabulary
  let program: Program

  /// Worlds with the smallest, the largest and common powers, event energies, time spans and queue sizes.
  static let all: [GovernorWorld] = [
    GovernorWorld(power: .zero, event: .zero, span: TimeSpan(nanoseconds: 1), fifo: 0),
    GovernorWorld(
      power: Power(nanowatts: 1), event: Energy(nanojoules: 1), span: .seconds(1), fifo: 1),
    GovernorWorld(
      power: Power(nanowatts: InputBounds.power.nanowatts - 1), event: InputBounds.event,
      span: InputBounds.span, fifo: InputBounds.fifo),
    GovernorWorld(
      power: InputBounds.power, event: InputBounds.event, span: .minutes(1), fifo: InputBounds.fifo),
  ]

  private static let policy = """
    policy "extreme" version 1
    use test.sensor as sensor
    use test.radio as radio
    schedule night = mon, tue 22:00..06:00
    zone home = circle 47.3 8.5 radius 200 m enter_after 10 s exit_after 1 min
    budget tiny = 1 nJ per hour from 00:00 on sensor { at 80 % { downgrade sensor to 50 m } }
    budget vast = 2000000 Wh per day from 04:00 on [sensor, radio] { at 80 % { downgrade sensor to 100 m } }
    machine mode starts rest {
      state rest { goto move when sensor.on }
      state move { goto rest when not sensor.on }
    }
    rule a while wakeups(sensor) > 5 per h { downgrade sensor to 200 m }
    rule b while energy(sensor) > 10 J and client.accuracy > 5 m { downgrade sensor to 300 m }
    rule c while inside(home) or time in night { batch sensor until 500 m or 5 min }
    rule d when test.level > 0 at most 1 per 1 h { stop sensor for 2 min doubling to 1 h }
    rule e while test.level > 100 { defer radio until test.level < 0 deadline 2 h  batch radio until 50 kB }
    rule f while age(test.level) > 20 s or trend(test.level, 90 s) > 5 { batch radio until 1 GB }
    rule g every 1 week flex 5 min { fix sensor to 50 m timeout 30 s }
    rule h while test.level below 20 release 25 { pause sensor }
    """

  private init(power: Power, event: Energy, span: TimeSpan, fifo: Int) {
    let manifests = Self.manifests(power: power, event: event, span: span, fifo: fifo)
    let faults = manifests.flatMap { $0.faults() }
    precondition(faults.isEmpty, "the manifests of the fuzzer must be valid: \(faults)")
    let vocabulary = Vocabulary(manifests: manifests)
    let source = SourceText(file: "extreme.stint", text: Self.policy)
    let (policies, diagnostics) = Checker.check([source], vocabulary: vocabulary)
    let errors = diagnostics.filter { $0.severity == .error }
    precondition(errors.isEmpty, "the policy of the fuzzer must be valid: \(errors)")
    self.vocabulary = vocabulary
    do {
      let file = Compiler.file(policies, sources: [source], vocabulary: vocabulary)
      program = Program(try ImageVerifier.verify(file, vocabulary: vocabulary))
    } catch {
      preconditionFailure("the image of the fuzzer must be valid: \(error)")
    }
  }

  private static func manifests(power: Power, event: Energy, span: TimeSpan, fifo: Int) -> [Manifest] {
    let states = [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "low", power: Power(nanowatts: 1), perHertz: power, isOn: true),
      PowerState(name: "high", power: power, isOn: true),
    ]
    let transitions = (0..<3).flatMap { from in (0..<3).map { Transition(from: from, to: $0) } }
    let events = [PricedEvent(name: "wake", energy: event), PricedEvent(name: "free", energy: .zero)]
    func manifest(_ device: DeviceID, _ kind: DeviceKind, _ ladder: LadderRank? = nil) -> Manifest {
      Manifest(
        device: device, kind: kind, title: "", ladder: ladder, states: states, transitions: transitions,
        events: events, verbs: Verb.allCases)
    }
    var sensor = manifest("test.sensor", .sensor)
    sensor.fifo = fifo
    sensor.attributes = [
      AttributeSchema(name: "accuracy", type: .quantity(.length), range: 0...InputBounds.quantity),
      AttributeSchema(
        name: "rate", type: .quantity(.rate), range: 1e-9...InputBounds.rate, fallback: .number(1)),
      AttributeSchema(name: "linger", type: .quantity(.time), fallback: .number(span.seconds)),
    ]
    sensor.facts = [
      FactSchema(path: "test.sensor.accuracy", type: .quantity(.length), maxAge: span),
      FactSchema(path: "test.sensor.distance", type: .quantity(.length), fastest: span),
      FactSchema(path: "test.sensor.latitude", type: .quantity(.angle), maxAge: span),
      FactSchema(path: "test.sensor.longitude", type: .quantity(.angle), maxAge: span),
    ]
    let source = Manifest(
      device: "test.source", kind: .source, title: "",
      facts: [
        FactSchema(path: "test.level", type: .quantity(.none), maxAge: span, fastest: max(span, .seconds(1))),
        FactSchema(path: "app.state", type: .symbol(["foreground", "background"])),
        FactSchema(path: "motion.activity", type: .symbol(["still", "walking"])),
      ])
    return [
      sensor, manifest("test.radio", .radio, LadderRank(name: "radio", rank: 1, serves: nil)),
      manifest("test.wifi", .radio, LadderRank(name: "radio", rank: 0, serves: 0)),
      manifest("test.processor", .processor), source,
    ]
  }
}
