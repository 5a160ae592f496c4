import StintFormats
import StintJournal
import StintRuntime
import StintTools
import StintUnits

/// How fast a journal is written, made durable, read and replayed on this machine, beside the bare file in
/// the same run.
struct JournalBenchmark: Hashable, Sendable {
  /// One thing that is measured, and what it is held against.
  struct Figure: Hashable, Sendable {
    var name: String
    /// Records in a second: the passes in the middle.
    var rate: Double
    /// The same of the yardstick; nil where there is none.
    var baseline: Double?
    var baselineName: String
    /// The slowest and the fastest pass.
    var slowest: Double
    var fastest: Double
    /// The same by SQLite, brought to the disk with each batch; nil where there is none, or nothing like it.
    var database: Double?

    /// The rate as a part of the yardstick's.
    var ratio: Double? { baseline.map { rate / $0 } }
  }

  var figures: [Figure]
  var hasDatabase: Bool
  var records: Int
  /// The length of a record on disk, in bytes.
  var recordBytes: Int
  var machine: String
  /// Of the decisions of the replayed journal: a wrong answer cannot be fast.
  var decisionLogHash: String

  /// Measures in a folder: where it lies decides what durable means.
  ///
  /// Throws when the folder cannot be written.
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

  /// The figures for people.
  func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(["Journal", "records/s", "slowest … fastest", "yardstick", "part", "SQLite"], .heading)
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
    if !hasDatabase { lines.append(paint.quiet("  SQLite or a C compiler is not here")) }
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
        figures.map { figure in
          [
            "name": JSONValue(figure.name), "records_per_s": JSONValue(figure.rate),
            "slowest": JSONValue(figure.slowest), "fastest": JSONValue(figure.fastest),
            "yardstick": JSONValue(figure.baselineName),
            "yardstick_per_s": figure.baseline.map { JSONValue($0) } ?? nil,
            "ratio": figure.ratio.map { JSONValue($0) } ?? nil,
            "sqlite_per_s": figure.database.map { JSONValue($0) } ?? nil,
          ]
        }),
    ])
  }
}
