import Stint
import StintSimulation
import Testing

/// The two usual shapes of an app: a view model on the main actor, and an actor that owns the bus.
@Suite struct HostShapeTests {
  /// Shows the user's path, entirely on the main actor.
  @MainActor final class TrailModel {
    private(set) var fixes: [Fix] = []
    private(set) var message = ""
    private var reading: Task<Void, Never>?

    func follow(_ app: Client) {
      reading = Task {
        do {
          let updates = LocationUpdates(accuracy: .meters(10), pausing: false)
          try await app.withService("way", updates) { notices in
            for try await fix in notices.fixes {
              MainActor.assertIsolated()
              fixes.append(fix)
            }
          }
          message = "ended"
        } catch {
          message = (error as? Problem)?.code.name ?? "\(error)"
        }
      }
    }

    func stop() async {
      reading?.cancel()
      await reading?.value
    }

    func finished() async { await reading?.value }
  }

  /// Owns a bus and counts the positions of the user's path.
  actor TrailHost {
    private let bus: Bus
    private let app: Client
    private(set) var positions = 0

    init(_ phone: ReferencePhone) async throws {
      bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
      app = try await bus.attach("host", authorized: .whenInUse)
    }

    func measure(_ span: Duration) async throws {
      let bus = bus
      try await app.withDemand(.location(accuracy: .meters(10), every: .seconds(1))) { batches in
        async let flow: Void = bus.advance(by: span)
        for try await batch in batches {
          positions += batch.samples.count
          if positions >= 60 { break }
        }
        try await flow
      }
    }

    func close() async { await bus.close() }
  }

  @Test("a view model on the main actor reads fixes there, and stops when its task is cancelled")
  @MainActor func viewModel() async throws {
    let phone = Stage.phone()
    let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
    let app = try await bus.attach("map", authorized: .whenInUse)
    let model = TrailModel()
    model.follow(app)
    while await bus.devices().flatMap(\.served).isEmpty { await Task.yield() }
    try await bus.advance(by: .seconds(120))
    #expect(model.fixes.count > 60 && model.message.isEmpty, "\(model.fixes.count) \(model.message)")
    await model.stop()
    try await bus.advance(by: .seconds(60))
    #expect(await bus.devices().allSatisfy { $0.served.isEmpty })

    let second = TrailModel()
    second.follow(app)
    while await bus.devices().flatMap(\.served).isEmpty { await Task.yield() }
    await app.authorize(.denied)
    await second.finished()
    #expect(second.message == "denied")
    await bus.close()
  }

  @Test("an actor that owns a bus reads positions in its own isolation")
  func actorHost() async throws {
    let host = try await TrailHost(Stage.phone())
    try await host.measure(.seconds(120))
    #expect(await host.positions >= 60)
    await host.close()
  }
}
