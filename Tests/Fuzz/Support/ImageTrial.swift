import StintGovernor
import StintMachine
import StintModel
import StintUnits

/// Runs a verified image for a number of steps with random facts, demands, outcomes and times. Equal seeds
/// give equal runs.
struct ImageTrial {
  private var governor: Governor
  private var state: UInt64
  private var nextDemand: Int64 = 1
  /// The maximum number of additional steps at one instant before time must advance.
  private static let maxRounds = 3
  /// The time spans by which a step can advance the time when it does not advance to the next timer.
  var spans: [TimeSpan] = [.zero, .milliseconds(1), .seconds(1), .minutes(3), .hours(2), .hours(30)]

  /// Loads the image and runs it for 24 steps. In the middle, loads the image again.
  static func run(_ verified: VerifiedImageFile, seed: Int) throws(FuzzFinding) {
    var trial = ImageTrial(seed: seed)
    _ = try trial.effects(of: Program(verified), steps: 24)
  }

  init(seed: Int) {
    governor = Governor(
      vocabulary: Phone.vocabulary, timeZone: .utc, at: .epoch + .hours(56 * 365 * 24))
    state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  /// Loads the program and runs `steps` steps. In the middle, loads the program again. Returns the effects of
  /// each load and each step.
  mutating func effects(of program: Program, steps: Int) throws(FuzzFinding) -> [[Effect]] {
    var effects = [try load(program)]
    for step in 0..<steps {
      effects.append(try self.step())
      if step == steps / 2 { effects.append(try load(program)) }
    }
    return effects
  }

  private mutating func load(_ program: Program) throws(FuzzFinding) -> [Effect] {
    do { return try governor.load(program, at: governor.now).effects } catch {
      throw FuzzFinding("a verified image cannot be loaded: \(error)")
    }
  }

  private mutating func random(below count: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(count))
  }

  /// Runs a step now, later, or at the next timer.
  private mutating func step() throws(FuzzFinding) -> [Effect] {
    var now = governor.now + spans[random(below: spans.count)]
    if random(below: 2) == 0, governor.nextTimer < .distantFuture {
      now = max(governor.nextTimer, governor.now)
    }
    let inputs = [input()].compactMap { $0 }
    var effects = governor.step(inputs, at: now)
    // A transition in a step may request another step at the same instant. After at most `maxRounds` such
    // steps, the next timer must be later.
    for _ in 0..<Self.maxRounds where governor.nextTimer <= now { effects += governor.step([], at: now) }
    try FuzzFinding.unless(
      governor.nextTimer > now,
      "the next timer \(governor.nextTimer.nanoseconds) is not after \(now.nanoseconds)")
    return effects
  }

  private mutating func input() -> Input? {
    let vocabulary = Phone.vocabulary
    switch random(below: 6) {
    case 0:
      let device = vocabulary.manifests[random(below: vocabulary.manifests.count)]
      let demand = Demand(
        id: DemandID(nextDemand), client: ClientID(["trail-app", "dispatch", "coach"][random(below: 3)]),
        target: device.device,
        wants: device.kind == .radio
          ? DemandSettings(transfer: Transfer(bytesUp: 5000, bytesDown: 0)) : DemandSettings())
      nextDemand += 1
      return .raise(demand)
    case 1: return .release(DemandID(Int64(random(below: 4))))
    case 2:
      let device = random(below: vocabulary.manifests.count)
      let states = vocabulary.manifests[device].states.count
      return states == 0 ? nil : .outcome(device: device, .state(random(below: states), period: .seconds(1)))
    case 3: return nil
    default:
      let fact = random(below: vocabulary.facts.count)
      return .fact(fact, value(of: vocabulary.facts[fact]))
    }
  }

  private mutating func value(of schema: FactSchema) -> FactValue {
    if random(below: 8) == 0 { return .unknown }
    switch schema.type {
    case .boolean: return .boolean(random(below: 2) == 0)
    case .symbol(let words): return words.isEmpty ? .unknown : .symbol(random(below: words.count))
    case .quantity:
      let share = Double(random(below: 1001)) / 1000
      guard let range = schema.range else { return .number(share * 1000) }
      return .number(range.lowerBound + share * (range.upperBound - range.lowerBound))
    }
  }
}
