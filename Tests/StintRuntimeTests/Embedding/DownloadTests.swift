import Stint
import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintUnits
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Downloads of a session. The carrier removes each file that the session discards.
@Suite struct DownloadTests {
  private final class Carrier: Sendable {
    private let state = Locked((settled: [TransferExchange](), removed: [String]()))

    var removed: [String] { state.withLock { $0.removed } }

    func obey(_ order: any ServiceOrder) {
      switch order as? TransferOrder {
      case .complete(let exchange): state.withLock { $0.settled.append(exchange) }
      case .discard(let file):
        unlink(file)
        state.withLock { $0.removed.append(file) }
      default: break
      }
    }

    func take() -> [TransferExchange] {
      state.withLock { state in
        defer { state.settled = [] }
        return state.settled
      }
    }
  }

  private struct Stage {
    let bus: Bus
    let app: Client
    let carrier = Carrier()
    let folder = TemporaryFolder()

    init() async throws {
      let scenario = try BuiltInScenarios.scenario(named: "day-hike")
      let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
      let carrier = carrier
      bus = try await Bus(
        plugins: .linked(phone.plugins()), clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)),
        onOrder: { _, _, order in carrier.obey(order) })
      app = try await bus.attach("mail", authorized: .always)
      _ = try await app.ask("sync", for: TransferConfiguration())
      for name in ["a", "b"] {
        let request = TransferRequest(.download(from: "https://mail.example/\(name)"), bytesDown: 9000)
        try await app.send("sync", TransferCommand.create(name, request))
        try await app.send("sync", TransferCommand.resume(name))
      }
    }

    /// Advances time until both files are downloaded, and writes and reports each file.
    func download() async throws {
      var count = 0
      for _ in 0..<600 where count < 2 {
        try await bus.advance(by: .seconds(1))
        for exchange in carrier.take() {
          folder.write(exchange.task, "mail")
          let done = TransferReport.finished(file: folder.at(exchange.task))
          try await app.send("sync", TransferCommand.report(exchange.task, attempt: exchange.attempt, done))
          count += 1
        }
      }
      try #require(count == 2)
    }
  }

  @Test("N21: a downloaded file exists while the app handles its notice, and is removed afterwards")
  func read() async throws {
    let stage = try await Stage()
    try await stage.download()
    #expect(stage.carrier.removed.isEmpty)
    var seen: [String] = []
    for await notice in await stage.app.notices(of: "sync") {
      guard case TransferNotice.finished(_, let file?) = notice else { continue }
      #expect(access(file, F_OK) == 0, "\(file) exists while the app handles its notice")
      // The previous file was removed when the app requested this notice.
      #expect(stage.carrier.removed == seen)
      seen.append(file)
      if seen.count == 2 { break }
    }
    #expect(seen.count == 2 && stage.carrier.removed == seen)
    #expect(seen.allSatisfy { access($0, F_OK) != 0 })
    await stage.bus.close()
  }

  @Test("N21: the file of an unread notice stays when the bus is closed")
  func unread() async throws {
    let stage = try await Stage()
    try await stage.download()
    await stage.bus.close()
    #expect(stage.carrier.removed.isEmpty)
    #expect(access(stage.folder.at("a"), F_OK) == 0)
  }
}
