import StintModel
import StintPluginKit
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Queries UPower on each request. After the first request, also queries it when UPower reports a change.
///
/// All calls to the bus run on a separate thread, so that the host never waits for the bus. Before the first
/// request there is no thread and no connection.
final class UPowerWatch: PowerWatching {
  private struct State {
    var facts: PowerFacts
    var hasThread = false
    var isReadRequested = false
    var isClosed = false
    var latest = Instant(nanoseconds: .min)
  }

  private let settings: PowerSupplySettings
  private let clock: LinkedPlugin.Clock
  private let waker: WakeEnds?
  private let state: Locked<State>

  init(_ settings: PowerSupplySettings, port: DevicePort, clock: @escaping LinkedPlugin.Clock) {
    self.settings = settings
    self.clock = clock
    waker = WakeEnds()
    state = Locked(State(facts: PowerFacts(port)))
  }

  // MARK: Calls from the host

  func read(at instant: Instant) {
    let mustStart = state.withLock { state in
      defer { state.hasThread = true }
      state.isReadRequested = true
      state.latest = max(state.latest, instant)
      return !state.hasThread && !state.isClosed
    }
    waker?.wake()
    if mustStart, waker == nil || !PluginThread.start({ self.work() }) {
      state.withLock { $0.hasThread = false }
      publish(nil, [BusError("no thread or descriptor is left")], all: true)
    }
  }

  func wake(at instant: Instant) {}

  func close(at instant: Instant) {
    state.withLock { $0.isClosed = true }
    waker?.wake()
  }

  // MARK: On the thread

  private func work() {
    guard let waker else { return }
    var upower: UPower?
    while !state.withLock({ $0.isClosed }) {
      do throws(BusError) {
        var hasNews = false
        if let upower { hasNews = try upower.processMessages() }
        let isReadRequested = state.withLock { state in
          defer { state.isReadRequested = false }
          return state.isReadRequested
        }
        if isReadRequested || hasNews {
          if upower == nil { upower = try UPower(settings.bus) }
          let reading = try upower?.reading()
          publish(reading, [], all: isReadRequested)
          // A signal may have arrived together with the answer.
          continue
        }
      } catch {
        // The next request connects again.
        upower = nil
        publish(nil, [error], all: true)
      }
      Self.wait(waker.readEnd, upower?.descriptor ?? -1)
      waker.drain()
    }
  }

  private static func wait(_ first: Int32, _ second: Int32) {
    var entries = [
      pollfd(fd: first, events: Int16(POLLIN), revents: 0),
      pollfd(fd: second, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&entries, 2, -1)
  }

  private func publish(_ reading: PowerReading?, _ errors: [BusError], all: Bool) {
    var reading = reading ?? PowerReading([])
    reading.complaints += errors.map { "UPower does not answer: \($0)" }
    let zones = ThermalReading.read(settings)
    state.withLock { state in
      guard !state.isClosed else { return }
      state.latest = max(state.latest, clock())
      state.facts.publish(reading, zones, all: all, at: state.latest)
    }
  }
}
