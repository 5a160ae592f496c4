import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import Stint
@testable import StintRuntime

/// The threads on which an app continues after its calls to a bus.
@Suite struct CallerThreadTests {
  /// The calls of an app whose results come from the host.
  private static let calls: [@Sendable (Bus, Client) async throws -> Void] = [
    { bus, _ in _ = await bus.fact("location.gnss.latitude") },
    { bus, _ in _ = await bus.state },
    { bus, app in _ = await app.permissions },
    { bus, _ in
      let other = try await bus.attach("other \(Int.random(in: 0 ... .max))", authorized: .always)
      await other.detach()
    },
    { bus, app in await app.setPresence(.foreground) },
    { bus, app in try await app.withDemand(.location(accuracy: .meters(10))) { _ in } },
    { bus, app in _ = await bus.devices() },
    { bus, app in await app.end("nothing") },
  ]

  @Test("X08: while other tasks use the same bus, no call continues on the thread of the bus")
  func calls() async throws {
    let bus = try await Bus(plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual)
    let app = try await bus.attach("app", authorized: .always)
    async let _ = bus.flow()
    let continuations = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask {
          var count = 0
          for round in 0..<Trials(2_000).rounds.count {
            try await Self.calls[(task * 3 + round) % Self.calls.count](bus, app)
            if LoopExecutor.current != nil { count += 1 }
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(continuations == 0)
    await bus.close()
  }
}
