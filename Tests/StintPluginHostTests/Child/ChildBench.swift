import StintFormats
import StintModel
import StintPluginKit
import StintRuntime
import StintUnits
import Testing

@testable import StintPluginHost

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs a plugin in a separate process, supervised on an event loop, and collects its events.
final class ChildBench: Sendable {
  let plugin: ChildPlugin
  let set: PluginSet
  let clock: RunClock
  private let loop: LoopExecutor
  private let heard = Locked<[PortEvent]>([])
  private let signal = TestSignal()

  /// True when Python is installed; prints a line when Python is missing.
  static let hasPython: Bool = {
    let isThere = access("/usr/bin/python3", X_OK) == 0 || access("/usr/local/bin/python3", X_OK) == 0
    let line = "skipped: python3 is not installed, so plugins in Python are not tested\n"
    if !isThere { _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) } }
    return isThere
  }()

  static let repository: String = {
    let path = #filePath
    let parts = path.split(separator: "/")
    return "/" + parts.dropLast(4).joined(separator: "/")
  }()

  private init(
    _ folder: ScratchFolder, _ name: String, _ limits: SupervisionLimits, _ access: ChildAccess,
    _ loop: LoopExecutor
  ) throws {
    self.loop = loop
    let clock = RunClock(start: SystemClock.wall(), anchor: SystemClock.monotonic())
    self.clock = clock
    let manifest = try ManifestReader.manifest(path: Self.repository + "/Plugins/Thermometer/manifest.json")
    let program = ChildProgram(
      name: name, manifest: manifest, path: folder.path + "/" + name, folder: folder.path,
      settings: [PluginSettingEntry("source", .text(folder.path + "/temperature"))], limits: limits,
      access: access
    ) { [path = folder.path] () throws(ChildFailure) in
      var files: [SealedFile] = []
      for file in ["thermometer.py", name] where !files.contains(where: { $0.path == path + "/" + file }) {
        let bytes = ScratchFolder.bytes(of: path + "/" + file)
        files.append(try SealedFile(path: path + "/" + file, bytes: bytes, isProgram: true))
      }
      return files
    }
    plugin = ChildPlugin(program, on: loop) { clock.instant(at: SystemClock.monotonic()) }
    let signal = signal
    set = try PluginSet([plugin]) { _ in signal.notify() }
  }

  /// Runs a body with an open plugin, and closes the plugin afterwards.
  ///
  /// - Parameter defect: the name of the defect that the plugin has; nil for a plugin without a defect.
  static func run(
    _ defect: String?, limits: SupervisionLimits = SupervisionLimits(), hasOwnFilter: Bool = false,
    without: [ContainmentMechanism] = [], startsProcesses: Bool = false,
    required: [ContainmentMechanism] = [],
    _ body: @escaping @Sendable (ChildBench) async throws -> Void
  ) throws {
    let folder = try ScratchFolder()
    let plugins = repository + "/Plugins/Thermometer/"
    try folder.copy(plugins + "thermometer.py", as: "thermometer.py")
    try folder.copy(
      plugins + "Tests/\(defect == "escapes" ? "escapes" : "broken").py", as: "\(defect ?? "broken").py")
    try folder.write("21500\n", as: "temperature")
    let loop = try LoopExecutor()
    let name = defect.map { $0 + ".py" } ?? "thermometer.py"
    var access = ChildAccess()
    access.readable = [folder.path + "/temperature"]
    access.startsProcesses = startsProcesses
    access.required = required
    access.without = without
    access.hasOwnFilter = hasOwnFilter
    let bench = try ChildBench(folder, name, limits, access, loop)
    let result: Result<Void, any Error> = Spawner.run(on: loop) { () async throws -> Void in
      await bench.set.open(at: bench.now)
      do {
        try await body(bench)
      } catch {
        await bench.set.close(at: bench.now)
        throw error
      }
      await bench.set.close(at: bench.now)
    }
    try result.get()
    withExtendedLifetime(folder) {}
  }

  var now: Instant { clock.instant(at: SystemClock.monotonic()) }

  func apply(_ setting: Setting) async { await set.apply(setting, to: 0, at: now) }

  /// All events since the plugin was opened.
  var events: [PortEvent] {
    heard.withLock { events in
      set.members[0].port.drainEvents(into: &events)
      return events
    }
  }

  /// The sentences of all faults since the plugin was opened.
  var faults: [String] {
    events.compactMap { if case .outcome(.fault(let text), _) = $0 { text } else { nil } }
  }

  /// Waits for half a second, while the process continues to work.
  func pause() async {
    let latch = AsyncEvent()
    _ = loop.call(after: .milliseconds(500)) { latch.open() }
    await latch.wait()
  }

  /// Waits for the first event that satisfies the closure; fails after 30 seconds.
  func first(_ what: String, _ isWanted: (PortEvent) -> Bool) async throws -> PortEvent {
    let deadline = now + .seconds(30)
    while true {
      if let event = events.first(where: isWanted) { return event }
      try #require(now < deadline, "\(what) did not arrive: \(events)")
      let latch = signal.nextEvent()
      // An event may have arrived between the check and the wait.
      if events.contains(where: isWanted) { continue }
      let cancel = loop.call(after: .milliseconds(500)) { latch.open() }
      await latch.wait()
      cancel()
    }
  }

  /// Waits for a fault whose sentence contains this text.
  func fault(with text: String) async throws {
    _ = try await first("“\(text)”") {
      if case .outcome(.fault(let sentence), _) = $0 { sentence.contains(text) } else { false }
    }
  }

  /// Waits until the supervision's state satisfies the closure; fails after 30 seconds.
  func waitForState(_ isWanted: (Supervision.State) -> Bool) async throws {
    let deadline = now + .seconds(30)
    while !isWanted(plugin.status.state) {
      try #require(now < deadline, "\(plugin.status) for too long")
      let latch = AsyncEvent()
      _ = loop.call(after: .milliseconds(20)) { latch.open() }
      await latch.wait()
    }
  }
}
