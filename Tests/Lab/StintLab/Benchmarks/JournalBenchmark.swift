import StintFormats
import StintJournal
import StintRuntime
import StintTools
import StintUnits

/// The rates at which this computer writes, synchronizes, reads and replays a journal. A file without the
/// journal format is the baseline.
struct JournalBenchmark: Hashable, Sendable {
  /// One measurement and its baseline.
  struct Figure: Hashable, Sendable {
    var name: String
    /// Records per second: the median of the passes.
    var rate: Double
    /// The rate of the baseline, in records per second; nil without a baseline.
    var baseline: Double?
    var baselineName: String
    /// The rates of the slowest and of the fastest pass.
    var slowest: Double
    var fastest: Double
    /// The rate of SQLite for the equivalent operation; inserts are synchronized once per batch. Nil when
    /// SQLite or a C compiler is missing, or when SQLite has no equivalent operation.
    var database: Double?

    /// The rate relative to the baseline.
    var ratio: Double? { baseline.map { rate / $0 } }
  }

  var figures: [Figure]
  var hasDatabase: Bool
  var records: Int
  /// The length of a record on disk, in bytes.
  var recordBytes: Int
  /// The computer of the run: its system and its processors.
  var machine: String
  /// The hash of the decisions of the replayed journal; empty without a replay. The hash shows that the
  /// measured run was correct.
  var decisionLogHash: String

  /// Measures in a folder; its file system determines the cost of a synchronization.
  ///
  /// - Throws: a problem when the folder cannot be written.
  init(folder: String, records: Int, batches: Int, replaying request: SimulationRequest?) throws {
    let bench = JournalBench(folder: folder, records: records, batches: batches)
    defer { bench.clean() }
    figures = [try bench.append(), try bench.durable(), try bench.verify()]
    let database = bench.database()
    hasDatabase = database != nil
    figures[1].database = database?.durable
    figures[2].database = database?.read
    decisionLogHash = ""
    if let request {
      let (figure, hash) = try bench.replay(request)
      figures.append(figure)
      decisionLogHash = hash
    }
    self.records = records
    recordBytes = JournalBench.recordBytes
    machine = SystemUsage.machine()
  }

  /// Returns the figures as a table for people.
  func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(["Journal", "records/s", "slowest … fastest", "baseline", "ratio", "SQLite"], .heading)
    for figure in figures {
      table.add([
        "  \(figure.name)", Self.rate(figure.rate),
        "\(Self.rate(figure.slowest)) … \(Self.rate(figure.fastest))",
        figure.baseline.map { "\(Self.rate($0)) \(figure.baselineName)" } ?? "–",
        figure.ratio.map { Amounts.percent($0) } ?? "–", figure.database.map(Self.rate) ?? "–",
      ])
    }
    var lines = [
      table.text(paint), paint.quiet("  \(Amounts.count(records)) records of \(recordBytes) bytes"),
      paint.quiet("  \(machine)"),
    ]
    if !hasDatabase { lines.append(paint.quiet("  SQLite or a C compiler is missing")) }
    if !decisionLogHash.isEmpty { lines.append(paint.quiet("  log sha256 \(decisionLogHash)")) }
    return lines.joined(separator: "\n")
  }

  private static func rate(_ rate: Double) -> String {
    rate >= 1e6 ? "\(Amounts.decimal(rate / 1e6)) M" : "\(Amounts.decimal(rate / 1e3)) k"
  }

  /// The figures as one JSON object on one line.
  var jsonText: String {
    JSONWriter.text(of: [
      "records": JSONValue(records), "record_bytes": JSONValue(recordBytes), "machine": JSONValue(machine),
      "decision_log_sha256": JSONValue(decisionLogHash),
      "figures": JSONValue(
        figures.map { figure -> JSONValue in
          [
            "name": JSONValue(figure.name), "records_per_s": JSONValue(figure.rate),
            "slowest": JSONValue(figure.slowest), "fastest": JSONValue(figure.fastest),
            "yardstick": JSONValue(figure.baselineName),
            "yardstick_per_s": figure.baseline.map { JSONValue($0) } ?? JSONValue.null,
            "ratio": figure.ratio.map { JSONValue($0) } ?? JSONValue.null,
            "sqlite_per_s": figure.database.map { JSONValue($0) } ?? JSONValue.null,
          ]
        }),
    ])
  }
}
