import StintModel
import StintUnits
import Testing

@testable import StintDaemon

@Suite("Warnings about frequent requests") struct RequestCostTests {
  private func warnings(every interval: TimeSpan?) -> [String] {
    let transfer = Transfer(bytesUp: 1, bytesDown: 0)
    let series = ScenarioTransfers(target: "radio.a", transfer: transfer, first: .zero, every: interval)
    let client = ScenarioClient(name: "logger", transfers: [series])
    return RequestCost.warnings(for: ClientScript(clients: [client], start: .epoch))
  }

  @Test("transfers every millisecond get a warning with their number per second and per day")
  func frequent() {
    #expect(
      warnings(every: .milliseconds(1)) == [
        "clients[0].transfers[0]: the interval 1 ms starts 1000 transfers per second, 86400000 per day; "
          + "each transfer wakes the processor"
      ])
  }

  @Test(
    "transfers once a second, and single transfers, get no warning", arguments: [TimeSpan.seconds(1), nil])
  func rare(interval: TimeSpan?) { #expect(warnings(every: interval) == []) }
}
