import StintModel
import StintUnits
import Testing

@testable import StintPluginKit

@Suite struct PluginProcessTests {
  private let start = Instant(nanoseconds: 1_700_000_000_000_000_000)

  private func hello(_ served: ServedPlugin, major: UInt16 = FrameLayout.major) {
    served.send(.hello(major: major, minor: FrameLayout.minor, now: start, steady: ProcessClock.steady))
  }

  @Test("a plugin's process answers each request, measures in order and delivers its held samples")
  func life() throws {
    let served = ServedPlugin(Thermometer.manifest) { _ in Thermometer() }
    hello(served)
    served.send(.open([], at: start))
    let opening = try served.receive(until: "opened")
    #expect(opening.map(\.name) == ["welcome", "manifest", "opened"])
    if case .manifest(let manifest) = opening[1] {
      #expect(manifest == FrameManifest(of: Thermometer.manifest))
    }

    served.send(.apply(7, Setting(isOn: true, period: .milliseconds(5)), at: start))
    let turning = try served.receive(until: "applied")
    #expect(turning.map(\.name) == ["state", "applied"], "intermediate states come before the answer")
    guard case .applied(7, state: 2, period: .milliseconds(5), at: _) = turning.last else {
      Issue.record("\(turning)")
      return
    }
    var samples: [Sample] = []
    while samples.count < 20 {
      if case .batch(let some, .immediate, at: let handed)? = try served.receive() {
        samples += some
        #expect(some.allSatisfy { $0.instant <= handed && $0.instant >= start })
      }
    }
    #expect(
      zip(samples, samples.dropFirst()).allSatisfy { $0.instant < $1.instant && $0.sequence < $1.sequence })

