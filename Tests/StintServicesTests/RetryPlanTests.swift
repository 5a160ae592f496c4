import StintModel
import StintUnits
import Testing

@testable import StintServices

@Suite struct RetryPlanTests {
  private func seconds(_ plan: RetryPlan, _ failures: Int, _ task: String) -> Double? {
    plan.wait(after: failures, of: task)?.seconds
  }

  @Test("N12: without jitter, each wait doubles up to the cap, and the limit is the number of waits")
  func exact() {
    let plan = RetryPlan(cap: .minutes(10), limit: 6)
    #expect((0...7).map { seconds(plan, $0, "any") } == [nil, 30, 60, 120, 240, 480, 600, nil])
    #expect(seconds(RetryPlan(limit: 100), 90, "any") == 3600)
  }

  @Test("N12: the retries of a thousand installations are spread evenly over the whole range of waits")
  func spread() {
    for failures in [1, 4, 8] {
      let longest = seconds(RetryPlan(), failures, "app/sync/job") ?? 0
      var tenths = [Int](repeating: 0, count: 10)
      for installation in 0..<1000 {
        let plan = RetryPlan(jitter: 0.5, seed: UInt64(installation))
        let wait = seconds(plan, failures, "app/sync/job") ?? 0
        #expect(wait > longest / 2 && wait <= longest)
        #expect(seconds(plan, failures, "app/sync/job") == wait)
        tenths[min(9, Int((wait - longest / 2) / (longest / 20)))] += 1
      }
      #expect(tenths.allSatisfy { (60...140).contains($0) }, "after \(failures): \(tenths)")
    }
  }

  @Test("N12: tasks of one installation have different waits, and so have the attempts of one task")
  func tasks() {
    let plan = RetryPlan(first: .minutes(1), cap: .minutes(1), limit: 100, jitter: 0.2, seed: 7)
    let byTask = Set((0..<100).map { seconds(plan, 1, "app/sync/job-\($0)") ?? 0 })
    let byTry = Set((1...100).map { seconds(plan, $0, "app/sync/job") ?? 0 })
    #expect(byTask.count == 100 && byTry.count == 100)
    #expect(byTask.union(byTry).allSatisfy { $0 >= 48 && $0 <= 60 })
  }

  @Test("N12: an invalid jitter is rejected with a reason", arguments: [-0.1, 0.51, 1, .nan, .infinity])
  func refusals(jitter: Double) {
    var configuration = TransferConfiguration()
    configuration.retries.jitter = jitter
    #expect(configuration.rejectionReason?.sentence.contains("expected a jitter from 0 to 0.5") == true)
    configuration.retries.jitter = 0.5
    #expect(configuration.rejectionReason == nil)
  }

  @Test("N12: jitter and seed survive a restart")
  func saved() throws {
    var configuration = TransferConfiguration()
    #expect(try SavedText.copy(of: configuration) == configuration)
    configuration.retries = RetryPlan(first: .seconds(7), jitter: 0.25, seed: .max - 3)
    #expect(try SavedText.copy(of: configuration) == configuration)
  }
}
