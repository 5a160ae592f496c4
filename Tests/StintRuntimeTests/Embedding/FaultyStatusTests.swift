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
  ]

  @Test(
    "G05: a request whose device delivers no valid sample gets the status faulty, and served again afterwards",
    arguments: Entry.allCases, [FlakyReceiver.Mode.failing, .future, .futureBurst])
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

  @Test("G05: a demand on a device with a fault begins with the status faulty")
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

  /// Returns the two statuses that follow the first one of request 1, with the reason of a fault.
  private static func statuses(of stage: EntryStage) async throws -> [String] {
    var statuses: [String] = []
    if let program = stage.program {
      while statuses.count < 3 {
        let line = try await program.line { $0.contains(#""status":"#) }
        let event = try #require(try JSONReader.value(of: line, source: "line")["event"], "\(line)")
        let reason = event["reason"]?.string.map { " \($0)" } ?? ""
        statuses.append("\(event["status"]?.string ?? "")\(reason)")
      }
      // The socket also reports that the request is served at the beginning.
      return Array(statuses.dropFirst())
    }
    for await notice in try #require(stage.asked.withLock { $0 }) {
      switch notice as? DemandStatus {
      case .faulty(_, let reason)?: statuses.append("faulty \(reason)")
      case .served?: statuses.append("served")
      case let other?: statuses.append("\(other)")
      case nil: continue
      }
      if statuses.count == 2 { break }
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
    /// The times of all samples are an hour ahead.
    case future
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
    guard mode != .failing else {
      port?.report(.fault("the chip does not answer"), at: instant)
      return
    }
    let time = mode == .working ? instant : instant + .hours(1)
    for _ in 0..<(mode == .futureBurst ? 4 : 1) {
      sequence += 1
      let sample = Sample(instant: time, sequence: sequence, 47, 8, 4, 0)
      port?.deliver(Batch(device: manifest.device, samples: [sample], reason: .immediate), at: instant)
    }
  }

  func drain(at instant: Instant, reason: DeliveryReason) {}
  func close(at instant: Instant) { isOn = false }
}
