import Stint
import StintFormats
import StintRuntime
import StintTools
import StintUnits

/// Measures an embedding app: the rate at which samples reach its readers, and the memory of a bus.
struct AppBenchmark: Sendable {
  /// The figures of one kind of reader.
  struct Reader: Hashable, Sendable {
    var name: String
    /// Processor time in nanoseconds per sample, from the plugin's thread to the reader: the median of
    /// the passes.
    var work: Double

    /// Samples per second of processor time.
    var rate: Double { 1e9 / work }
  }

  var readers: [Reader]
  /// The growth of the process's resident memory for each additional bus, in bytes.
  var bytesPerBus: Int
  /// The number of buses that were open at the same time.
  var buses: Int
  /// The computer of the run: its system and its processors.
  var machine: String

  private static let passes = 5
  private static let policy = """
    policy "app" version 1
    use motion.accelerometer as accel
    rule saver "at a low level, one sample per second" while app.level < 20 % { downgrade accel to 1 Hz }
    """

  /// Runs the benchmark with `samples` samples per pass.
  ///
  /// - Throws: an error when the system has no free thread or descriptor.
  init(samples: Int, buses: Int) throws {
    let loop = try LoopExecutor()
    // The memory is measured before the readers run, because memory that they free would hide the growth.
    bytesPerBus = try Self.growth(of: buses, on: loop)
    self.buses = buses
    let pool = try PoolExecutor(threads: 1)
    defer { pool.shutdown() }
    readers = try ReaderBench.Kind.allCases.map { kind in
      let passes = try (0..<Self.passes).map { _ in
        try ReaderBench.run(kind, samples: samples, on: loop, pool: pool)
      }
      return Reader(name: kind.rawValue, work: passes.sorted()[Self.passes / 2])
    }
    machine = SystemUsage.machine()
  }

  /// Returns the growth of the resident memory per bus, in bytes. Each bus has one sensor and one policy.
  /// Four buses are opened first, because the first buses also allocate memory that all buses share.
  private static func growth(of count: Int, on loop: LoopExecutor) throws -> Int {
    try Spawner.run(on: loop) { () async throws -> Int in
      var open: [Bus] = []
      func add(_ count: Int) async throws {
        for _ in 0..<count {
          let facts = [AppFact("app.level", .quantity(unit: "%"))]
          let bus = try await Bus(plugins: .linked([FloodedSensor()]), facts: facts)
          open.append(bus)
          try await bus.load(text: policy)
        }
      }
      try await add(4)
      let before = ResidentMemory.bytes()
      try await add(count)
      let growth = ResidentMemory.bytes() - before
      for bus in open { await bus.close() }
      return growth / count
    }.get()
  }

  /// The figures as a table for people.
  func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(["Plugin to a reader", "samples/s", "CPU per sample"], .heading)
    for reader in readers {
      table.add(["  \(reader.name)", "\(Amounts.decimal(reader.rate / 1e6)) M", Timing.text(reader.work)])
    }
    let memory = "  \(bytesPerBus / 1000) kB of memory for each of \(buses) buses with a sensor and a policy"
    return [table.text(paint), paint.quiet(memory), paint.quiet("  single samples; \(machine)")]
      .joined(separator: "\n")
  }

  /// The figures as one JSON object on one line.
  var jsonText: String {
    JSONWriter.text(of: [
      "machine": JSONValue(machine), "buses": JSONValue(buses), "bus_bytes": JSONValue(bytesPerBus),
      "readers": JSONValue(
        readers.map { ["name": JSONValue($0.name), "work_ns_per_sample": JSONValue($0.work)] }),
    ])
  }
}
