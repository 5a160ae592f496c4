import StintModel
import StintSystem
import StintUnits

/// The event loop of a plugin's process. It waits for the channel, the alarms of the plugin's devices, events
/// from the plugin's threads, and the descriptors and timers of the devices.
final class ProcessLoop: Sendable {
  private let channel: Int32
  private let executor: ProcessExecutor
  private let ports: [DevicePort]
  private let server: PluginServer
  private let watches: LoopWatches
  private let ending = Locked<PluginServer.Ending?>(nil)
  private let isBusy = Locked(false)

  init(_ channel: Int32, _ executor: ProcessExecutor, _ ports: [DevicePort], _ server: PluginServer) {
    self.channel = channel
    self.executor = executor
    self.ports = ports
    self.server = server
    watches = LoopWatches { executor.wakeLoop() }
    for port in ports { port.attach(watches) }
  }

  /// Runs until the conversation with the host ends. Returns the exit code of the program.
  func run() -> Int32 {
    var buffer = [UInt8](repeating: 0, count: FrameLayout.largest)
    while true {
      executor.drain()
      switch ending.withLock({ $0 }) {
      case .closed: return 0
      case .failed(let sentence): return PluginProcess.fail(sentence)
      case nil: break
      }
      var waiting = [
        pollfd(fd: executor.readEnd, events: Int16(POLLIN), revents: 0),
        // The channel is not read while earlier bytes are being processed.
        pollfd(fd: isBusy.withLock { $0 } ? -1 : channel, events: Int16(POLLIN), revents: 0),
      ]
      waiting += watches.entries
      let count = poll(&waiting, nfds_t(waiting.count), timeout)
      if count < 0 {
        guard errno == EINTR else {
          return PluginProcess.fail("poll: \(String(cString: strerror(errno)))")
        }
        continue
      }
      _ = watches.run(after: waiting.dropFirst(2))
      if waiting[1].revents != 0 {
        let count = read(channel, &buffer, buffer.count)
        if count == 0 { return 0 }
        if count > 0 { startTask(taking: Array(buffer[..<count])) }
      } else if !isBusy.withLock({ $0 }), isDue {
        startTask(taking: [])
      }
    }
  }

  /// The earliest alarm of a device; nil without an alarm.
  private var alarm: Instant? { ports.compactMap(\.alarm).min() }

  /// True when an alarm has expired, or when the plugin has reported an event since the
  /// last `startTask(taking:)`.
  private var isDue: Bool {
    if executor.hasNewOutput { return true }
    guard let alarm, let now = server.now else { return false }
    return alarm <= now
  }

  /// The timeout of `poll` in milliseconds: the time until the earliest alarm or timer. Without an alarm and
  /// a timer, it is -1 (no limit). An alarm does not end the wait while the server is busy.
  private var timeout: Int32 {
    var wait = watches.deadline.map { $0.subtractingReportingOverflow(ProcessClock.steady).partialValue }
    if !isBusy.withLock({ $0 }), let alarm, let now = server.now {
      wait = min(wait ?? .max, (alarm - now).nanoseconds)
    }
    guard let wait = wait.map({ max($0, 0) }) else { return -1 }
    return Int32(clamping: wait / 1_000_000 + (wait % 1_000_000 > 0 ? 1 : 0))
  }

  /// Starts a task in which the server processes bytes and checks the alarm. Only one such task runs at
  /// a time.
  private func startTask(taking bytes: [UInt8]) {
    isBusy.withLock { $0 = true }
    executor.hasNewOutput = false
    Task(executorPreference: executor) { [self] in
      let end = await server.handle(bytes)
      if end == nil { await server.poll() }
      ending.withLock { $0 = end }
      isBusy.withLock { $0 = false }
    }
  }
}
