import Stint
import StintModel
import StintServices
import StintUnits
import Testing

@Suite struct VirtualTimeTests {
  private func bus(_ clock: Bus.Clock = .virtual) async throws -> (bus: Bus, app: Client) {
    let sensors = [try TickingSensor("location.gnss"), try TickingSensor("motion.accelerometer")]
    let bus = try await Bus(plugins: .linked(sensors), clock: clock)
    return (bus, try await bus.attach("app", authorized: .always))
  }

  @Test("X08: virtual time changes only in calls of advance, by the given span")
  func onlyAdvance() async throws {
    let (bus, app) = try await bus()
    #expect(bus.now == .zero)
    let times = try await app.withDemand(.location(accuracy: .meters(10))) { batches in
      let reader = Task { [batches] in
        var times: [Duration] = []
        for try await batch in batches {
          times += batch.samples.map(\.time)
          if times.count == 3 { break }
        }
        return times
      }
      // These calls and the waiting reader leave the time unchanged.
      _ = await bus.why("location.gnss")
      await app.authorize(.whenInUse)
      _ = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
      #expect(bus.now == .zero)
      try await bus.advance(by: .milliseconds(2500))
      #expect(bus.now == .milliseconds(2500))
      try await bus.advance(by: .milliseconds(500))
      return try await reader.value
    }
    #expect(times == [.seconds(1), .seconds(2), .seconds(3)])
    #expect(bus.now == .seconds(3))
    await bus.close()
  }

  @Test("X08: during an advance by 5000 s, a reader reads every sample at its time")
  func readersInStep() async throws {
    let (bus, app) = try await bus()
    try await app.withDemand(.location(accuracy: .meters(10), maxAge: .milliseconds(1))) { batches in
      async let time: Void = bus.advance(by: .seconds(5000))
      var count = 0
      for try await batch in batches {
        #expect(batch.samples.count == 1 && !batch.samples[0].isStale)
        count += 1
        // If virtual time does not wait for the reader, samples are lost, and the check of `count` fails.
        // The last sample always arrives, so this loop always ends.
        if batch.samples.contains(where: { $0.time >= .seconds(5000) }) { break }
      }
      #expect(count == 5000)
      try await time
      #expect(bus.now == .seconds(5000))
    }
    await bus.close()
  }

  @Test("X08: virtual time advances although a reader has left its loop, or calls `advance` itself")
  func leftReader() async throws {
    let (bus, app) = try await bus()
    let other = try await bus.attach("other", authorized: .always)
    try await app.withDemand(.location(accuracy: .meters(10))) { batches in
      try await bus.advance(by: .seconds(1))
      for try await _ in batches {
        // This reader is busy.
        try await bus.advance(by: .seconds(1))
        break
      }
      // This reader has left.
      try await bus.advance(by: .seconds(1))
      try await other.withDemand(.acceleration(every: .seconds(1))) { other in
        try await bus.advance(by: .seconds(10))
        for try await _ in other { break }
      }
    }
    #expect(bus.now == .seconds(13))
    await bus.close()
  }

  @Test(
    "X08: virtual time advances while a task waits for one stream inside its loop over another stream"
  )
  func nestedReaders() async throws {
    let (bus, app) = try await bus()
    async let _ = bus.flow()
    let fix: Fix? = try await app.withDemand(.acceleration(every: .seconds(1))) { batches in
      for try await _ in batches {
        return try await app.withService("here", FixRequest(timeout: .seconds(60))) { notices in
          for await notice in notices { if case LocationNotice.answer(let fix) = notice { return fix } }
          return nil
        }
      }
      return nil
    }
    #expect(fix != nil)
    await bus.close()
  }

  @Test("X08: advancing fails with the system clock, with a negative span, and on a closed bus")
  func refused() async throws {
    let (system, _) = try await bus(.system)
    let (virtual, _) = try await bus()
    let noVirtual = await #expect(throws: Problem.self) { try await system.advance(by: .seconds(1)) }
    #expect(noVirtual?.code == .invalid)
    for span in [Duration.seconds(-1), .seconds(Int64.max), .seconds(Int64.min), .hours(24 * 25_568)] {
      let error = await #expect(throws: Problem.self) { try await virtual.advance(by: span) }
      #expect(error?.code == .invalid && error?.cause.hasSuffix("use 0 s to 70 years") == true)
    }
    // Two such spans end within the 200 years of virtual time; the third one does not.
    for _ in 0..<2 { try await virtual.advance(by: .hours(24 * 25_567)) }
    let end = await #expect(throws: Problem.self) { try await virtual.advance(by: .hours(24 * 25_567)) }
    #expect(end?.cause == "virtual time ends in the year 2170")
    for start in [Duration.seconds(Int64.max), .seconds(-1)] {
      let error = await #expect(throws: Problem.self) { try await bus(.virtual(from: start)) }
      #expect(error?.code == .invalid && error?.cause.hasPrefix("virtual time cannot start at") == true)
    }
    await virtual.close()
    let late = await #expect(throws: Problem.self) { try await virtual.advance(by: .seconds(1)) }
    #expect(late?.code == .closed)
    await system.close()
  }

  @Test("X08: a call of advance that waits for a busy reader returns when its task is cancelled")
  func ended() async throws {
    let (bus, app) = try await bus()
    try await app.withDemand(.location(accuracy: .meters(10))) { batches in
      let reader = Task { for try await _ in batches { while !Task.isCancelled { await Task.yield() } } }
      // The reader gets a sample and stays busy, so time does not advance further.
      let cancelled = Task { try await bus.advance(by: .seconds(10)) }
      while bus.now == .zero { await Task.yield() }
      cancelled.cancel()
      try await cancelled.value
      reader.cancel()
      try await reader.value
    }
    await bus.close()
  }
}
