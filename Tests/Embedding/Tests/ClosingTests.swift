import Stint
import StintSimulation
import Testing

/// Tests that a bus can close while other tasks read, make requests and advance time.
@Suite struct ClosingTests {
  /// Makes one of eight kinds of calls concurrently with `close()`. Throws the error with which the call
  /// ends.
  private static func call(_ number: Int, _ bus: Bus, _ app: Client) async throws {
    switch number % 8 {
    case 0:
      try await app.withDemand(.location(accuracy: .meters(10))) { batches in for try await _ in batches {} }
    case 1:
      try await app.withDemand(.acceleration(every: .milliseconds(20))) { batches in
        for try await _ in batches {}
      }
    case 2:
      let notices = try await app.ask("way-\(number)", for: LocationUpdates(accuracy: .meters(10)))
      for await _ in notices {}
      guard notices.end != nil else { throw Program.Failure(description: "a stream ends without a reason") }
    case 3:
      try await bus.load(
        text: """
          policy "p" version 1
          use location.gnss as gps
          rule slow while gps.accuracy > 50 m { downgrade gps to 100 m }
          """)
    case 4:
      let other = try await bus.attach("other-\(number)", authorized: .always)
      await other.setPresence(.background)
      await other.detach()
    case 5:
      let topic = try bus.topic("numbers", of: Int.self)
      topic.publish(number)
      for try await _ in topic.messages() {}
    case 6: for _ in 0..<20 { try await bus.advance(by: .seconds(1)) }
    default:
      _ = await bus.devices()
      await app.authorize(.always)
      _ = try await app.ask("visits-\(number)", for: VisitsRequest())
    }
  }

  @Test("X08: in 1,000 interleavings of close and sixteen calls, each call ends; the only error is `closed`")
  func close() async throws {
    for seed in 0..<1_000 {
      var random = SeededRandom(seed: UInt64(seed))
      let phone = Stage.phone()
      let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
      let app = try await bus.attach("app", authorized: .always)
      let delays = (0..<17).map { _ in Int(random.next() % 40) }
      let codes = await withTaskGroup(of: String?.self) { group in
        for number in 0..<16 {
          group.addTask {
            for _ in 0..<delays[number] { await Task.yield() }
            do {
              try await Self.call(number, bus, app)
              return nil
            } catch { return (error as? Problem)?.code.name ?? "\(error)" }
          }
        }
        group.addTask {
          for _ in 0..<delays[16] * 4 { await Task.yield() }
          await bus.close()
          return nil
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.count == 17, "seed \(seed)")
      let others = codes.compactMap(\.self).filter { $0 != "closed" }
      #expect(others.isEmpty, "seed \(seed): \(others)")
      #expect(await bus.state == .closed)
    }
  }
}

/// A generator of repeatable numbers (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
