import StintLanguage
import StintModel
import StintTestSupport
import StintUnits
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Bounds of wake-ups")
struct WakeupBoundTests {
  /// The number of steps of each search, from the environment variable STINT_SEARCH. Without this variable,
  /// no search runs.
  private static let rounds = getenv("STINT_SEARCH").flatMap { Int(String(cString: $0)) } ?? 0

  @Test("F5: no adversary makes a device wake more often than its bound")
  func holds() throws {
    let policies = try BoundedPolicy.shipped()
    for seed in 4..<(4 + Trials(400, fewest: 4).count) {
      var random = SeededGenerator(seed: UInt64(seed))
      let policy = policies[seed % policies.count]
      let adversary = random.once(in: 2) ? policy.choices.any(&random) : policy.choices.aimed(&random)
      let wakeups = try WakeupTrial.wakeups(
        adversary, policy.program, policy.vocabulary,
        // Few changes show edge cases; many changes approach the bound.
        changes: seed / policies.count % 10 == 9 ? 1000 : 60)
      let broken = policy.judge(wakeups).broken
      #expect(
        broken == nil, "\(policy.name), stream \(seed): \(broken?.path ?? "") woke too often: \(wakeups)")
    }
  }

  @Test("F5: clients that end and begin demands cause at most one more wake-up per broken assumption")
  func brokenAssumptions() throws {
    let policies = try BoundedPolicy.shipped()
    for seed in 4..<(4 + Trials(200, fewest: 18).count) {
      var random = SeededGenerator(seed: UInt64(seed))
      let policy = policies[seed % policies.count]
      let adversary = policy.choices.any(&random)
      let (wakeups, broken) = try WakeupTrial.wakeups(
        adversary, policy.program, policy.vocabulary, clientPeriod: random.pick([.seconds(7), .minutes(2)]))
      #expect(adversary.demands.isEmpty || broken > 0)
      for bound in policy.bounds {
        guard case .atMost(let most) = bound.limit, let device = policy.vocabulary.device(bound.device)
        else { continue }
        #expect(
          wakeups[device] <= most + broken,
          "\(policy.name), stream \(seed): \(bound.device) woke \(wakeups[device]) times")
      }
    }
  }

  @Test("F5: on nine shipped policies, a known adversary reaches at least half of a device's bound")
  func tightness() throws {
    let policies = try BoundedPolicy.shipped()
    for known in KnownAdversary.all {
      let policy = try #require(policies.first { $0.name == known.policy })
      let adversary = try #require(known.adversary(policy.vocabulary), "\(known)")
      let wakeups = try WakeupTrial.wakeups(adversary, policy.program, policy.vocabulary, changes: 4_000)
      let (shares, broken) = policy.judge(wakeups)
      let share = try #require(shares[known.device], "\(known)")
      #expect(broken == nil, "\(known): \(broken?.path ?? "") woke too often: \(wakeups)")
      #expect(share >= 0.5, "\(known): \(share)")
    }
    #expect(Set(KnownAdversary.all.map(\.policy)).count == 9)
  }

  /// Prints the largest share that a search finds for each bound above 1.
  @Test("the search for adversaries runs when STINT_SEARCH is set", .enabled(if: rounds > 0))
  func search() throws {
    for policy in try BoundedPolicy.shipped() {
      for bound in policy.bounds {
        guard case .atMost(let most) = bound.limit, most > 1 else { continue }
        var best: (share: Double, Adversary)?
        for restart in 0..<3 {
          var random = SeededGenerator(seed: UInt64(restart))
          var current = policy.choices.aimed(&random)
          var share = -1.0
          for _ in 0..<Self.rounds {
            let next = share < 0 ? current : policy.choices.mutated(current, &random)
            let wakeups = try WakeupTrial.wakeups(next, policy.program, policy.vocabulary)
            let found = policy.judge(wakeups).shares[bound.device] ?? 0
            if found >= share { (share, current) = (found, next) }
          }
          if share > best?.share ?? -1 { best = (share, current) }
        }
        if let best { print("\(policy.name) \(bound.device) \(most): \(best.share)") }
        fflush(nil)
      }
    }
  }
}
