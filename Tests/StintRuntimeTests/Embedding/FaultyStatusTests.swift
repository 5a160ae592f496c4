import Stint
import StintFormats
import StintModel
import StintPluginKit
import StintServices
import StintSimulation
import StintUnits
import Testing

/// The status of a request whose device is on, but delivers no valid sample.
@Suite("the status faulty")
struct FaultyStatusTests {
  private static let reasons: [FlakyReceiver.Mode: String] = [
    .failing: "the chip does not answer", .future: "no sample of the last 3 batches is valid",
    .futureBurst: "no sample of the last 3 batches is valid",
    .impossible: "no sample of the last 3 batches is valid",
  ]

  @Test(
    "G05: a request has the status “faulty” while its device delivers no valid sample, and then “served”",
    arguments: Entry.allCases, [FlakyReceiver.Mode.failing, .future, .futureBurst, .impossible])
  func faulty(entry: Entry, mode: FlakyReceiver.Mode) async throws {
    let reason = try #require(Self.reasons[mode])
    let receiver = try FlakyReceiver()
    try await EntryStage.with(entry, .always, sensor: receiver) { stage in
      #expect(try await stage.ask("updates", #""accuracy":"10 m""#, 1) == nil)
      for next in [FlakyReceiver.Mode.working, mode, .working] {
        await receiver.set(next)
        try await stage.bus.advance(by: .seconds(5))
      }
      #expect(try await Self.statuses(of: stage) == ["faulty \(reason)", "served"])
    }
  }

  @Test(
    "G05: a request gets the status “faulty” for each fault that follows a state report or has another text",
    arguments: Entry.allCases)
  func repeated(entry: Entry) async throws {
    let receiver = try FlakyReceiver()
    try await EntryStage.with(entry, .always, sensor: receiver) { stage in
      #expect(try await stage.ask("updates", #""accuracy":"10 m""#, 1) == nil)
      for next in [FlakyReceiver.Mode.working, .failing, .reporting, .failing, .cold, .failing] {
        await receiver.set(next)
        // After 15 s without a sample, the device would have a further fault.
        try await stage.bus.advance(by: .seconds(2))
      }
      let chip = "faulty the chip does not answer"
      let expected = [chip, "served", chip, "faulty the antenna is cold", chip]
      #expect(try await Self.statuses(of: stage) == expected)
    }
  }

  @Test("G05: a demand on a device with a fault begins with the status “faulty”")
  func late() async throws {
    let receiver = try FlakyReceiver()
    try await EntryStage.with(.app, .always, sensor: receiver) { stage in
      _ = try await stage.ask("updates", #""accuracy":"10 m""#, 1)
      await receiver.set(.failing)
      try await stage.bus.advance(by: .seconds(5))
      let status = try await stage.app.withDemand(.samples(of: "location.gnss")) { batches in
        var reader = batches.events.makeAsyncIterator()
        return try await reader.next()
      }
      guard case .status(.faulty("location.gnss", "the chip does not answer"))? = status else {
        Issue.record("\(String(describing: status))")
        return
      }
    }
  }

  /// Ends request 1, and returns its statuses after the first status, with the reason of a fault.
  private static func statuses(of stage: EntryStage) async throws -> [String] {
    var statuses: [String] = []
    if let program = stage.program {
      try program.send(#"{"end":{"id":1}}"#)
      while true {
        let line = try await program.line { $0.contains(#""status":"#) || $0.contains(#""ended":"#) }
        guard let event = try JSONReader.value(of: line, source: "line")["event"] else { break }
        let reason = event["reason"]?.string.map { " \($0)" } ?? ""
        statuses.append("\(event["status"]?.string ?? "")\(reason)")
      }
      // The socket also reports that the request is served at the beginning.
      return Array(statuses.dropFirst())
    }
    let notices = try #require(stage.asked.withLock { $0 })
    await stage.app.end("1")
    for await notice in notices {
      switch notice as? DemandStatus {
      case .faulty(_, let reason)?: statuses.append("faulty \(reason)")
      case .served?: statuses.append("served")
      case let other?: statuses.append("\(other)")
      case nil: continue
      }
    }
    return statuses
  }
}

/// A receiver that measures once per second, and whose measurements fail on request.
actor FlakyReceiver: SensorPlugin {
  enum Mode: Hashable, Sendable {
    case working
    /// Each measurement is a fault.
    case failing
    /// Each measurement is a fault of another kind.
    case cold
    /// Each measurement reports only the power state.
    case reporting
    /// The times of all samples are an hour ahead.
    case future
    /// The accuracy of all samples is outside the range of the manifest.
    case impossible
    /// As `future`, with four batches at once.
    case futureBurst
  }

  nonisolated let manifest: Manifest
  private var port: DevicePort?
  private var sequence: UInt64 = 0
  private var isOn = false
  private var mode = Mode.working

  init() throws {
    manifest = try #require(try ReferencePhone.manifests().first { $0.device == "location.gnss" })
  }

  func set(_ mode: Mode) { self.mode = mode }

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }

  func apply(_ setting: Setting, at instant: Instant) {
    isOn = setting.isOn
    port?.setAlarm(at: isOn ? instant + .seconds(1) : nil)
  }

  func wake(at instant: Instant, horizon: Instant) {
    guard isOn else { return }
    port?.setAlarm(at: instant + .seconds(1))
    let on = manifest.states.firstIndex { $0.isOn } ?? manifest.safe
    let outcome: Outcome? =
      switch mode {
      case .failing: .fault("the chip does not answer")
      case .cold: .fault("the antenna is cold")
      case .reporting: .state(on, period: nil)
      case .working, .future, .futureBurst, .impossible: nil
      }
    if let outcome {
      port?.report(outcome, at: instant)
      return
    }
    let time = mode == .future || mode == .futureBurst ? instant + .hours(1) : instant
    let accuracy: Double = mode == .impossible ? -4 : 4
    for _ in 0..<(mode == .futureBurst ? 4 : 1) {
      sequence += 1
      let sample = Sample(instant: time, sequence: sequence, 47, 8, accuracy, 0)
      port?.deliver(Batch(device: manifest.device, samples: [sample], reason: .immediate), at: instant)
    }
  }

  func drain(at instant: Instant, reason: DeliveryReason) {}
  func close(at instant: Instant) { isOn = false }
}
