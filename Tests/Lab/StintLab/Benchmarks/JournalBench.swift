import StintJournal
import StintReplay
import StintRuntime
import StintTools
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The measurements of `JournalBenchmark`. Passes of `append`, `durable` and `verify` alternate with passes
/// of a baseline that does the same work on a `BareFile`.
struct JournalBench {
  private static let payload = [UInt8](repeating: 0x5A, count: 48)
  private static let batch = 64
  /// A record consists of a header of 16 bytes, the payload and a checksum of 4 bytes.
  static let recordBytes = payload.count + 20
  private static let passes = 9

  private let journal: String
  private let bare: String
  private let records: Int
  private let batches: Int

  init(folder: String, records: Int, batches: Int) {
    journal = "\(folder)/stint-bench-\(getpid()).journal"
    bare = "\(folder)/stint-bench-\(getpid()).bare"
    self.records = max(records / Self.batch, 1) * Self.batch
    self.batches = batches
  }

  func clean() {
    unlink(journal)
    unlink(bare)
  }

  // MARK: Measurements

  func append() throws -> JournalBenchmark.Figure {
    try figure(
      "append", "write of \(Self.batch)", count: records,
      {
        unlink(journal)
        let writer = try JournalWriter(creating: journal)
        for number in 0..<records { try append(number, to: writer) }
        try writer.flush()
      },
      {
        let file = try BareFile(creating: bare)
        for _ in 0..<(records / Self.batch) { try file.write(Self.batch * Self.recordBytes) }
      })
  }

  func durable() throws -> JournalBenchmark.Figure {
    try figure(
      "append and make durable, \(Self.batch) at a time", "write and fdatasync", count: batches * Self.batch,
      {
        unlink(journal)
        let writer = try JournalWriter(creating: journal)
        for number in 0..<(batches * Self.batch) {
          try append(number, to: writer)
          if number % Self.batch == Self.batch - 1 { try writer.synchronize() }
        }
      },
      {
        unlink(bare)
        let file = try BareFile(creating: bare)
        for _ in 0..<batches {
          try file.write(Self.batch * Self.recordBytes)
          try file.synchronize()
        }
      })
  }

  func verify() throws -> JournalBenchmark.Figure {
    unlink(journal)
    let writer = try JournalWriter(creating: journal)
    for number in 0..<records { try append(number, to: writer) }
    try writer.flush()
    return try figure(
      "read and verify", "read and CRC-32C", count: records,
      {
        var reader = try JournalReader(path: journal)
        _ = try reader.scan()
      },
      { try BareFile(reading: journal).check() })
  }

  /// Measures writing and reading of equal records in SQLite; nil when `DatabaseBaseline` is not available.
  func database() -> DatabaseBaseline? {
    DatabaseBaseline.measure(
      at: bare + ".db", batches: batches, batch: Self.batch, payload: Self.payload.count)
  }

  /// Records a simulated run in a journal, then measures its replay, which compares every decision. The time
  /// includes reading and compiling the policies.
  func replay(_ request: SimulationRequest) throws -> (JournalBenchmark.Figure, hash: String) {
    var request = request
    request.journal = journal
    unlink(journal)
    _ = try SimulationRun(request).run()
    let first = try JournalReplay.moment(of: journal, at: nil)
    let rates = try (0..<Self.passes).map { _ in
      try Self.rate(first.records) { _ = try JournalReplay.moment(of: journal, at: nil) }
    }.sorted()
    return (Self.figure("replay with decisions", rates, "", []), first.digest)
  }

  private func append(_ number: Int, to writer: JournalWriter) throws(Problem) {
    try writer.append(kind: 3, at: Instant(nanoseconds: Int64(number)), Self.payload)
  }

  // MARK: Passes

  /// Runs passes of the journal and of the baseline alternately, so that other load on the computer affects
  /// both alike. The first pass of each is not counted.
  private func figure(
    _ name: String, _ baseline: String, count: Int, _ pass: () throws -> Void, _ bare: () throws -> Void
  ) throws -> JournalBenchmark.Figure {
    var (rates, bareRates): ([Double], [Double]) = ([], [])
    for number in 0...Self.passes {
      let rate = try Self.rate(count, pass)
      let bareRate = try Self.rate(count, bare)
      if number == 0 { continue }
      rates.append(rate)
      bareRates.append(bareRate)
    }
    return Self.figure(name, rates.sorted(), baseline, bareRates.sorted())
  }

  private static func figure(
    _ name: String, _ rates: [Double], _ baseline: String, _ bare: [Double]
  ) -> JournalBenchmark.Figure {
    JournalBenchmark.Figure(
      name: name, rate: rates[rates.count / 2], baseline: bare.isEmpty ? nil : bare[bare.count / 2],
      baselineName: baseline, slowest: rates.first ?? 0, fastest: rates.last ?? 0)
  }

  private static func rate(_ count: Int, _ pass: () throws -> Void) rethrows -> Double {
    let began = SystemClock.monotonic()
    try pass()
    return Double(count) / max((SystemClock.monotonic() - began).seconds, 1e-9)
  }
}
