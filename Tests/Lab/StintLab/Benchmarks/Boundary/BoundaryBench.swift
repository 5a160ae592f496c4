import StintDaemon
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintTools
import StintUnits

/// Measures the time in which samples pass from a plugin's process to its port in the host.
///
/// There are two baselines between two processes: a ring buffer with a futex, and a pipe. The baselines do
/// not verify the samples.
struct BoundaryBench {
  private static let passes = 5

  /// Runs the benchmark. Returns nil when there is no C compiler, or when one of the processes fails, for
  /// example because its sandbox cannot be set up.
  static func run(batches: Int, trips: Int) throws -> BoundaryReport? {
    guard let program = BoundaryProgram() else { return nil }
    defer { program.remove() }
    var crossings: [BoundaryCrossing] = []
    for size in [64, 1] {
      let frames = size == 1 ? batches * 8 : batches
      var times: (plugin: [Double], ring: [Double], pipe: [Double]) = ([], [], [])
      for _ in 0..<passes {
        guard let plugin = try deliveryTime(frames, of: size, by: program),
          let ring = program.measure("futex", size: size, frames: frames),
          let pipe = program.measure("pipe", size: size, frames: frames)
        else { return nil }
        times.plugin.append(plugin / Double(size))
        times.ring.append(ring / Double(size))
        times.pipe.append(pipe / Double(size))
      }
      crossings.append(
        BoundaryCrossing(
          size: size, plugin: median(times.plugin), ring: median(times.ring), pipe: median(times.pipe)))
    }
    var tripTimes: (plugin: [Double], pipe: [Double]) = ([], [])
    for _ in 0..<passes {
      guard let plugin = try answerTime(trips, by: program),
        let pipe = program.measure("echo", size: 1, frames: trips)
      else { return nil }
      tripTimes.plugin.append(plugin)
      tripTimes.pipe.append(pipe)
    }
    return BoundaryReport(
      crossings: crossings, pluginTrip: median(tripTimes.plugin), pipeTrip: median(tripTimes.pipe))
  }

  private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

  private static let manifest = Manifest(
    device: "bench.source", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "on", power: Power(nanowatts: 1), isOn: true),
    ],
    transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases,
    attributes: [AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.001...InputBounds.rate)],
    channels: ["a", "b", "c", "d"].map { Channel(name: $0, unit: "") })

  /// Returns the mean nanoseconds per batch, from the first received batch to the last; nil when the
  /// plugin fails.
  private static func deliveryTime(
    _ frames: Int, of size: Int, by program: BoundaryProgram
  ) throws -> Double? {
    try talk(with: program, ["plugin", "\(size)", "\(frames)"]) { listener, set in
      await set.apply(Setting(isOn: true), to: 0, at: listener.now)
      return await listener.span(of: frames * size).map { $0 / Double(frames - 1) }
    }
  }

  /// Returns the mean time in nanoseconds between the call that applies a setting and the plugin's answer.
  /// Returns nil when the plugin fails.
  private static func answerTime(_ trips: Int, by program: BoundaryProgram) throws -> Double? {
    try talk(with: program, ["plugin", "1", "1"]) { listener, set in
      let began = SystemClock.monotonic()
      for number in 0..<trips {
        await set.apply(Setting(isOn: true, isHolding: true), to: 0, at: listener.now)
        guard await listener.waitForAnswers(number + 1) else { return nil }
      }
      return Double((SystemClock.monotonic() - began).nanoseconds) / Double(trips)
    }
  }

  private static func talk(
    with program: BoundaryProgram, _ arguments: [String],
    _ body: @escaping @Sendable (BoundaryListener, PluginSet) async -> Double?
  ) throws -> Double? {
    let loop = try LoopExecutor()
    let clock = RunClock(start: SystemClock.wall(), anchor: SystemClock.monotonic())
    let folder = SiteFiles.folder(of: program.path)
    let plugin = ChildPlugin(
      ChildProgram(
        name: "bench", manifest: manifest, path: program.path, arguments: arguments, folder: folder), on: loop
    ) { clock.instant(at: SystemClock.monotonic()) }
    let listener = BoundaryListener(clock)
    let set = try PluginSet([plugin]) { _ in listener.wake() }
    listener.listen(to: set.members[0].port)
    let result: Result<Double?, Never> = Spawner.run(on: loop) {
      await set.open(at: listener.now)
      let time = await body(listener, set)
      await set.close(at: listener.now)
      return time
    }
    return result.get()
  }
}
