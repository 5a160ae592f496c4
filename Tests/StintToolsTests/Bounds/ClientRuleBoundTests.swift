import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

/// Tests the bounds of wake-ups under rules that are evaluated once per demand.
@Suite("Bounds of wake-ups: clients")
struct ClientRuleBoundTests {
  private func load(_ rules: String) throws -> (loaded: PolicyLoader.Loaded, vocabulary: Vocabulary) {
    let text = "policy \"p\"\nuse location.gnss as gps\n" + rules
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    return (PolicyLoader(vocabulary: vocabulary).load([SourceText(file: "p", text: text)]), vocabulary)
  }

  private func limit(_ rules: String) throws -> WakeupBound.Limit {
    let (loaded, vocabulary) = try load(rules)
    return WakeupBound.of("location.gnss", in: loaded.policies, vocabulary: vocabulary).limit
  }

  @Test("a per-demand rule that reads shared facts has a bound that differs from the bound of a timed rule")
  func shared() throws {
    let common = try limit("rule r every 10 min { stop gps for 1 min }")
    let rule = "rule r while motion.activity is still and client.accuracy > 50 m { pause gps }"
    guard case .atMost(let most) = try limit("default gps { linger 1 s }\n" + rule) else {
      Issue.record("a per-demand rule without a time has no bound")
      return
    }
    #expect(most > 1)
    #expect(common != .atMost(most))
  }

  @Test("without a linger, wake-ups have no bound under a per-demand rule with a `for` or a duration")
  func unbounded() throws {
    let rules = [
      "rule r while client.accuracy > 50 m and (screen.on for 1 min) { pause gps }",
      "rule r when screen.on and client.accuracy > 50 m { stop gps for 1 min doubling to 1 h }",
    ]
    for rule in rules {
      let limit = try limit("default gps { linger 0 s }\n" + rule)
      guard case .unbounded(let reason) = limit else {
        Issue.record("\(rule): \(limit)")
        continue
      }
      #expect(reason.contains("linger") || reason.contains("demand"), "\(reason)")
      #expect(try self.limit("default gps { linger 60 s }\n" + rule) == .atMost(61))
    }
  }

  @Test("F5: many demands with different settings do not exceed the bound")
  func adversaries() throws {
    let rules = """
      rule modest while client.accuracy > 50 m and motion.activity is still { pause gps }
      rule other while client.accuracy < 50 m and not motion.activity is still { stop gps }
      rule sparing while battery.level < 20 % and client.accuracy >= 20 m { pause gps }
      """
    let (loaded, vocabulary) = try load("default gps { linger 1 ms }\n" + rules)
    let program = try #require(loaded.program)
    let bound = WakeupBound.of("location.gnss", in: loaded.policies, vocabulary: vocabulary)
    guard case .atMost(let most) = bound.limit else {
      Issue.record("no bound: \(bound.limit)")
      return
    }
    let gps = try #require(vocabulary.device("location.gnss"))
    let activity = try #require(vocabulary.fact("motion.activity"))
    let battery = try #require(vocabulary.fact("battery.level"))
    for seed in Trials(400, fewest: 5).rounds {
      var random = SeededGenerator(seed: UInt64(seed))
      let demands = (0..<5).map { _ in
        Adversary.Demanded(device: gps, accuracy: [10, 20, 60, 100].randomElement(using: &random))
      }
      let changes = (0..<40).map { number in
        let gap = TimeSpan.milliseconds(Int64([1, 1000, 2000, 10_000].randomElement(using: &random) ?? 1))
        return number % 2 == 0
          ? Adversary.Change(gap: gap, fact: activity, value: FactValue.symbol(number / 2 % 2))
          : Adversary.Change(gap: gap, fact: battery, value: FactValue.number(random.once(in: 2) ? 0.1 : 0.9))
      }
      let adversary = Adversary(start: .zero, changes: changes, demands: demands, missing: [], traffic: nil)
      let wakeups = try WakeupTrial.wakeups(adversary, program, vocabulary, changes: 400)
      #expect(wakeups[gps] <= most, "seed \(seed)")
    }
  }
}
