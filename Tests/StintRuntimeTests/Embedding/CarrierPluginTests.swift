import Stint
import StintModel
import StintPluginKit
import StintRuntime
import StintServices
import StintSimulation
import StintUnits
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// A carrier plugin moves the bytes of a session, over the radio that the governor chooses.
@Suite struct CarrierPluginTests {
  /// A carrier that writes each file after a second, and answers the first attempts with failures.
  private actor FileCarrier: TransferCarrier {
    nonisolated let manifest: Manifest
    nonisolated let orders = Locked<[TransferOrder]>([])
    private let folder: String
    private var failures: Int
    private var port: DevicePort?
    private var latest = Instant.epoch
    private var due: [(at: Instant, exchange: TransferExchange)] = []

    init(in folder: String, failures: Int = 0) {
      var manifest = Manifest(device: "net.files", kind: .source, title: "files")
      manifest.statedRoles = [.carrier]
      self.manifest = manifest
      self.folder = folder
      self.failures = failures
    }

    func open(_ port: DevicePort, at instant: Instant) {
      self.port = port
      latest = instant
    }
    func apply(_ setting: Setting, at instant: Instant) {}
    func close(at instant: Instant) {}

    func handle(_ order: TransferOrder, at instant: Instant) {
      latest = instant
      orders.withLock { $0.append(order) }
      switch order {
      case .start(let exchange, _):
        due.append((instant + .seconds(1), exchange))
        port?.setAlarm(at: due[0].at)
      case .close(let exchange, _): due.removeAll { $0.exchange.key == exchange.key }
      case .discard(let file): unlink(file)
      case .open, .complete: break
      }
    }

    func wake(at instant: Instant, horizon: Instant) {
      while let first = due.first, first.at <= instant {
        due.removeFirst()
        guard failures == 0 else {
          failures -= 1
          port?.report(.failed(.connection), about: first.exchange, at: instant)
          continue
        }
        let file = FilePath.join(folder, first.exchange.task)
        do { try FileText.write(Array("mail".utf8), to: file) } catch { Issue.record("\(error)") }
        port?.report(.reply(200), about: first.exchange, at: instant)
        port?.report(.finished(file: file), about: first.exchange, at: instant)
      }
      port?.setAlarm(at: due.first?.at)
    }

    /// Reports whether the carrier is available, and drops all current attempts.
    func setAvailable(_ isThere: Bool) {
      due = []
      port?.available(isThere, at: latest)
    }
  }

  private struct Stage {
    let bus: Bus
    let app: Client
    let folder = TemporaryFolder()
    let carrier: FileCarrier

    init(failures: Int = 0, policy: String? = nil) async throws {
      let scenario = try BuiltInScenarios.scenario(named: "day-hike")
      let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
      carrier = FileCarrier(in: folder.path, failures: failures)
      bus = try await Bus(
        plugins: .linked(phone.plugins() + [carrier]),
        clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)))
      if let policy { try await bus.load(text: policy) }
      app = try await bus.attach("mail", authorized: .always)
      _ = try await app.ask("sync", for: TransferConfiguration())
      let request = TransferRequest(.download(from: "https://mail.example/a"), bytesDown: 9000)
      try await app.send("sync", TransferCommand.create("a", request))
      try await app.send("sync", TransferCommand.resume("a"))
    }

    func advance(until isDone: () -> Bool) async throws {
      for _ in 0..<600 where !isDone() { try await bus.advance(by: .seconds(1)) }
      try #require(isDone())
    }

    func file() async throws -> String {
      for await notice in await app.notices(of: "sync") {
        if case TransferNotice.finished(_, let file?) = notice { return file }
      }
      throw Problem(.content, cause: "the session has ended")
    }
  }

  @Test(
    "a download starts on a radio; its file reaches the client and is discarded after the client has read it")
  func download() async throws {
    let stage = try await Stage()
    try await stage.advance { access(stage.folder.at("a"), F_OK) == 0 }
    #expect(stage.carrier.orders.withLock { $0.count } == 1)
    guard case .start(let exchange, let radio)? = stage.carrier.orders.withLock({ $0.first }) else {
      Issue.record("the first order is not “start”")
      return
    }
    #expect(exchange.task == "a" && exchange.attempt == 1 && radio.path.hasPrefix("radio."))
    let file = try await stage.file()
    #expect(access(file, F_OK) == 0)
    try await stage.advance { access(file, F_OK) != 0 }
    #expect(stage.carrier.orders.withLock { $0.last } == .discard(file))
    await stage.bus.close()
  }

  @Test(
    "`cellular off` in a default excludes the cellular radio for the named session only, and `why` reports it",
    arguments: [("sync", true), ("other", false)])
  func wifiOnly(session: String, isExcluded: Bool) async throws {
    let stage = try await Stage(
      policy: """
        policy "nets" version 1
        use radio.cellular as cell
        default cell { session "\(session)"  cellular off }
        """)
    #expect(await stage.bus.why("radio.cellular").contains(#"session "\#(session)", cellular off"#))
    try await stage.bus.advance(by: .seconds(300))
    let radios = stage.carrier.orders.withLock { orders in
      orders.compactMap { order in if case .start(_, let radio) = order { radio.path } else { nil } }
    }
    #expect(radios.contains("radio.cellular") != isExcluded, "\(radios)")
    await stage.bus.close()
  }

  @Test("after a failed attempt, the task starts again with the next attempt number")
  func retry() async throws {
    let stage = try await Stage(failures: 1)
    try await stage.advance { access(stage.folder.at("a"), F_OK) == 0 }
    let attempts = stage.carrier.orders.withLock { orders in
      orders.compactMap { order -> Int? in
        if case .start(let exchange, _) = order { exchange.attempt } else { nil }
      }
    }
    #expect(attempts == [1, 2])
    await stage.bus.close()
  }

  @Test("while the carrier is not available, tasks wait with this reason and continue afterwards")
  func unavailable() async throws {
    let stage = try await Stage()
    await stage.carrier.setAvailable(false)
    for _ in 0..<300 { try await stage.bus.advance(by: .seconds(1)) }
    try #require(access(stage.folder.at("a"), F_OK) != 0)
    await stage.carrier.setAvailable(true)
    try await stage.advance { access(stage.folder.at("a"), F_OK) == 0 }
    var waits: [TransferWait] = []
    for await notice in await stage.app.notices(of: "sync") {
      if case TransferNotice.waiting(_, let wait) = notice { waits.append(wait) }
      if case TransferNotice.finished = notice { break }
    }
    #expect(waits.contains(.noCarrier))
    await stage.bus.close()
  }
}
