import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

@Suite struct RadioTests {
  private func messages(_ numbers: ClosedRange<Int64>) -> [AssignedTransfer] {
    numbers.map {
      AssignedTransfer(demand: DemandID($0), transfer: Transfer(bytesUp: 20_000, bytesDown: 0))
    }
  }

  /// Returns the energy of the states in which the radio is on. The energy of the idle state is not included.
  private func work(_ bench: PluginBench) -> Energy {
    var total = Energy.zero
    var last: (state: PowerState, at: Instant)?
    for case .outcome(.state(let index, _), let instant) in bench.events {
      if let last, last.state.isOn {
        total += last.state.power.energy(over: instant - last.at, carrying: 0).0
      }
      last = (bench.plugin.manifest.states[index], instant)
    }
    return total
  }

  @Test("N01: 60 messages of 20 kB, one per minute, cost exactly 470.4 J") func loneMessages() async throws {
    var bench = try await Laboratory().bench("radio.cellular")
    for number in 1...60 {
      await bench.advance(to: Laboratory.start + .minutes(Int64(number)))
      await bench.startTransfers(messages(Int64(number)...Int64(number)))
    }
    await bench.advance(by: .minutes(5))
    #expect(work(bench) == Energy(nanojoules: 470_400_000_000))
    // The radio is not idle for 60 × 12.04 s of the 65 min.
    let idle = Energy(nanojoules: 10_000_000 * 3900 - 10_000_000 * 722 - 4_000_000)
    #expect(bench.energy(since: Laboratory.start) == Energy(nanojoules: 470_400_000_000) + idle)
  }

  @Test("N01: the same 60 messages in one batch cost exactly 10.2 J") func oneBatch() async throws {
    var bench = try await Laboratory().bench("radio.cellular")
    await bench.startTransfers(messages(1...60))
    await bench.advance(by: .minutes(5))
    #expect(work(bench) == Energy(nanojoules: 10_200_000_000))
    #expect(bench.stateLog == ["promotion 0", "active 2", "tail 4.4", "idle 14.4"])
    let carried = bench.events.compactMap { event -> Int64? in
      guard case .carried(let demand, _) = event else { return nil }
      return demand.number
    }
    #expect(carried == Array(1...60))
  }

  @Test(
    "N11: during a transfer that takes more than a second, each radio publishes the rate every second",
    arguments: [("radio.cellular", 500_000.0), ("radio.wifi", 4_000_000)] as [(DeviceID, Double)])
  func throughput(device: DeviceID, rate: Double) async throws {
    var bench = try await Laboratory().bench(device)
    let fact = try #require(bench.plugin.manifest.facts.firstIndex { $0.path == "net.throughput" })
    let transfer = Transfer(bytesUp: 0, bytesDown: Int64(5 * rate))
    await bench.startTransfers([AssignedTransfer(demand: DemandID(1), transfer: transfer)])
    await bench.advance(by: .minutes(1))
    let rates = bench.events.compactMap { event -> FactValue? in
      if case .fact(fact, let value, _) = event { value } else { nil }
    }
    #expect(rates == Array(repeating: .number(rate), count: 5))
  }

  @Test("N15: a cancelled transfer stops, and the radio returns the number of bytes transferred")
  func abandoning() async throws {
    var bench = try await Laboratory().bench("radio.cellular")
    let radio = try #require(bench.plugin as? any RadioPlugin)
    await bench.startTransfers(messages(1...3))
    await bench.advance(by: .milliseconds(2010))
    // Ten milliseconds at half a megabyte per second.
    #expect(await radio.cancelTransfer(DemandID(1), at: bench.now) == 5000)
    #expect(await radio.cancelTransfer(DemandID(1), at: bench.now) == nil)
    #expect(await radio.cancelTransfer(DemandID(3), at: bench.now) == 0)
    await bench.advance(by: .minutes(1))
    #expect(bench.stateLog == ["promotion 0", "active 2", "tail 2.05", "idle 12.05"])
    await bench.startTransfers(messages(4...4))
    await bench.advance(by: .seconds(1))
    #expect(await radio.cancelTransfer(DemandID(4), at: bench.now) == 0)
    // The radio needs no further wake-up; this call only collects its events.
    await bench.startTransfers([])
    await bench.advance(by: .minutes(1))
    #expect(bench.stateLog.suffix(2) == ["promotion 62.01", "idle 63.01"])
    #expect(work(bench) == Energy(nanojoules: 1_800_000_000 + 50_000_000 + 6_000_000_000 + 900_000_000))
  }

  @Test("a transfer in the tail needs no promotion; a transfer during another transfer waits")
  func nextTransfers() async throws {
    var bench = try await Laboratory().bench("radio.cellular")
    await bench.startTransfers(messages(1...1))
    await bench.advance(by: .milliseconds(2020))
    await bench.startTransfers(messages(2...2))
    await bench.advance(by: .seconds(5))
    await bench.startTransfers(messages(3...3))
    await bench.advance(by: .seconds(1))
    await bench.advance(by: .seconds(60))
    #expect(
      bench.stateLog == ["promotion 0", "active 2", "tail 2.08", "active 7.02", "tail 7.06", "idle 17.06"])
  }

  @Test("an empty transfer has no active time; an empty list of transfers changes no state")
  func emptyTransfers() async throws {
    var bench = try await Laboratory().bench("radio.cellular")
    await bench.startTransfers([])
    #expect(bench.states.isEmpty)
    await bench.startTransfers([
      AssignedTransfer(demand: DemandID(1), transfer: Transfer(bytesUp: 0, bytesDown: 0))
    ])
    await bench.advance(by: .minutes(1))
    #expect(bench.stateLog == ["promotion 0", "active 2", "tail 2", "idle 12"])
  }

  @Test("Wi-Fi transfers 4 MB per second and has a short tail")
  func wiFiSpeed() async throws {
    let legs = [Leg.resting(.hours(1), sky: .indoors, hasWiFi: true)]
    var bench = try await Laboratory(legs: legs).bench("radio.wifi")
    await bench.startTransfers([
      AssignedTransfer(demand: DemandID(1), transfer: Transfer(bytesUp: 1_000_000, bytesDown: 3_000_000))
    ])
    await bench.advance(by: .seconds(10))
    #expect(bench.stateLog == ["active 0", "tail 1", "idle 1.25"])
    #expect(work(bench) == Energy(nanojoules: 700_000_000 + 62_500_000))
  }

  @Test("Wi-Fi is available where the world has Wi-Fi, and publishes net.kind")
  func wiFiAvailability() async throws {
    let legs = [
      Leg.resting(.minutes(10)), .resting(.minutes(10), sky: .indoors, hasWiFi: true),
      .moving(.walking, .minutes(10)),
    ]
    var bench = try await Laboratory(legs: legs).bench("radio.wifi")
    await bench.advance(by: .hours(1))
    let availability = bench.events.compactMap { event -> String? in
      guard case .available(let isAvailable, let instant) = event else { return nil }
      return "\(isAvailable) \((instant - Laboratory.start).description)"
    }
    #expect(availability == ["false 0 s", "true 10 min", "false 20 min"])
    #expect(bench.values(of: "net.kind").map(\.value) == [.symbol(1), .symbol(2), .symbol(1)])
  }
}
