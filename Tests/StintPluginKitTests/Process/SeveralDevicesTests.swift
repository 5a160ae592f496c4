import StintModel
import StintUnits
import Testing

@testable import StintPluginKit

@Suite("Processes of plugins with several devices")
struct SeveralDevicesTests {
  private let start = Instant(nanoseconds: 1_700_000_000_000_000_000)
  private let devices: [DeviceID] = ["test.first", "test.second", "test.third"]

  /// Starts a process with three thermometers, and opens it.
  private func open() throws -> ServedPlugin {
    let devices = devices
    let served = ServedPlugin(devices.map { Thermometer.manifest(of: $0) }) { _, _ in
      devices.map { Thermometer(as: $0) }
    }
    served.send(.hello(major: 1, minor: 5, now: start, steady: ProcessClock.steady))
    #expect(try served.receiveAddressed()?.frame == .welcome(major: 1, minor: FrameLayout.minor))
    for (index, device) in devices.enumerated() {
      let answer = try #require(try served.receiveAddressed())
      #expect(
        answer.device == index
          && answer.frame == .manifest(FrameManifest(of: Thermometer.manifest(of: device))))
    }
    served.send(.open([], at: start))
    let opened = try #require(try served.receiveAddressed())
    #expect(opened.device == nil && opened.frame.name == "opened")
    return served
  }

  /// Reads frames until `isLast` returns true for one of them. Returns all of them.
  private func read(
    _ served: ServedPlugin, until isLast: (Int?, PluginFrame) -> Bool
  ) throws -> [(device: Int?, frame: PluginFrame)] {
    var frames: [(device: Int?, frame: PluginFrame)] = []
    while let (device, frame) = try served.receiveAddressed() {
      frames.append((device, frame))
      if isLast(device, frame) { break }
    }
    return frames
  }

  @Test("each device has its own settings, samples, facts and drains; instants of the process never decrease")
  func separateDevices() throws {
    let served = try open()
    var frames: [(device: Int?, frame: PluginFrame)] = []
    for device in devices.indices {
      let setting = Setting(isOn: true, period: .milliseconds(5), isHolding: device == 2)
      served.send(.apply(UInt32(device), setting, at: start), for: device)
      frames += try read(served) { $0 == device && $1.name == "applied" }
    }
    // Each device publishes a fact with each sample; the last device holds its samples.
    var facts = [0, 0, 0]
    frames += try read(served) { device, frame in
      if frame.name == "fact", let device { facts[device] += 1 }
      return facts.allSatisfy { $0 >= 3 }
    }
    #expect(Set(frames.filter { $0.frame.name == "batch" }.map(\.device)) == [0, 1])

    served.send(.apply(9, .off, at: start), for: 1)
    _ = try read(served) { $0 == 1 && $1.name == "applied" }
    served.send(.drain(1, at: start), for: 2)
    let drained = try read(served) { $0 == 2 && $1.name == "drained" }
    #expect(drained.contains { $0.device == 2 && $0.frame.name == "batch" })
    #expect(!drained.contains { $0.device == 1 })
    served.send(.close(at: start))
    let closing = try read(served) { $1.name == "closed" }
    #expect(closing.last?.device == nil)
    let instants = (frames + drained + closing).compactMap(\.frame.instant)
    #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(served.end() == 0)
  }

  @Test("a frame for a device that the plugin does not have ends the process")
  func unknownDevice() throws {
    let served = try open()
    served.send(.drain(1, at: start), for: 3)
    #expect(try served.receiveAddressed() == nil)
    #expect(served.end() == 1)
  }

  @Test("a plugin whose numbers of devices and manifests differ ends with an error")
  func wrongCount() throws {
    let served = ServedPlugin(devices.map { Thermometer.manifest(of: $0) }) { _, _ in [Thermometer()] }
    served.send(.hello(major: 1, minor: 5, now: start, steady: ProcessClock.steady))
    served.send(.open([], at: start))
    _ = try read(served) { _, _ in false }
    #expect(served.end() == 1)
  }

  @Test("a batch of the maximum size fits in a frame with an address, for any number of channels")
  func largestBatch() {
    for width in 0...60 {
      let count = FrameLayout.maxAddressedSamples(width: width)
      let samples = (0..<count).map { Sample(instant: start, sequence: UInt64($0), 1) }
      let values = Array(repeating: 1.0, count: count * width)
      let frame: PluginFrame =
        width == 0
        ? .batch(samples, .full, at: start)
        : .wideBatch(
          samples, WideValues(width: width, samples: samples, values: values), .full, at: start)
      let bytes = frame.frame(0).addressed(to: 1, kind: FrameLayout.pluginAddressKind).bytes
      #expect(bytes.count <= FrameLayout.largest)
      #expect(bytes.count + FrameLayout.sampleSize + 8 * width > FrameLayout.largest)
    }
  }
}
