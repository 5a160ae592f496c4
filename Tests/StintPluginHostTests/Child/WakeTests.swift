import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

#if os(Linux)
  /// Tests the wake-ups of processes that leave their timers to the host.
  @Suite("Requested wake-ups of a process", .enabled(if: ChildBench.hasPython, "the plugin is in Python"))
  struct WakeTests {
    private static let on = Setting(isOn: true, period: .milliseconds(100))

    private static func samples(_ events: [PortEvent]) -> Int {
      events.count { if case .batch = $0 { true } else { false } }
    }

    @Test("a process without a timer is woken at the latest instant of its request")
    func latest() throws {
      try ChildBench.run("woken-soon") { bench in
        await bench.apply(Self.on)
        _ = try await bench.first("the fifth sample") { _ in Self.samples(bench.events) >= 5 }
        let times = bench.events.compactMap { event in
          if case .batch(let batch, _) = event { batch.samples.first?.instant } else { nil }
        }
        // The first sample is measured at once. Each further sample may come 100 ms to 150 ms after the
        // previous sample, so the host wakes the process after 150 ms. After an early wake-up, the pause
        // would be 100 ms.
        let pauses = zip(times.dropFirst(), times.dropFirst(2)).map { $1 - $0 }
        #expect(pauses.allSatisfy { $0 >= .milliseconds(140) }, "\(pauses)")
      }
    }

    @Test("after the earliest instant of its wake request, a process wakes with the host's next request")
    func together() throws {
      try ChildBench.run("woken") { bench in
        await bench.apply(Self.on)
        _ = try await bench.first("the first sample") { _ in Self.samples(bench.events) >= 1 }
        await bench.pause()
        #expect(Self.samples(bench.events) == 1)
        await bench.plugin.drain(at: bench.now, reason: .flushed)
        _ = try await bench.first("the second sample") { _ in Self.samples(bench.events) >= 2 }
        await bench.pause()
        #expect(Self.samples(bench.events) == 2)
      }
    }
  }
#endif
