import StintModel
import StintUnits
import Testing

@testable import StintTools

@Suite("clients in company")
struct CompanyTests {
  private let workshop = Workshop()
  /// First, period and patience of each, in minutes.
  private let clients = [(1, 15, 10), (4, 20, 12), (7, 30, 15), (11, 25, 10), (13, 15, 8)]

  private func wakeups(_ chosen: Range<Int>) throws -> (count: Int, late: Int) {
    let parts = chosen.map { number in
      let (first, every, deadline) = clients[number]
      return """
        {"name": "client-\(number)", "transfers": [{"target": "radio.cellular", "first": "\(first) min",
          "every": "\(every) min", "up": "20 kB", "down": "5 kB", "deadline": "\(deadline) min"}]}
        """
    }
    let path = try workshop.file(
      "company.json",
      """
      {"stint_scenario": 1, "name": "company", "start": "2026-05-18T00:00:00Z", "duration": "6 h",
       "world": {"origin": [47.05, 8.31]}, "clients": [\(parts.joined(separator: ", "))]}
      """)
    let request = SimulationRequest(policies: [Repository.path("policies/sync.stint")], scenario: path)
    let report = try SimulationRun(request).run().report
    return (report.wakeups.total, report.transfers.late)
  }

  @Test("F16: five clients with flex need at most half the wakes of five by themselves, and none is late")
  func half() throws {
    let alone = try clients.indices.map { try wakeups($0..<($0 + 1)) }
    let together = try wakeups(clients.indices)
    #expect(together.count * 2 <= alone.reduce(0) { $0 + $1.count })
    #expect(together.count > 0)
    #expect(together.late == 0)
  }
}
