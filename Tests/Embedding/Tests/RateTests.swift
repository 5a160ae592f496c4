import Stint
import StintSimulation
import Testing

/// Clients with different rates on one device: each client gets samples at its own rate.
@Suite struct RateTests {
  /// Returns for each request the times of the samples that its client gets within a span.
  private func times(
    _ requests: [DemandRequest], for span: Duration
  ) async throws -> [[Duration]] {
    let phone = Stage.phone()
    let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
    let times = try await withThrowingTaskGroup(of: (Int, [Duration]).self) { group in
      for (number, request) in requests.enumerated() {
        let app = try await bus.attach("app-\(number)", authorized: .always)
        group.addTask {
          var times: [Duration] = []
          do {
            try await app.withDemand(request) { batches in
              for try await batch in batches { times += batch.samples.map(\.time) }
            }
          } catch let problem as Problem where problem.code == .closed {}
          return (number, times)
        }
      }
      // Time must not advance before every client is served by a device.
      while await bus.devices().flatMap(\.served).count < requests.count { await Task.yield() }
      try await bus.advance(by: span)
      await bus.close()
      return try await group.reduce(into: Array(repeating: [Duration](), count: requests.count)) {
        $0[$1.0] = $1.1
      }
    }
    return times
  }

  @Test("X08 M16: clients with 50 Hz and 5 Hz get 15,000 and 1,500 samples in five minutes")
  func acceleration() async throws {
    let times = try await times(
      [.acceleration(every: .milliseconds(20)), .acceleration(every: .milliseconds(200))], for: .seconds(300))
    #expect(abs(times[0].count - 15_000) <= 2, "\(times[0].count)")
    #expect(abs(times[1].count - 1_500) <= 2, "\(times[1].count)")
  }

  @Test("X08 L20: each of twenty clients with periods of 1 to 20 s gets positions at its own period")
  func twenty() async throws {
    let periods = (1...20).map { Duration.seconds($0) }
    let times = try await times(
      periods.map { .location(accuracy: .meters(10), every: $0) }, for: .seconds(600))
    for (period, times) in zip(periods, times) {
      let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
      // The first fix needs some time, and the receiver measures each second.
      #expect(gaps.allSatisfy { abs(($0 - period) / .seconds(1)) <= 1 }, "\(period): \(gaps)")
      let expected = (.seconds(600) - (times.first ?? .zero) + Stage.phone().clockStart) / period
      #expect(abs(Double(times.count) - expected) <= 2, "\(period): \(times.count), \(expected)")
    }
  }

  @Test("L20: each of twenty clients with periods of 1 to 20 s gets location updates at its own period")
  func updates() async throws {
    let phone = Stage.phone()
    let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
    var streams: [Notices] = []
    for number in 1...20 {
      let app = try await bus.attach("app-\(number)", authorized: .always)
      let request = LocationUpdates(accuracy: .meters(10), period: .seconds(Int64(number)), pausing: false)
      streams.append(try await app.ask("way", for: request))
    }
    try await bus.advance(by: .seconds(600))
    await bus.close()
    let start = Instant(nanoseconds: Int64(phone.clockStart / .nanoseconds(1)))
    for (number, notices) in zip(1...20, streams) {
      var times: [Instant] = []
      for await notice in notices {
        if case LocationNotice.fixes(let fixes) = notice { times += fixes.map(\.instant) }
      }
      let tracked = (start + .seconds(600) - (times.first ?? start)).nanoseconds / 1_000_000_000
      #expect(tracked >= 540, "the first fix comes within a minute")
      #expect(abs(times.count - Int(tracked) / number) <= 1, "\(number) s: \(times.count)")
      let gaps = zip(times, times.dropFirst()).map { ($1 - $0).nanoseconds }
      #expect(
        gaps.allSatisfy { abs($0 - Int64(number) * 1_000_000_000) <= 1_000_000_000 }, "\(number) s: \(gaps)")
    }
  }
}
