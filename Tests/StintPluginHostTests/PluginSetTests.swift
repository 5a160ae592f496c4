import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits
import Testing

@Suite struct PluginSetTests {
  private let recorder = Recorder()

  @Test("plugins are opened in the order of devices and closed once, in reverse order")
  func openingOrder() async throws {
    let set = try PluginSet([StubPlugin("b", recorder), StubPlugin("c", recorder), StubPlugin("a", recorder)])
    #expect(set.manifests.map(\.device) == ["a", "b", "c"])
    await set.open(at: .epoch)
    await set.close(at: .epoch)
    await set.close(at: .epoch)
    #expect(recorder.all == ["open a", "open b", "open c", "close c", "close b", "close a"])
  }

  @Test("two plugins for one device are an error")
  func twoPluginsForOneDevice() {
    let error = #expect(throws: Problem.self) {
      try PluginSet([StubPlugin("a", recorder), StubPlugin("a", recorder)])
    }
    #expect(error?.all.map(\.code) == [.duplicate])
  }

  @Test("an invalid manifest is an error that lists all faults")
  func invalidManifest() {
    let states = [
      PowerState(name: "off", power: Power(nanowatts: -1), isOn: false),
      PowerState(name: "on", power: .zero, isOn: true),
    ]
    let error = #expect(throws: Problem.self) {
      try PluginSet([StubPlugin("a", recorder, states: states)])
    }
    #expect(error?.all.map(\.place.part) == ["states[0].power", "states[1]"])
    #expect(error?.description.contains("a: states[0].power: state “off” has a negative power") == true)
  }

  @Test("a plugin that fails to open is unavailable, and other plugins work")
  func failureToOpen() async throws {
    let set = try PluginSet([StubPlugin("a", recorder, failure: .open), StubPlugin("b", recorder)])
    await set.open(at: .epoch)
    #expect(set.failure(0) == "a: nothing answers")
    #expect(set.failure(1) == nil)
    var events: [PortEvent] = []
    set.members[0].port.drainEvents(into: &events)
    #expect(
      events == [
        .outcome(.fault("a: nothing answers"), at: .epoch), .outcome(.state(0, period: nil), at: .epoch),
        .available(false, at: .epoch),
      ])
    await set.apply(.off, to: 0, at: .epoch)
    await set.close(at: .epoch)
    #expect(recorder.all == ["open a", "open b", "close b"])
  }

  @Test("a plugin that fails to apply a setting gets no further setting, but is closed")
  func failureToApply() async throws {
    let set = try PluginSet([StubPlugin("a", recorder, failure: .apply)])
    await set.open(at: .epoch)
    await set.apply(Setting(isOn: true), to: 0, at: .epoch)
    await set.apply(.off, to: 0, at: .epoch)
    await set.close(at: .epoch)
    #expect(recorder.all == ["open a", "apply a", "close a"])
    #expect(set.failure(0) == "a: too hot")
    #expect(set.index(of: "a") == 0 && set.index(of: "z") == nil)
  }

  @Test("the host is notified with the index of the plugin that has events")
  func notification() async throws {
    let heard = Recorder()
    let set = try PluginSet([StubPlugin("a", recorder), StubPlugin("b", recorder)]) { heard.note("\($0)") }
    await set.open(at: .epoch)
    #expect(heard.all == ["0", "1"])
  }
}
