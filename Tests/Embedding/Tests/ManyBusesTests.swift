import Foundation
import Stint
import StintSimulation
import Testing

/// Many buses in one process. The tests run one after the other, because they count the resources of the
/// whole process.
@Suite(.serialized) struct ManyBusesTests {
  private func count(_ what: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(what)").count) ?? -1
  }

  @Test("X08: fifty closed buses on the system's clock leave no descriptor and no thread")
  func fifty() async throws {
    // The first bus starts the threads of the concurrency runtime.
    try await round(1)
    let (descriptors, threads) = (count("fd"), count("task"))
    try #require(descriptors > 0 && threads > 0)
    try await round(50)
    var after = (count("fd"), count("task"))
    // A thread disappears from the list a moment after it has ended.
    for _ in 0..<10_000 where after.0 > descriptors || after.1 > threads + 2 {
      await Task.yield()
      after = (count("fd"), count("task"))
    }
    #expect(after.0 <= descriptors, "\(descriptors) descriptors before, \(after.0) after")
    // The runtime may have started two more workers.
    #expect(after.1 <= threads + 2, "\(threads) threads before, \(after.1) after")
  }

  @Test("X08: the threads of twenty idle buses, with a policy and an attached client, wake up 0 times in 2 s")
  func idle() async throws {
    try await round(1)
    let former = Set(Self.threads)
    var buses: [Bus] = []
    for _ in 0..<20 {
      let device = LinkedPlugin.Device(Ticker(), manifestText: ReferencePhone.manifestText("location.gnss"))
      let bus = try await Bus(plugins: .devices([device]), clock: .system)
      try await bus.load(
        text: """
          policy "trail"
          use location.gnss as gps
          rule poor while gps.accuracy > 50 m for 3 min { stop gps }
          """)
      _ = try await bus.attach("app", authorized: .always)
      buses.append(bus)
    }
    let own = Self.threads.filter { !former.contains($0) && Self.name($0) == "stint-loop" }
    #expect(own.count == buses.count)
    // The test waits in a thread of its own, so that it blocks neither a loop nor a worker of the concurrency
    // runtime.
    let (before, after) = await withCheckedContinuation { measured in
      Thread.detachNewThread { measured.resume(returning: Self.wakeupsInTwoSeconds(of: own)) }
    }
    #expect(after == before)
    for bus in buses { await bus.close() }
  }

  /// Waits until the threads are idle. Returns the number of waits of each thread before and after two more
  /// seconds.
  private static func wakeupsInTwoSeconds(of threads: [String]) -> (before: [Int?], after: [Int?]) {
    // On a busy machine, a thread becomes idle only some time after the calls of its bus have returned.
    var before = threads.map(wakeups)
    for _ in 0..<20 {
      poll(nil, 0, 300)
      let now = threads.map(wakeups)
      if now == before { break }
      before = now
    }
    poll(nil, 0, 2000)
    return (before, threads.map(wakeups))
  }

  /// The identifiers of the threads of this process.
  private static var threads: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
  }

  /// The name of a thread; nil when the thread has ended.
  private static func name(_ thread: String) -> String? {
    (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The number of times that a thread has waited until now; nil when the thread has ended.
  private static func wakeups(_ thread: String) -> Int? {
    let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
    return line?.split(separator: "\t").last.flatMap { Int($0) }
  }

  private func round(_ number: Int) async throws {
    let folder = Folder()
    var buses: [Bus] = []
    for bus in 0..<number {
      var files = Bus.Files()
      files.control = folder.at("control-\(bus)")
      files.journal = folder.at("journal-\(bus)")
      files.state = folder.at("state-\(bus)")
      let device = Ticker()
      let devices = [LinkedPlugin.Device(device, manifestText: ReferencePhone.manifestText("location.gnss"))]
      buses.append(try await Bus(plugins: .devices(devices), clock: .system, files: files))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for bus in buses {
        group.addTask {
          let app = try await bus.attach("app", authorized: .always)
          try await app.withDemand(.location(accuracy: .meters(10))) { batches in
            for try await _ in batches { break }
          }
        }
      }
      try await group.waitForAll()
    }
    for bus in buses { await bus.close() }
  }
}

/// A receiver that measures at once when it is switched on, and then once a second.
actor Ticker: SensorPlugin {
  nonisolated let manifest: Manifest
  private var port: DevicePort?
  private var isOn = false
  private var number: UInt64 = 0

  init(_ device: DeviceID = "location.gnss") { manifest = ReferencePhone.manifest(device)! }

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }

  func apply(_ setting: Setting, at instant: Instant) {
    isOn = setting.isOn
    // The first power state that is on or off as the setting requires; the safe state if there is no such
    // state.
    let state = manifest.states.firstIndex { $0.isOn == isOn } ?? manifest.safe
    port?.report(.state(state, period: nil), at: instant)
    port?.setAlarm(at: isOn ? instant : nil)
  }

  func wake(at instant: Instant, horizon: Instant) {
    guard isOn else { return }
    number += 1
    let sample = Sample(instant: instant, sequence: number, 47, 8, 4, 0)
    port?.deliver(
      Batch(device: manifest.device, samples: [sample], reason: .immediate), at: instant)
    port?.setAlarm(at: instant + .seconds(1))
  }

  func drain(at instant: Instant, reason: DeliveryReason) {}
  func close(at instant: Instant) { isOn = false }
}
