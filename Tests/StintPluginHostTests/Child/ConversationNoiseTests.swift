import StintModel
import StintUnits
import Testing

@testable import StintPluginHost
@testable import StintPluginKit

/// Tests a plugin's frames after random changes from a fixed seed. The host must read each frame as a fault
/// or as a message that the manifest allows.
@Suite("Random changes in the frames of a plugin's process")
struct ConversationNoiseTests {
  private static let now = Instant.epoch + .seconds(100)

  private static let manifest = Manifest(
    device: "a.b", kind: .sensor, title: "",
    states: [
      .init(name: "off", power: .zero, isOn: false), .init(name: "on", power: .zero, isOn: true),
    ], transitions: [.init(from: 0, to: 1), .init(from: 1, to: 0)],
    events: [.init(name: "scan", energy: .zero)], channels: [.init(name: "x", unit: "m")],
    facts: [
      FactSchema(path: "a.b.level", type: .quantity(.ratio), range: 0...1),
      FactSchema(path: "a.b.word", type: .symbol(["still", "moving"])),
    ])

  private struct Noise {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
  }

  /// The devices of a process, which differ only in their names.
  private static func devices(_ count: Int) -> [ProgramDevice] {
    (0..<count).map { number in
      var copy = manifest
      copy.device = DeviceID("a.b\(number)")
      for index in copy.facts.indices { copy.facts[index].path = "a.b\(number).fact\(index)" }
      return ProgramDevice(copy)
    }
  }

  /// The messages of a complete conversation about one device, after its manifest.
  private static let served: [PluginFrame] = [
    .applied(1, state: 1, period: .seconds(1), at: now), .fact(0, .number(50), at: now),
    .fact(1, .symbol(1), at: now), .event(0, count: 2, at: now),
    .batch(
      [Sample(instant: now, sequence: 0, 1), Sample(instant: now, sequence: 1, 2)], .immediate, at: now),
    .available(false, at: now), .fault("dusty", at: now), .drained(2, at: now),
    .state(0, period: nil, at: now),
  ]

  /// All frames of a complete conversation with a process that has these devices, encoded.
  private static func frames(_ devices: [ProgramDevice]) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    func add(_ frame: PluginFrame, of device: Int? = nil) {
      let plain = frame.frame(UInt64(frames.count))
      let address = devices.count > 1 ? device : nil
      let sent = address.map { plain.addressed(to: $0, kind: FrameLayout.pluginAddressKind) } ?? plain
      frames.append(sent.bytes)
    }
    add(.welcome(major: 1, minor: FrameLayout.minor))
    for (index, device) in devices.enumerated() {
      add(.manifest(FrameManifest(of: device.manifest)), of: index)
    }
    add(.opened(at: now))
    for frame in served { for index in devices.indices { add(frame, of: index) } }
    add(.closed(at: now))
    return frames
  }

  private static func isAllowed(_ news: PluginMessage) -> Bool {
    switch news {
    case .described, .opened, .answered, .closed, .available, .carried, .abandoned, .dropped, .ignored: true
    case .read(let facts): facts.count <= 1 && facts.allSatisfy { $0.instant <= now }
    case .wakeAt(let earliest, let latest): earliest <= latest
    case .transferred, .keyed: false
    case .outcome(.state(let state, let period), let instant):
      state < 2 && (period?.nanoseconds ?? 1) > 0 && instant <= now
    case .outcome(.event(let event, let count), let instant): event == 0 && count >= 0 && instant <= now
    case .outcome(.fault, let instant): instant <= now
    case .fact(let fact, let value, let instant):
      (manifest.facts[fact].rejectionReason(for: value) == nil || manifest.facts[fact].isOutOfRange(value))
        && instant <= now
    case .batch(let batch, let instant):
      instant <= now
        && batch.samples.allSatisfy {
          $0.first.isFinite && $0.second == 0 && $0.third == 0 && $0.fourth == 0
        }
    }
  }

  /// Sends the frames with bytes changed, removed or duplicated. Returns the number of allowed messages, the
  /// fault, and whether a message was not allowed.
  private func tested(
    _ devices: [ProgramDevice], _ noise: inout Noise
  ) -> (news: Int, fault: FrameFault?, isWrong: Bool) {
    var stream = Self.frames(devices).flatMap { $0 }
    for _ in 0..<noise.next(below: 3) {
      let place = noise.next(below: stream.count)
      switch noise.next(below: 4) {
      case 0: stream[place] = UInt8(noise.next(below: 256))
      case 1: stream[place] ^= 1 << UInt8(noise.next(below: 8))
      case 2: stream.removeSubrange(place..<min(place + 1 + noise.next(below: 40), stream.count))
      default: stream.insert(contentsOf: stream[place..<min(place + 16, stream.count)], at: place)
      }
      if stream.isEmpty { return (0, nil, false) }
    }
    var conversation = ChildConversation(
      devices, firstSamples: devices.map { _ in 0 }, faults: FaultBudget(at: Self.now), at: Self.now)
    _ = conversation.hello(steady: 0)
    var count = 0
    var rest = stream[...]
    while !rest.isEmpty {
      let size = 1 + noise.next(below: 200)
      conversation.receive(rest.prefix(size))
      rest = rest.dropFirst(size)
      do throws(FrameFault) {
        while let (device, news) = try conversation.nextMessage(at: Self.now) {
          if !devices.indices.contains(device) || !Self.isAllowed(news) { return (count, nil, true) }
          count += 1
          if news == .described { _ = conversation.open([], at: Self.now) }
          if news == .opened {
            for device in devices.indices {
              _ = conversation.apply(Setting(isOn: true), to: device, at: Self.now)
              _ = conversation.drain(.flushed, of: device, at: Self.now)
            }
            _ = conversation.close(at: Self.now)
          }
        }
      } catch {
        return (count, error, false)
      }
    }
    return (count, nil, false)
  }

  @Test("randomly changed frames give only faults and messages that the manifest allows", arguments: [1, 3])
  func changedFrames(count: Int) {
    let devices = Self.devices(count)
    // The manifests of all devices together give one message, and `welcome` gives no message.
    let expected = Self.frames(devices).count - count
    var noise = Noise(state: 7)
    var faults: [String: Int] = [:]
    var whole = 0
    for round in 0..<3_000 {
      let result = tested(devices, &noise)
      #expect(!result.isWrong, "round \(round)")
      if let fault = result.fault { faults[fault.code.rawValue, default: 0] += 1 }
      if result.news == expected { whole += 1 }
    }
    // Rounds without a change give all messages, and the changes cause many kinds of faults.
    #expect(whole > 300)
    #expect(faults.count >= 6, "\(faults)")
  }
}
