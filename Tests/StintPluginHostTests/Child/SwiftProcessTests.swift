import StintModel
import StintUnits
import Testing

@testable import StintPluginHost
@testable import StintPluginKit

/// Connects the server of a Swift plugin with the host's side of the conversation, without a process.
@Suite("A process in Swift with several devices")
struct SwiftProcessTests {
  /// A sensor that takes one sample at each wake-up.
  private actor Axis: SensorPlugin {
    nonisolated let manifest: Manifest
    private var port: DevicePort?
    private var number: UInt64 = 0

    init(_ manifest: Manifest) { self.manifest = manifest }

    func open(_ port: DevicePort, at instant: Instant) { self.port = port }

    func apply(_ setting: Setting, at instant: Instant) {
      port?.report(.state(setting.isOn ? 1 : 0, period: setting.period), at: instant)
      port?.setAlarm(at: setting.isOn ? instant : nil)
    }

    func drain(at instant: Instant, reason: DeliveryReason) {}

    func wake(at instant: Instant, horizon: Instant) {
      port?.publish("level", .number(0.5), at: instant)
      let sample = Sample(instant: instant, sequence: number, 1)
      port?.deliver(Batch(device: manifest.device, samples: [sample], reason: .immediate), at: instant)
      number += 1
      port?.setAlarm(at: instant + TimeSpan(nanoseconds: 1))
    }

    func close(at instant: Instant) { port?.report(.state(0, period: nil), at: instant) }
  }

  private static func manifest(_ device: DeviceID) -> Manifest {
    Manifest(
      device: device, kind: .sensor, title: "",
      states: [
        .init(name: "off", power: .zero, isOn: false), .init(name: "on", power: .zero, isOn: true),
      ], transitions: [.init(from: 0, to: 1), .init(from: 1, to: 0)],
      channels: [.init(name: "x", unit: "m")],
      facts: [FactSchema(path: "\(device).level", type: .quantity(.ratio), range: 0...1)])
  }

  private let start = Instant(nanoseconds: 1_700_000_000_000_000_000)

  @Test("the host accepts all frames of three devices, whose names the site has changed")
  func conversation() async throws {
    let own = ["m.acc", "m.gyro", "m.mag"].map { Self.manifest($0) }
    let devices = zip(own, ["hand.acc", "hand.gyro", "hand.mag"]).map {
      ProgramDevice(Self.manifest(DeviceID($1)), own: $0)
    }
    let sent = Locked<[UInt8]>([])
    let ends = try own.map { try ProcessDevice($0, port: DevicePort(manifest: $0)) }
    let server = PluginServer(
      ends, ring: RingDescriptors(memory: -1, event: -1, room: -1), make: { _, _ in own.map { Axis($0) } },
      send: { bytes in sent.withLock { $0 += bytes } })
    var conversation = ChildConversation(
      devices, firstSamples: [0, 0, 0], faults: FaultBudget(at: start), at: start)

    /// Passes a message to the server. Returns the messages that the server sends.
    func exchange(_ bytes: [UInt8]) async throws -> [(device: Int, message: PluginMessage)] {
      switch await server.handle(bytes) {
      case .failed(let sentence): Issue.record("\(sentence)")
      case .closed: break
      case nil: await server.poll()
      }
      conversation.receive(
        sent.withLock { bytes in
          defer { bytes = [] }
          return bytes[...]
        })
      var messages: [(device: Int, message: PluginMessage)] = []
      let now = try #require(server.now)
      while let message = try conversation.nextMessage(at: now) { messages.append(message) }
      return messages
    }

    #expect(
      try await exchange(conversation.hello(steady: ProcessClock.steady)).map(\.message) == [.described])
    let now = try #require(server.now)
    #expect(try await exchange(conversation.open([], at: now)).map(\.message) == [.opened])
    var messages: [(device: Int, message: PluginMessage)] = []
    for device in devices.indices {
      let setting = Setting(isOn: true, period: .milliseconds(10))
      messages += try await exchange(try #require(conversation.apply(setting, to: device, at: now)))
    }
    for _ in 0..<5 { messages += try await exchange([]) }
    for (index, device) in devices.enumerated() {
      let samples = messages.filter { $0.device == index }.flatMap { message -> [Sample] in
        guard case .batch(let batch, _) = message.message else { return [] }
        #expect(batch.device == device.manifest.device)
        return batch.samples
      }
      #expect(samples.map(\.sequence) == (0..<UInt64(samples.count)).map { $0 } && samples.count >= 5)
    }
    // After the second device was turned off, it sends nothing, and the other devices continue.
    _ = try await exchange(try #require(conversation.apply(.off, to: 1, at: now)))
    let later = try await exchange(try #require(conversation.drain(.flushed, of: 2, at: now)))
    #expect(Set(later.map(\.device)) == [0, 2] && later.contains { $0.message == .answered })
    let closing = try await exchange(conversation.close(at: now))
    #expect(closing.last?.message == .closed)
    #expect(closing.count { if case .outcome(.state(0, _), _) = $0.message { true } else { false } } == 3)
  }
}
