import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits
import Testing

/// Tests the opening of all plugins of a set at the same time.
@Suite struct OpeningTests {
  /// A plugin that is open only after the test has called `finish`.
  private actor SlowPlugin: SensorPlugin {
    nonisolated let manifest: Manifest
    private let recorder: Recorder
    private var waiter: CheckedContinuation<Void, Never>?
    private var isFinished = false

    init(_ device: DeviceID, _ recorder: Recorder) {
      manifest = Manifest(
        device: device, kind: .sensor, title: "Slow",
        states: [PowerState(name: "off", power: .zero, isOn: false)])
      self.recorder = recorder
    }

    func finish() {
      isFinished = true
      waiter?.resume()
      waiter = nil
    }

    func open(_ port: DevicePort, at instant: Instant) async throws(Problem) {
      if !isFinished { await withCheckedContinuation { waiter = $0 } }
      recorder.note("open \(manifest.device)")
    }

    func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
      recorder.note("apply \(setting.isOn) to \(manifest.device)")
    }
    func drain(at instant: Instant, reason: DeliveryReason) {}
    func wake(at instant: Instant, horizon: Instant) {}
    func close(at instant: Instant) { recorder.note("close \(manifest.device)") }
  }

  private let recorder = Recorder()
  private let later = Instant.epoch + .seconds(2)

  @Test("a device is unavailable until it is open, and it does not delay another device")
  func lateDevice() async throws {
    let slow = SlowPlugin("a", recorder)
    let set = try PluginSet([slow, StubPlugin("b", recorder)])
    set.beginOpening()
    async let first: Void = set.finishOpening(0, at: .epoch) { later }
    await set.finishOpening(1, at: .epoch) { later }
    #expect(recorder.all == ["open b"])
    #expect(set.isOpening(0) && !set.isOpening(1))
    set.reportUnopened(at: .epoch)
    await slow.finish()
    await first
    var events: [PortEvent] = []
    set.members[0].port.drainEvents(into: &events)
    #expect(events == [.available(false, at: .epoch), .available(true, at: later)])
    #expect(set.manifests.map(\.device) == ["a", "b"])
    #expect(!set.isOpening)
  }

  @Test("a device that is being opened receives only the last of its settings, after it is open")
  func settingMeanwhile() async throws {
    let slow = SlowPlugin("a", recorder)
    let set = try PluginSet([slow])
    set.beginOpening()
    async let first: Void = set.finishOpening(0, at: .epoch) { later }
    await set.apply(Setting(isOn: true), to: 0, at: .epoch)
    await set.apply(.off, to: 0, at: .epoch)
    #expect(recorder.all == [])
    await slow.finish()
    await first
    #expect(recorder.all == ["open a", "apply false to a"])
  }

  @Test("closing a set does not wait for a device that is being opened; this device is closed after opening")
  func closedMeanwhile() async throws {
    let slow = SlowPlugin("a", recorder)
    let set = try PluginSet([slow, StubPlugin("b", recorder)])
    set.beginOpening()
    async let first: Void = set.finishOpening(0, at: .epoch) { later }
    await set.finishOpening(1, at: .epoch) { later }
    await set.close(at: later)
    #expect(recorder.all == ["open b", "close b"])
    await slow.finish()
    await first
    #expect(recorder.all == ["open b", "close b", "open a", "close a"])
  }
}
