import StintMachine
import StintModel
public import StintUnits

/// Runs one random image in two rule VMs with the same random sensor values. One rule VM receives every
/// value, the other receives only the values that its rules need. Both must report the same changes.
public struct SensingContest {
  /// The maximum change of a number, in base units per second.
  private static let maxRate = 0.25

  /// The numbers of values that the rule VMs `full` and `partial` received.
  public private(set) var fullSamples = 0
  public private(set) var neededSamples = 0
  /// The number of changes that the rule VM `full` reported.
  public private(set) var changes = 0
  /// A description of the first difference between the reports of the two rule VMs; nil when there is no
  /// difference.
  public private(set) var mismatch: String?

  private let image: VerifiedImage
  private let needs: SensingNeeds
  private var generator: SeededGenerator
  /// The rule VM that receives every value, and the rule VM that receives only the needed values.
  private var full: RuleVM
  private var partial: RuleVM
  /// The facts of `partial`.
  private var facts: FactTable
  /// For each fact, the present value of its sensor.
  private var world: [FactValue]
  /// For each fact, the number of measurements of its sensor until now.
  private var versions: [Int]
  /// For each fact, the value of `versions` at its last reading.
  private var readVersions: [Int]
  /// For each fact, the instant of its sensor's last measurement.
  private var measurementInstants: [Instant]
  /// For each fact, the instant of the measurement that was read last.
  private var readInstants: [Instant]
  /// For each fact, the period of its sensor, in seconds.
  private var periods: [Int64] = []

  /// Makes the contest of a seed.
  ///
  /// - Throws: an error when the image is invalid, which is a bug of the contest.
  public init(seed: UInt64) throws(Problem) {
    let maker = SensingImage(seed: seed)
    image = try ImageVerifier.verify(maker.image)
    needs = SensingNeeds(image: image)
    generator = SeededGenerator(seed: seed &* 31 &+ 7)
    full = RuleVM(image: image, timeZone: .utc, at: .epoch)
    partial = full
    let count = SensingImage.choices.count
    facts = FactTable(count: count)
    world = Array(repeating: .unknown, count: count)
    versions = Array(repeating: 0, count: count)
    readVersions = versions
    readInstants = Array(repeating: .epoch, count: count)
    measurementInstants = readInstants
    periods = (0..<count).map { _ in generator.pick([5, 7, 10, 20, 30]) }
  }

  /// Advances the world by a number of seconds.
  public mutating func run(seconds: Int64 = 900) {
    for second in 0...seconds where mismatch == nil {
      let now = Instant.epoch + .seconds(second)
      wakeUp(before: now)
      var fresh = Array(repeating: false, count: world.count)
      for fact in world.indices where second % periods[fact] == 0 {
        move(fact)
        measurementInstants[fact] = now
        fresh[fact] = true
        full.set(fact: fact, world[fact], at: now)
        fullSamples += 1
      }
      if generator.once(in: 40) {
        let isDemanded = generator.once(in: 2)
        full.setDemanded("gps", isDemanded)
        partial.setDemanded("gps", isDemanded)
      }
      settle(at: now, fresh)
    }
  }

  /// Runs both rule VMs at the instant of each timer that is earlier than `now`.
  private mutating func wakeUp(before now: Instant) {
    while mismatch == nil {
      let next = min(full.nextTimer ?? .distantFuture, partial.nextTimer ?? .distantFuture)
      guard next < now else { return }
      settle(at: next, Array(repeating: false, count: world.count))
    }
  }

  private mutating func settle(at now: Instant, _ fresh: [Bool]) {
    readNeeded(at: now, fresh)
    let reports = (full.propagate(at: now), partial.propagate(at: now))
    changes += reports.0.count
    if reports.0 != reports.1 {
      mismatch =
        "after \(now - .epoch), the changes differ: \(reports.0) with every value, "
        + "\(reports.1) with only the needed values"
    }
  }

  /// Reads the needed facts into `partial`. Repeats this until no further fact is needed, because a new value
  /// can make other facts needed.
  private mutating func readNeeded(at now: Instant, _ fresh: [Bool]) {
    var isDone = Array(repeating: false, count: world.count)
    var hasRead: Bool
    repeat {
      hasRead = false
      for (fact, need) in needs.needs(of: partial, facts: facts, at: now).enumerated() {
        guard !isDone[fact], mustRead(fact, need, at: now, isFresh: fresh[fact]) else { continue }
        isDone[fact] = true
        hasRead = true
        readVersions[fact] = versions[fact]
        readInstants[fact] = measurementInstants[fact]
        facts.set(fact, world[fact], at: now)
        partial.set(fact: fact, world[fact], at: now)
        neededSamples += 1
      }
    } while hasRead
  }

  private func mustRead(_ fact: Int, _ need: FactNeed, at now: Instant, isFresh: Bool) -> Bool {
    switch need {
    case .nothing: return false
    case .everything: return isFresh
    case .change, .outside:
      guard versions[fact] > readVersions[fact] else { return false }
      // A number is read again when it may have reached a limit of a rule since the last reading. It is also
      // read again when that reading is older than the fact's maximum age.
      guard SensingImage.choices[fact] == nil,
        case .number(let value) = facts.value(fact, at: now, maxAge: image.image.facts[fact].maxAge)
      else { return true }
      guard let quiet = need.timeWithoutEffect(from: value, maxRate: Self.maxRate) else { return false }
      return now - readInstants[fact] >= quiet
    }
  }

  /// Moves the value of a sensor. A word or a Boolean value usually stays equal; a number changes by at most
  /// `maxRate` per second.
  private mutating func move(_ fact: Int) {
    versions[fact] += 1
    if let count = SensingImage.choices[fact] {
      guard world[fact] == .unknown || generator.once(in: 4) else { return }
      if generator.once(in: 10) {
        world[fact] = .unknown
        return
      }
      let choice = Int.random(in: 0..<count, using: &generator)
      world[fact] = count == 2 ? .boolean(choice == 1) : .symbol(choice)
      return
    }
    guard case .number(let before) = world[fact] else {
      world[fact] = .number(Double(Int.random(in: -25...25, using: &generator)))
      return
    }
    let step = Self.maxRate * Double(periods[fact])
    world[fact] = .number(before + Double.random(in: -step...step, using: &generator))
  }
}
