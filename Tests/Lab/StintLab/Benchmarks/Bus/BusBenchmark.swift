import StintBus
import StintModel
import StintRuntime
import StintTools
import StintUnits

/// Measures the bus within a process: its throughput, and the latency from a sample to a device's setting.
/// The baselines are other mechanisms, such as `AsyncStream`, which are measured in the same way.
struct BusBenchmark: Hashable, Sendable {
  /// The figures of one mechanism for one load.
  struct Carrying: Hashable, Sendable {
    var name: String
    /// The number of samples that reach one subscriber per second of CPU time: the median of the passes. For
    /// libzmq with threads, the rate is per second of wall-clock time.
    var rate: Double
    /// The rates of the slowest and of the fastest pass; for libzmq, only the median is known.
    var slowest: Double
    var fastest: Double
    /// CPU nanoseconds for each sample that reached a subscriber.
    var work: Double
  }

  /// A load and the figures of each mechanism; the first mechanism is the bus.
  struct Load: Hashable, Sendable {
    var subscribers: Int
    /// The number of samples in a batch.
    var size: Int
    var carryings: [Carrying]
  }

  /// The latency from a published sample to the call of a device, for one mechanism.
  struct Waking: Hashable, Sendable {
    var name: String
    var latency: Latency
  }

  var loads: [Load]
  /// The latency with producer, governor and device on one executor; the last entry is the baseline.
  var within: [Waking]
  /// The latency from a separate thread to a sleeping executor; the last entry is the baseline.
  var fromThread: [Waking]
  /// The cost of frames between two threads, in the format that processes exchange.
  struct Crossing: Hashable, Sendable {
    /// The number of samples in a frame.
    var size: Int
    /// Wall-clock nanoseconds per sample, through shared memory and through a pipe.
    var ring: Double
    var pipe: Double
  }

  /// The costs for each frame size; empty when no shared memory or no pipe can be created.
  var crossings: [Crossing]
  /// The figures for samples that pass from a plugin's process to the host. Nil when there is no C compiler
  /// or a process fails.
  var boundary: BoundaryReport?
  /// Whether libzmq was available and measured.
  var hasMessageQueue: Bool
  /// The allocator calls in 100,000 published batches of 64 samples; nil without the counting library.
  var allocations: Int?
  /// The computer of the run: its system and its processors.
  var machine: String

  /// Runs the benchmark. A pass delivers `batches` batches. The latency is measured with `wakes` calls of the
  /// device on one executor, and with a twentieth of this number of calls from a separate thread.
  ///
  /// - Throws: an error when the system has no free thread or descriptor.
  init(batches: Int, wakes: Int) throws {
    do {
      let loop = try LoopExecutor()
      let answers = MessageQueueProgram.run(batches: batches)
      hasMessageQueue = answers != nil
      loads = [(1, 64), (4, 64), (1, 1), (4, 1)].map { subscribers, size in
        let load = BusLoad(subscribers: subscribers, size: size, batches: batches)
        var measured = Self.load(load, on: loop)
        for answer in answers ?? [] where answer.subscribers == subscribers && answer.size == size {
          measured.carryings.append(Carrying(answer))
        }
        return measured
      }
      within = try Self.within(wakes, on: loop)
      fromThread = try Self.fromThread(max(wakes / 20, 1), on: loop)
      allocations = Self.allocations()
      crossings = try Self.crossings(batches)
      boundary = try BoundaryBench.run(batches: batches, trips: max(wakes / 20, 1))
    } catch let error as Problem {
      throw error.at("bench bus")
    }
    machine = SystemUsage.machine()
  }

  private static let carriers: [any BusMechanism.Type] = [
    ChannelCarrier.self, TopicCarrier.self, BoundActorHopCarrier.self, ActorHopCarrier.self,
    StreamCarrier.self,
  ]

