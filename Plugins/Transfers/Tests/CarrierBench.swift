import StintModel
import StintPluginKit
import StintUnits

@testable import Transfers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An engine on the event loop of a test, with its own folders. The thread of the test runs the loop.
final class CarrierBench {
  /// A report with the key of its task.
  typealias Entry = (key: String, report: TransferReport)

  let loop = BenchLoop()
  let port: DevicePort
  let spool = TestFolder()
  let uploads = TestFolder()
  let settings: CarrierSettings
  private(set) var engine: TransferEngine
  /// All reports and faults until now.
  private(set) var entries: [Entry] = []
  private(set) var faults: [String] = []
  private static let clock: LinkedPlugin.Clock = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  init(_ change: (inout CarrierSettings) -> Void = { _ in }) throws(Problem) {
    try CurlLibrary.load()
    var settings = CarrierSettings()
    settings.spool = spool.path
    settings.uploads = uploads.path
    change(&settings)
    self.settings = settings
    port = DevicePort(manifest: HTTPCarrier.embeddedManifest, on: loop)
    engine = TransferEngine(settings, port: port, loop: loop, clock: Self.clock)
  }

  deinit { engine.close() }

  /// Replaces the engine by a new engine, as a restart of the plugin does. The files stay.
  func restart() {
    engine.close()
    engine = TransferEngine(settings, port: port, loop: loop, clock: Self.clock)
  }

  static func exchange(_ task: String, _ kind: TransferRequest.Kind, attempt: Int = 1) -> TransferExchange {
    TransferExchange(
      task: task, attempt: attempt, key: "app/sync/\(task)", request: TransferRequest(kind), offset: 0)
  }

  /// Orders a download and runs the loop until the attempt has ended. Returns the last report of the attempt;
  /// nil after a minute.
  func download(
    _ address: String, task: String = "a", attempt: Int = 1, on radio: DeviceID = "radio.lan"
  ) -> TransferReport? {
    run(Self.exchange(task, .download(from: address), attempt: attempt), on: radio)
  }

  /// Orders an attempt and runs the loop until it has ended. Returns its last report; nil after a minute.
  func run(_ exchange: TransferExchange, on radio: DeviceID = "radio.lan") -> TransferReport? {
    let start = entries.count
    engine.handle(.start(exchange, on: radio))
    _ = wait { ending(of: exchange.key, from: start) != nil }
    // The record of a finished download is removed after its report.
    _ = wait(limit: .milliseconds(20)) { false }
    return ending(of: exchange.key, from: start)
  }

  /// Runs the loop until the condition is true. Returns false after a minute.
  func wait(limit: TimeSpan = .seconds(60), until isFinished: () -> Bool) -> Bool {
    loop.run(limit: limit) {
      collect()
      return isFinished()
    }
  }

  /// Returns the last report of an attempt among the entries from an index on; nil while it runs.
  func ending(of key: String, from start: Int = 0) -> TransferReport? {
    entries.dropFirst(start).first { entry in
      guard entry.key == key else { return false }
      return switch entry.report {
      case .finished, .failed: true
      case .progress, .reply: false
      }
    }?.report
  }

  /// The byte counts in the progress reports of a task.
  func progress(of task: String = "a") -> [Int64] {
    entries.compactMap { entry in
      if entry.key == "app/sync/\(task)", case .progress(let count) = entry.report { count } else { nil }
    }
  }

  /// The statuses that were reported.
  var replies: [Int] {
    entries.compactMap { if case .reply(let status) = $0.report { status } else { nil } }
  }

  private func collect() {
    var events: [PortEvent] = []
    port.drainEvents(into: &events)
    for event in events {
      switch event {
      case .transferred(let report, _): entries.append((report.key, report.report))
      case .outcome(.fault(let text), _): faults.append(text)
      default: break
      }
    }
  }

  /// The size of the part of a task; nil without a part.
  func partSize(of task: String = "a") -> Int? {
    let path = Spool(folder: spool.path).path(of: "app/sync/\(task)") + ".part"
    return TestFolder.bytes(of: path)?.count
  }
}

extension TransferReport {
  /// The bytes of the finished file; nil when the report contains no finished file.
  var content: [UInt8]? {
    if case .finished(let file?) = self { TestFolder.bytes(of: file) } else { nil }
  }

  /// The name of the fault; nil for every other kind of report.
  var fault: String? { if case .failed(let fault) = self { fault.name } else { nil } }

  /// True for a fault after which the task is tried again.
  var isTransient: Bool { if case .failed(let fault) = self { fault.isTransient } else { false } }
}
