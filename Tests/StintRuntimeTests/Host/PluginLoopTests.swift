import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits
import Testing

@testable import StintRuntime

/// A device that waits for a descriptor on the loop of its host.
private actor Listener: DevicePlugin {
  nonisolated let manifest = Manifest(
    device: "test.listener", kind: .source, title: "Listener",
    facts: [FactSchema(path: "listener.heard", type: .boolean, device: "test.listener")])
  private let pipe: WakePipe
  private(set) var hasLoop = false

  init(_ pipe: WakePipe) { self.pipe = pipe }

  func open(_ port: DevicePort, at instant: Instant) {
    hasLoop = port.loop != nil
    port.loop?.watchReadable(pipe.readEnd) { [pipe] in
      _ = pipe.drain()
      port.publish("listener.heard", .boolean(LoopExecutor.current != nil), at: instant)
    }
  }
  func apply(_ setting: Setting, at instant: Instant) {}
  func close(at instant: Instant) {}
  func wake(at instant: Instant, horizon: Instant) {}
}

@Suite("The host's loop in linked plugins") struct PluginLoopTests {
  @Test("a linked plugin gets the loop that runs its host, and this loop watches the plugin's descriptors")
  func passing() throws {
    let loop = try LoopExecutor()
    let pipe = try WakePipe()
    let listener = Listener(pipe)
    let plugins = try PluginSet([listener])
    let hasLoop = Spawner.run(on: loop) {
      let host = Host(
        governor: Governor(
          vocabulary: Vocabulary(manifests: plugins.manifests), timeZone: .utc, at: .epoch),
        plugins: plugins)
      await host.open()
      pipe.write()
      _ = await loop.sleep(until: SystemClock.monotonic() + .milliseconds(20))
      return await listener.hasLoop
    }.get()
    loop.unwatchReadable(pipe.readEnd)
    #expect(hasLoop)
    var events: [PortEvent] = []
    plugins.members[0].port.drainEvents(into: &events)
    #expect(events == [.fact(0, .boolean(true), at: .epoch)])
    #expect(LoopExecutor.current == nil)
  }

  @Test("a plugin that is opened outside of a loop has no loop")
  func absence() async throws {
    let listener = Listener(try WakePipe())
    let plugins = try PluginSet([listener])
    await plugins.open(at: .epoch)
    #expect(await !listener.hasLoop)
  }
}