  /// Runs passes of all mechanisms alternately, so that other load on the computer affects every mechanism
  /// alike. The first pass of each is not counted.
  private static func load(_ load: BusLoad, on loop: LoopExecutor) -> Load {
    var rates: [[Double]] = carriers.map { _ in [] }
    for pass in 0...9 {
      for (place, carrier) in carriers.enumerated() {
        let began = SystemClock.worked()
        let sum = value(Spawner.run(on: loop) { await carrier.carry(load, on: loop) })
        let span = Double((SystemClock.worked() - began).nanoseconds)
        precondition(sum == load.checksum, "\(carrier.name) lost samples")
        if pass > 0 { rates[place].append(Double(load.delivered) / Double(load.subscribers) * 1e9 / span) }
      }
    }
    let carryings = zip(carriers, rates).map { carrier, rates in
      Carrying(name: carrier.name, rates: rates.sorted(), subscribers: load.subscribers)
    }
    return Load(subscribers: load.subscribers, size: load.size, carryings: carryings)
  }

  private static func within(_ count: Int, on loop: LoopExecutor) throws -> [Waking] {
    [
      Waking(
        name: "bus, drained by the producer",
        latency: value(Spawner.run(on: loop) { await WakingBench.drainLatency(count, on: loop) })),
      Waking(
        name: "bus, a task waits in its stream",
        latency: value(Spawner.run(on: loop) { await WakingBench.streamLatency(count, on: loop) })),
      Waking(
        name: "plugin, host, governor, policy, plugin", latency: try GovernedBench.within(count, on: loop)),
      Waking(
        name: "actor hop, one executor",
        latency: value(Spawner.run(on: loop) { await WakingBench.hop(count, on: loop) })),
    ]
  }

  private static func fromThread(_ count: Int, on loop: LoopExecutor) throws -> [Waking] {
    let pool = try PoolExecutor(threads: 1)
    defer { pool.shutdown() }
    let (channel, queue) = value(
      Spawner.run(on: loop) { await WakingBench.thread(count, on: loop, pool: pool) })
    return [
      Waking(name: "bus", latency: channel),
      Waking(
        name: "plugin, host, governor, policy, plugin",
        latency: try GovernedBench.fromThread(count, on: loop, pool: pool)),
      Waking(name: "queue behind a lock, waking a task", latency: queue),
    ]
  }

  private static func crossings(_ frames: Int) throws -> [Crossing] {
    let pool = try PoolExecutor(threads: 1)
    defer { pool.shutdown() }
    return try [64, 1].compactMap { size in
      let bench = RingBench(size: size, frames: size == 1 ? frames * 8 : frames, pool: pool)
      var times: (ring: [Double], pipe: [Double]) = ([], [])
      for _ in 0..<5 {
        guard let ring = try bench.throughRing(), let pipe = bench.throughPipe() else { return nil }
        times.ring.append(ring / Double(size))
        times.pipe.append(pipe / Double(size))
      }
      return Crossing(size: size, ring: times.ring.sorted()[2], pipe: times.pipe.sorted()[2])
    }
  }

  /// Counts the allocations while one function publishes and drains 100,000 batches, after a warm-up. No task
  /// is woken. Nil without the counting library.
  private static func allocations() -> Int? {
    guard CallCounter.allocations() != nil else { return nil }
    let load = BusLoad(subscribers: 1, size: 64, batches: 100_000)
    let channel = BatchChannel(.dropOldest(capacity: BusLoad.burst))
    var topics = TopicTable()
    _ = topics.subscribe(channel, to: load.batch(0).device)
    var taken: [Batch] = []
    func publish(_ count: Int) {
      for number in 0..<count {
        _ = topics.publish(load.batch(number))
        guard number % BusLoad.burst == BusLoad.burst - 1 else { continue }
        channel.drainAll(into: &taken)
        taken.removeAll(keepingCapacity: true)
      }
    }
    publish(1000)
    let before = CallCounter.allocations() ?? 0
    publish(100_000)
    return CallCounter.allocations().map { $0 - before }
  }

  private static func value<Value>(_ result: Result<Value, Never>) -> Value {
    switch result {
    case .success(let value): value
    }
  }
}

extension BusBenchmark.Carrying {
  fileprivate init(name: String, rates: [Double], subscribers: Int) {
    self.name = name
    rate = rates[rates.count / 2]
    slowest = rates.first ?? 0
    fastest = rates.last ?? 0
    work = 1e9 / rate / Double(subscribers)
  }

  fileprivate init(_ answer: MessageQueueProgram.Answer) {
    name = answer.isThreaded ? "libzmq inproc, one thread each" : "libzmq inproc, one thread"
    rate = answer.rate
    slowest = answer.rate
    fastest = answer.rate
    work = answer.nanosecondsOfWork
  }
}
