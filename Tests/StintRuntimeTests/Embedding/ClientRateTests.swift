import Stint
import StintModel
import StintServices
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@Suite struct ClientRateTests {
  /// The reference phone during the hike scenario, in virtual time.
  private func hike() async throws -> Bus {
    let scenario = try BuiltInScenarios.scenario(named: "day-hike")
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    return try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)))
  }

  /// Returns the samples of the accelerometer in the ten seconds after the first sample.
  private static func tenSeconds(_ app: Client, every period: Duration) async throws -> [Stint.Sample] {
    try await app.withDemand(.acceleration(every: period)) { batches in
      var samples: [Stint.Sample] = []
      for try await batch in batches {
        samples += batch.samples
        if let first = samples.first, let last = samples.last, last.time - first.time >= .seconds(10) {
          break
        }
      }
      return samples
    }
  }

  @Test("X08 M16: a client that asks for 5 Hz gets 5 Hz next to a client that asks for 50 Hz")
  func demands() async throws {
    let bus = try await hike()
    async let _ = bus.flow()
    let fast = try await bus.attach("fast", authorized: .always)
    let slow = try await bus.attach("slow", authorized: .always)
    async let many = Self.tenSeconds(fast, every: .milliseconds(20))
    let few = try await Self.tenSeconds(slow, every: .milliseconds(200))
    #expect((500...502).contains(try await many.count))
    #expect((50...52).contains(few.count))
    await bus.close()
  }

  @Test("X08 L20: location updates with a period of 5 s get a fix per 5 s next to a client with 1 s")
  func updates() async throws {
    let bus = try await Bus(plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual)
    async let _ = bus.flow()
    let fast = try await bus.attach("fast", authorized: .always)
    let slow = try await bus.attach("slow", authorized: .always)
    let request = LocationUpdates(accuracy: 10, period: .seconds(5), pausing: false)
    let few = try await fast.withDemand(.location(accuracy: .meters(10), every: .seconds(1))) { _ in
      try await slow.withService("way", request) { notices in
        var fixes: [LocationFix] = []
        for await notice in notices {
          if case LocationNotice.fixes(let more) = notice { fixes += more }
          if fixes.count >= 10 { break }
        }
        return fixes
      }
    }
    let gaps = zip(few, few.dropFirst()).map { $1.instant - $0.instant }
    #expect(gaps == Array(repeating: .seconds(5), count: gaps.count))
    await bus.close()
  }
}
