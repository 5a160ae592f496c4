import StintModel
import StintUnits
import Testing

@testable import StintPluginKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A plugin in its own process uses the event loop of that process.
@Suite struct ProcessWatchTests {
  private let start = Instant(nanoseconds: 1_700_000_000_000_000_000)

  /// A source that reports each byte of a pipe and each expired timer as a fault.
  private actor PipeReader: DevicePlugin {
    nonisolated let manifest: Manifest
    private let pipe: Int32
    private let clock: LinkedPlugin.Clock

    init(_ manifest: Manifest, _ pipe: Int32, _ clock: @escaping LinkedPlugin.Clock) {
      self.manifest = manifest
      self.pipe = pipe
      self.clock = clock
    }

    func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
      guard let loop = port.loop else { throw Problem(.unsupported, cause: "there is no loop") }
      let (pipe, clock) = (pipe, clock)
      loop.watchReadable(pipe) {
        var byte: UInt8 = 0
        if read(pipe, &byte, 1) == 1 { port.report(.fault("byte \(byte)"), at: clock()) }
        if byte == 2 {
          loop.unwatchReadable(pipe)
          _ = loop.call(after: .milliseconds(5)) { port.report(.fault("second timer"), at: clock()) }
          _ = loop.call(after: .milliseconds(1)) { port.report(.fault("first timer"), at: clock()) }
          loop.call(after: .zero) { port.report(.fault("cancelled timer"), at: clock()) }()
        }
      }
    }
    func apply(_ setting: Setting, at instant: Instant) {}
    func wake(at instant: Instant, horizon: Instant) {}
    func close(at instant: Instant) {}
  }

  private func faults(of served: ServedPlugin, _ count: Int) throws -> [(text: String, at: Instant)] {
    var faults: [(text: String, at: Instant)] = []
    while faults.count < count, let frame = try served.receive() {
      if case .fault(let text, let instant) = frame { faults.append((text, instant)) }
    }
    return faults
  }

  @Test("a plugin's process reports each byte of a watched pipe, and its timers in the order of their expiry")
  func watches() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let readEnd = ends[0]
    let manifest = Manifest(device: "net.pipe", kind: .source, title: "pipe")
    let served = ServedPlugin([manifest]) { _, clock throws(Problem) in [PipeReader(manifest, readEnd, clock)]
    }
    served.send(.hello(major: FrameLayout.major, minor: 0, now: start, steady: ProcessClock.steady))
    served.send(.open([], at: start))
    _ = try served.receive(until: "opened")
    var byte: UInt8 = 1
    write(ends[1], &byte, 1)
    #expect(try faults(of: served, 1).map(\.text) == ["byte 1"])
    byte = 2
    write(ends[1], &byte, 1)
    let rest = try faults(of: served, 3)
    #expect(rest.map(\.text) == ["byte 2", "first timer", "second timer"])
    #expect(rest.allSatisfy { $0.at > start && $0.at < start + .seconds(60) })
    served.send(.close(at: start))
    _ = try served.receive(until: "closed")
    #expect(served.end() == 0)
  }
}
