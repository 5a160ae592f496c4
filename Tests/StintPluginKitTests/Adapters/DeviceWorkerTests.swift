import StintModel
import StintPluginKit
import StintUnits
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Blocks until a descriptor is readable.
private func waitToRead(_ descriptor: Int32) {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  _ = poll(&entry, 1, -1)
}

@Suite struct DeviceWorkerTests {
  /// A device port with its `DeviceWorker`. Jobs with `isHeld` block until the test calls `open`.
  private final class Stage: Sendable {
    let portWake: WakeEnds
    let port: DevicePort
    let worker: DeviceWorker
    let done = Locked<[String]>([])
    private let gate: WakeEnds
    private let isOpen = Locked(false)

    init(timeout: TimeSpan, limit: TimeSpan) throws {
      let portWake = try #require(WakeEnds())
      self.portWake = portWake
      gate = try #require(WakeEnds())
      port = DevicePort(manifest: Thermometer.manifest) { portWake.wake() }
      let clock = ManualClock()
      let made = DeviceWorker(port: port, clock: { clock.now }, timeout: timeout, limit: limit)
      worker = try #require(made)
    }

    func perform(_ kind: DeviceWorker.Kind, _ name: String, isHeld: Bool = false) {
      worker.perform(kind, at: Instant(nanoseconds: 0)) { [self] in
        _ = AttributeFolder("/nowhere").has(name)
        while isHeld, !isOpen.withLock({ $0 }) { waitToRead(gate.readEnd) }
        done.withLock { $0.append(name) }
        if name == "close" { port.report(.fault("closed"), at: Instant(nanoseconds: 0)) }
        return true
      }
    }

    func open() {
      isOpen.withLock { $0 = true }
      gate.wake()
    }

    /// Waits until the device's events satisfy the closure, and returns them.
    func events(until isEnough: ([PortEvent]) -> Bool) -> [PortEvent] {
      var events: [PortEvent] = []
      port.drainEvents(into: &events)
      while !isEnough(events) {
        waitToRead(portWake.readEnd)
        portWake.drain()
        port.drainEvents(into: &events)
      }
      return events
    }
  }

  @Test func `work that does not block is done when the call returns`() throws {
    let stage = try Stage(timeout: .seconds(60), limit: .seconds(60))
    for name in ["a", "b", "c"] { stage.perform(.read, name) }
    #expect(stage.done.withLock { $0 } == ["a", "b", "c"])
  }

  @Test func `a file that blocks stops only its own device, and the fault names the file`() throws {
    let stage = try Stage(timeout: .milliseconds(1), limit: .milliseconds(5))
    stage.perform(.apply, "stuck", isHeld: true)
    let told = stage.events { $0.count >= 2 }
    guard case .outcome(.fault(let text), _) = told[0], case .available(false, _) = told[1] else {
      Issue.record("\(told)")
      return
    }
    #expect(text == "looking for /nowhere/stuck takes longer than 5 ms; only this device is delayed")
    // The host is not blocked: further calls return at once, and the newest job of each kind runs later.
    for number in 1...1000 {
      stage.perform(.read, "read \(number)")
      stage.perform(.apply, "apply \(number)")
    }
    #expect(stage.done.withLock { $0 }.isEmpty)
    stage.open()
    let later = stage.events { $0.contains { if case .available(true, _) = $0 { true } else { false } } }
    #expect(later.count == 1)
    stage.perform(.close, "close")
    _ = stage.events { !$0.isEmpty }
    #expect(stage.done.withLock { $0 } == ["stuck", "read 1000", "apply 1000", "close"])
  }
}