    served.send(.apply(8, Setting(isOn: true, period: .milliseconds(5), isHolding: true), at: start))
    let again = try served.receive(until: "applied")
    #expect(
      !again.contains { $0.name == "fault" }, "an older command does not move time back: \(again)")
    // Five samples are measured and held.
    for _ in 0..<5 { _ = try served.receive(until: "fact") }
    served.send(.drain(9, at: start))
    let drained = try served.receive(until: "drained")
    #expect(
      drained.contains { if case .batch(let held, .ended, at: _) = $0 { held.count >= 5 } else { false } })

    served.send(.close(at: start))
    let closing = try served.receive(until: "closed")
    #expect(closing.last?.name == "closed")
    #expect(try served.receive() == nil)
    #expect(served.end() == 0)
  }

  #if os(Linux)
    @Test(
      "batches use the ring and share the sequence numbers of the channel; a ring without memory is not used"
    )
    func throughRing() throws {
      let ring = try SharedRing(capacity: 1 << 16)
      var reader = try ring.reader()
      let served = ServedPlugin(Thermometer.manifest, ring: ring) { _ in Thermometer() }
      hello(served)
      _ = try served.receive(until: "manifest")
      served.send(.ring(capacity: 1 << 16, at: start))
      served.send(.draft(FrameLayout.firstDraft))
      served.send(.open([], at: start))
      #expect(try served.receive(until: "opened").map(\.name) == ["mapped", "opened"])
      served.send(.apply(7, Setting(isOn: true, period: .milliseconds(5)), at: start))
      var said = try served.receiveFrames(until: "applied").map(\.sequence)
      for _ in 0..<5 { said += try served.receiveFrames(until: "fact").map(\.sequence) }
      served.send(.close(at: start))
      let rest = try served.receiveFrames(until: "closed")
      #expect(!rest.contains { $0.kind == 15 }, "no batch comes through the channel")
      said += rest.map(\.sequence)
      var payload: [UInt8] = []
      var batches = 0
      while try reader.read(into: &payload) {
        let number = try #require((4..<UInt64(said.count + 100)).first { !said.contains($0) })
        let frame = try FrameReader.frame(payload, nextSequence: number)
        guard case .batch(let samples, _, _) = try PluginFrame(frame) else {
          Issue.record("\(frame)")
          continue
        }
        #expect(samples.allSatisfy { $0.instant >= start })
        said.append(frame.sequence)
        batches += 1
      }
      #expect(batches >= 5)
      let first = try #require(said.min())
      #expect(said.sorted() == (first..<first + UInt64(said.count)).map { $0 })
      #expect(served.end() == 0)

      let poor = ServedPlugin(Thermometer.manifest) { _ in Thermometer() }
      hello(poor)
      _ = try poor.receive(until: "manifest")
      poor.send(.ring(capacity: 1 << 16, at: start))
      poor.send(.open([], at: start))
      #expect(try poor.receive(until: "opened").map(\.name) == ["opened"])
      #expect(poor.end() == 0)
    }
  #endif

  @Test("a process sends numbers out of range, which its host counts; a number that is not finite is a fault")
  func outOfRange() throws {
    let manifest = OverflowingProbe.ranged
    let served = ServedPlugin(manifest) { _ in OverflowingProbe() }
    hello(served)
    served.send(.open([], at: start))
    _ = try served.receive(until: "opened")
    served.send(.apply(7, Setting(isOn: true), at: start))
    let frames = try served.receive(until: "applied")
    let port = DevicePort(manifest: manifest)
    for frame in frames {
      switch frame {
      case .state(let state, let period, let at): port.report(.state(state, period: period), at: at)
      case .fact(let fact, let value, let at): port.publish(FactHandle(index: fact), value, at: at)
      case .batch(let samples, let reason, let at):
        port.deliver(Batch(device: manifest.device, samples: samples, reason: reason), at: at)
      default: continue
      }
    }
    #expect(port.droppedReadings.count == 3 && port.faults == 0)
    var events: [PortEvent] = []
    port.drainEvents(into: &events)
    let kept = events.compactMap {
      if case .batch(let batch, _) = $0 { batch.samples.map(\.first) } else { nil }
    }
    #expect(kept == [[4]])
    let faults = frames.compactMap { if case .fault(let text, _) = $0 { text } else { nil } }
    #expect(faults == ["delivered a value that is not a finite number"])
    served.send(.close(at: start))
    _ = try served.receive(until: "closed")
    #expect(served.end() == 0)
  }

  @Test("facts are sent in the units of the plugin's manifest frame")
  func units() throws {
    let manifest = Manifest(
      device: "test.gauge", kind: .sensor, title: "",
      states: [PowerState(name: "off", power: .zero, isOn: false)],
      facts: [FactSchema(path: "test.gauge.level", type: .quantity(.ratio), range: 0...1)])
    let served = ServedPlugin(manifest) { _ in Gauge(manifest) }
    hello(served)
    served.send(.open([], at: start))
    let frames = try served.receive(until: "fact")
    #expect(frames.map(\.name) == ["welcome", "manifest", "opened", "fact"])
    let scale = try FrameManifest(of: manifest).scales(for: manifest)[0]
    let numbers = frames.compactMap { frame -> Double? in
      if case .fact(0, .number(let number), at: _) = frame { number } else { nil }
    }
    #expect(numbers.count == 1)
    #expect(numbers.allSatisfy { abs($0 * scale - 0.41) < 1e-12 })
    #expect(served.end() == 0, "the process ends when the host closes the channel")
  }

  @Test("wrong input: another major version, invalid bytes and invalid settings end the process")
  func refusals() throws {
    let stranger = ServedPlugin(Thermometer.manifest) { _ in Thermometer() }
    hello(stranger, major: FrameLayout.major + 1)
    #expect(try stranger.receive() == nil)
    #expect(stranger.end() == 1)

    let noise = ServedPlugin(Thermometer.manifest) { _ in Thermometer() }
    noise.send([UInt8](repeating: 0xFF, count: 64))
    #expect(try noise.receive() == nil)
    #expect(noise.end() == 1)

    let strict = ServedPlugin(Thermometer.manifest) { (settings) throws(Problem) in
      throw Problem(
        .unsupported, device: "test.thermometer", cause: "\(settings.count) settings are too many")
    }
    hello(strict)
    strict.send(.open([PluginSettingEntry("source", .text("/dev/null"))], at: start))
    #expect(try strict.receive(until: "opened").map(\.name) == ["welcome", "manifest"])
    #expect(strict.end() == 1)
  }
}

/// A sensor that publishes a fact as soon as it is open.
private actor Gauge: SensorPlugin {
  nonisolated let manifest: Manifest
  init(_ manifest: Manifest) { self.manifest = manifest }
  func open(_ port: DevicePort, at instant: Instant) { port.publish("level", .number(0.41), at: instant) }
  func apply(_ setting: Setting, at instant: Instant) {}
  func drain(at instant: Instant, reason: DeliveryReason) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) {}
}
