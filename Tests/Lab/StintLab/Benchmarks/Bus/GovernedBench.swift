import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintUnits

/// Measures the time from one plugin's fact to another plugin's setting, through host, governor and policy.
/// The benchmark runs `Host` as the daemon does, but without files.
struct GovernedBench {
  private static let policy = """
    policy "bench" version 1
    use motion.accelerometer as accel
    rule slow while power.meter.low { downgrade accel to 5 Hz }
    """

  private let mark = PublishMark()
  private let plugins: PluginSet
  private let host: Host
  private let program: Program
  private let start: Instant

  /// Creates a bench whose source publishes after each `period` of the host's time. A nil `period` means that
  /// another thread publishes for the source.
  init(every period: TimeSpan?, from start: Instant, onReady: (@Sendable (Int) -> Void)? = nil) throws {
    self.start = start
    plugins = try PluginSet([TickingSource(mark, every: period), LatencyProbeSensor(mark)], onReady: onReady)
    let vocabulary = Vocabulary(manifests: plugins.manifests)
    program = Program(image: try BenchmarkSetup.image(of: [Self.policy], vocabulary), defaults: [])
    host = Host(
      governor: Governor(vocabulary: vocabulary, at: start), plugins: plugins, source: OneDemand(at: start))
  }

  private func begin() async throws {
    await host.open()
    try await host.load(program, policies: [], at: start)
    await host.run(until: start)
  }

  /// Measures the latency with a source that publishes on the executor of the governor.
  static func within(_ count: Int, on loop: LoopExecutor) throws -> Latency {
    let bench = try GovernedBench(every: .milliseconds(10), from: .epoch)
    return try Spawner.run(on: loop) { () async throws -> Latency in
      try await bench.begin()
      await bench.host.run(until: .epoch + TimeSpan(nanoseconds: 10_000_000 * Int64(count)))
      return bench.mark.latency
    }.get()
  }

  /// Measures the latency when another thread publishes for the source while the governor's thread sleeps.
  static func fromThread(_ count: Int, on loop: LoopExecutor, pool: PoolExecutor) throws -> Latency {
    let start = SystemClock.wall()
    let clock = RunClock(start: start, anchor: SystemClock.monotonic())
    let events = try LoopEvents(on: loop)
    let pace = DaemonClock(events: events, clock: clock)
    let bench = try GovernedBench(every: nil, from: start) { _ in events.notifyReady() }
    return try Spawner.run(on: loop) { () async throws -> Latency in
      try await bench.begin()
      let producer = Spawner.start(on: pool) {
        bench.publish(count, pace)
        events.stop()
      }
      await bench.host.run(until: .distantFuture, pace: pace) { _, _ in }
      await producer.value
      return bench.mark.latency
    }.get()
  }

  /// Publishes `count` values of the source's fact.
  private func publish(_ count: Int, _ pace: DaemonClock) {
    guard let place = plugins.index(of: TickingSource.device) else { return }
    let port = plugins.members[place].port
    let handle = port.handle("low")
    for number in 0..<count {
      Pause.microseconds(200)
      let before = mark.count
      mark.publish()
      port.publish(handle, .boolean(number.isMultiple(of: 2)), at: pace.now)
      // Wait until the sensor has received the setting, for at most about one second, so that only one
      // publication is pending.
      for _ in 0..<10_000 where mark.count == before { Pause.microseconds(100) }
    }
  }
}

/// An input source that raises one demand for the accelerometer and never releases it.
private struct OneDemand: InputSource {
  private(set) var nextInstant: Instant?

  init(at instant: Instant) { nextInstant = instant }

  mutating func drain() -> [Input] {
    nextInstant = nil
    return [
      .raise(
        Demand(id: DemandID(1), client: "bench", target: LatencyProbeSensor.device, wants: DemandSettings()))
    ]
  }
}
