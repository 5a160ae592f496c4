import StintModel
import StintServices
import StintTestSupport
import StintUnits

/// Fourteen days from seven in the morning. The phone charges every night, and has Wi-Fi in the first ten
/// nights. Jobs come at random, each with a window of eighteen hours.
struct Fortnight {
  struct Job: Sendable {
    var name: String
    var second: Double
    var bytes: Int64
  }

  static let days = 14
  static let window = 18 * 3600.0
  /// Energies in nanojoules. They are the costs of one promotion (the start) of the cellular radio with its
  /// tail (the wait before idle), of a byte over cellular, and of a byte over Wi-Fi.
  private static let promotion: Int64 = 7_800_000_000
  private static let byCellular: Int64 = 2_000
  private static let byWiFi: Int64 = 175

  private(set) var nights: [(from: Double, to: Double, hasWiFi: Bool)] = []
  private(set) var jobs: [Job] = []
  private(set) var legs: [Leg] = []

  init(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    var last = 0.0
    for day in 0..<Self.days {
      let dawn = Double(day) * 86_400
      // The phone comes home between 21:30 and 22:30 and leaves between 06:30 and 07:30.
      let from = dawn + 14.5 * 3600 + Double.random(in: 0...3600, using: &chance).rounded()
      let to = dawn + 23.5 * 3600 + Double.random(in: 0...3600, using: &chance).rounded()
      nights.append((from, to, day < 10))
      legs.append(.staying(.of(seconds: from - last)))
      legs.append(.staying(.of(seconds: to - from), hasWiFi: day < 10))
      last = to
      for number in 0..<20 {
        let second = dawn + Double.random(in: 0..<86_400, using: &chance).rounded()
        let bytes = Int64.random(in: 200_000...2_000_000, using: &chance)
        // No job begins on the last day, so that each window of eighteen hours ends within the fortnight.
        if day < Self.days - 1 { jobs.append(Job(name: "\(day)-\(number)", second: second, bytes: bytes)) }
      }
    }
    legs.append(.staying(.hours(48)))
    jobs.sort { $0.second < $1.second }
  }

  var facts: [(Double, String, String)] {
    [(0, "power.source", "battery")]
      + nights.flatMap { [($0.from, "power.source", "external"), ($0.to, "power.source", "battery")] }
  }

  /// Returns whether the phone charges or has Wi-Fi.
  func isGood(at second: Double) -> Bool { nights.contains { $0.from <= second && second <= $0.to } }

  /// A lower bound for the energy of every plan, even of a plan that knows the future. Each byte goes over
  /// Wi-Fi if Wi-Fi is available within its window. A job whose window contains no Wi-Fi needs a promotion of
  /// the cellular radio within this window. The bound counts the smallest number of promotions that is
  /// sufficient for all these windows.
  var floor: Energy {
    var total: Int64 = 0
    var coveredUntil = -Double.infinity
    for job in jobs.sorted(by: { $0.second < $1.second }) {
      let end = job.second + Self.window
      let hasWiFi = nights.contains { $0.hasWiFi && $0.from <= end && $0.to >= job.second }
      total += job.bytes * (hasWiFi ? Self.byWiFi : Self.byCellular)
    }
    let alone = jobs.filter { job in
      !nights.contains { $0.hasWiFi && $0.from <= job.second + Self.window && $0.to >= job.second }
    }
    for job in alone.sorted(by: { $0.second < $1.second }) where job.second > coveredUntil {
      coveredUntil = job.second + Self.window
      total += Self.promotion
    }
    return Energy(nanojoules: total)
  }
}
