import StintCompiler
import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// A rule VM with a small vocabulary: two devices, flags such as `a`, numbers such as `x`, a word `w`.
struct RuleVMBench {
  static let words = ["still", "walking", "running"]

  static func vocabulary(maxAge: TimeSpan? = nil, fastest: TimeSpan? = nil) -> Vocabulary {
    let flags = ["a", "b", "c", "on", "poor"].map { FactSchema(path: $0, type: .boolean) }
    let numbers = ["x", "y", "z"].map {
      FactSchema(path: $0, type: .quantity(.length), fastest: fastest)
    }
    let stale = FactSchema(path: "stale", type: .quantity(.length), maxAge: maxAge)
    let word = FactSchema(path: "w", type: .symbol(words))
    return Vocabulary(
      manifests: [device("gps"), device("modem")], declared: flags + numbers + [stale, word])
  }

  private static func device(_ id: DeviceID) -> Manifest {
    Manifest(
      device: id, kind: .sensor, title: "",
      facts: [FactSchema(path: "\(id).accuracy", type: .quantity(.length), maxAge: .seconds(30), device: id)])
  }

  let vocabulary: Vocabulary
  var machine: RuleVM
  var now = Instant.epoch

  init(
    _ rules: [CheckedRule], schedules: [CheckedSchedule] = [], defaults: [CheckedDefaults] = [],
    vocabulary: Vocabulary = RuleVMBench.vocabulary(), timeZone: TimeZoneRules = .utc,
    at instant: Instant = .epoch
  ) throws {
    self.vocabulary = vocabulary
    let policy = CheckedPolicy(
      name: "p", version: 1, file: "p.stint", schedules: schedules, defaults: defaults, rules: rules)
    let image = Compiler.compile([policy], vocabulary: vocabulary)
    machine = RuleVM(image: try ImageVerifier.verify(image), timeZone: timeZone, at: instant)
    now = instant
  }

  mutating func set(_ path: String, _ value: FactValue) {
    guard let fact = vocabulary.fact(path) else { preconditionFailure("no fact \(path)") }
    machine.set(fact: fact, value, at: now)
  }

  mutating func set(_ path: String, _ value: Bool) { set(path, .boolean(value)) }
  mutating func set(_ path: String, _ value: Double) { set(path, .number(value)) }

  /// Sets the clock to an instant, in seconds since the epoch, without a step.
  mutating func go(to seconds: Double) {
    now = .epoch + (TimeSpan(seconds: seconds) ?? .zero)
  }

  @discardableResult
  mutating func settle() -> [RuleVMChange] { machine.propagate(at: now) }

  /// Runs to an instant with a step at every timer, and returns the changes with their times in seconds.
  mutating func run(to seconds: Double) -> [(at: Double, RuleVMChange)] {
    let goal = Instant.epoch + (TimeSpan(seconds: seconds) ?? .zero)
    var log: [(Double, RuleVMChange)] = []
    log += settle().map { (now.seconds, $0) }
    while let timer = machine.nextTimer, timer <= goal {
      now = timer
      log += settle().map { (now.seconds, $0) }
    }
    now = goal
    return log + settle().map { (now.seconds, $0) }
  }
}

extension Instant {
  /// The time since the epoch, in seconds.
  var seconds: Double { (self - .epoch).seconds }
}
