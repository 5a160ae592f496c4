import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintUnits

/// Runs a plugin outside of a daemon for its developer: `stint plugin run`. Orders are read line by line. The
/// output has one line for each event, each sample, each applied or refused order, and each output line of
/// the program.
public struct PluginSession: Sendable {
  private let bench: ProgramBench
  private let loop: LoopExecutor
  private let manifest: Manifest
  private let start: Instant
  private let output: @Sendable (String) -> Void

  /// The orders that the session has not performed.
  private final class Orders: Sendable {
    private let state = Locked((lines: [String](), isComplete: false))

    func add(_ line: String) { state.withLock { $0.lines.append(line) } }
    func end() { state.withLock { $0.isComplete = true } }

    /// Returns the next order, or nil when no order is waiting. `isComplete` is true when no further order
    /// will be added.
    func next() -> (line: String?, isComplete: Bool) {
      state.withLock { ($0.lines.isEmpty ? nil : $0.lines.removeFirst(), $0.isComplete) }
    }
  }

  /// The time between two checks for events and orders.
  private static let pause = TimeSpan.milliseconds(20)

  /// Runs a plugin until the orders end, and then turns the device off. Blocks until the plugin is closed.
  ///
  /// - Parameters:
  ///   - place: the folder of the plugin, or the path of its descriptor.
  ///   - device: the name of the device that gets the orders; nil for the first device of the plugin.
  ///   - settings: the values of the plugin's settings, each as `KEY=VALUE`.
  ///   - showsFrames: true to write a line for each frame of the protocol.
  ///   - nextLine: returns the next order; nil at the end. May block.
  ///   - isInterrupted: true when the session must end before its next order.
  ///   - output: receives lines of output, on any thread.
  /// - Returns: false when the host does not serve the plugin because of a failure, or when an order was
  ///   refused.
  /// - Throws: `Problem` when the plugin cannot be read, when its files differ from their seal, or when it
  ///   has no such device.
  public static func run(
    _ place: String, device: String? = nil, settings: [String], showsFrames: Bool = false,
    nextLine: @escaping @Sendable () -> String?,
    isInterrupted: @escaping @Sendable () -> Bool, output: @escaping @Sendable (String) -> Void
  ) throws -> Bool {
    let plugin = try PluginFolder(place, settings: settings)
    if let reason = plugin.program.rejectionReason() {
      throw Problem(
        .content, place: place, cause: reason, remedy: "run stint plugin seal to accept the change")
    }
    let loop = try LoopExecutor()
    let index = try plugin.index(of: device)
    var program = plugin.program
    if showsFrames { program.trace = { output("frame   \(VisibleText.line($0))") } }
    let bench = try ProgramBench(program, device: index, on: loop)
    bench.listen { output("prints  \(VisibleText.line($0))") }
    let session = PluginSession(
      bench: bench, loop: loop, manifest: plugin.manifests[index], start: bench.now, output: output)
    return Spawner.run(on: loop) {
      await session.run(nextLine: nextLine, isInterrupted: isInterrupted)
    }.get()
  }

  private func run(
    nextLine: @escaping @Sendable () -> String?, isInterrupted: @Sendable () -> Bool
  ) async -> Bool {
    await bench.open()
    let orders = Orders()
    // Reading blocks, so it has a separate thread, which ends with the process.
    Spawner.start(on: loop) {
      await Spawner.runOnThread {
        while let line = nextLine() { orders.add(line) }
        orders.end()
      }
    }
    var shown = 0
    var areOrdersValid = true
    var resume = bench.now
    while bench.failure == nil, !isInterrupted() {
      show(&shown)
      guard bench.now >= resume else {
        await bench.wait(Self.pause)
        continue
      }
      let (line, isComplete) = orders.next()
      if let line {
        guard await perform(line, &resume, &areOrdersValid) else { break }
      } else if isComplete {
        break
      }
      await bench.wait(Self.pause)
    }
    let failure = bench.failure
    await bench.close()
    show(&shown)
    if let failure { output("failed  \(VisibleText.line("\(failure)"))") }
    return failure == nil && areOrdersValid
  }

  /// Performs an order. Returns false when the session must end.
  private func perform(
    _ line: String, _ resume: inout Instant, _ areOrdersValid: inout Bool
  ) async -> Bool {
    let order: PluginOrder?
    do throws(Problem) { order = try PluginOrder.read(line, for: manifest) } catch {
      output("refused \(VisibleText.line("\(error)"))")
      areOrdersValid = false
      return true
    }
    switch order {
    case nil: break
    case .apply(let setting):
      output("sets    \(setting)")
      await bench.apply(setting)
    case .drain: await bench.drain()
    case .read: await bench.read()
    case .wait(let span): resume = bench.now + span
    case .end: return false
    }
    return true
  }

  /// Writes the events from index `shown` on.
  private func show(_ shown: inout Int) {
    let events = bench.events
    for event in events.dropFirst(shown) { for line in lines(of: event) { output(line) } }
    shown = events.count
  }

  private func lines(of event: PortEvent) -> [String] {
    let time = text(of: event.instant)
    switch event {
    case .outcome(.state(let index, let period), _):
      let name = manifest.states.indices.contains(index) ? manifest.states[index].name : "\(index)"
      return ["state   \(time): \(name)" + (period.map { ", every \($0)" } ?? "")]
    case .outcome(.event(let index, let count), _):
      let name = manifest.events.indices.contains(index) ? manifest.events[index].name : "\(index)"
      return ["event   \(time): \(name)" + (count == 1 ? "" : ", \(count) times")]
    case .outcome(.fault(let text), _): return ["fault   \(time): \(VisibleText.line(text))"]
    case .fact(let index, let value, _):
      let schema = manifest.facts[index]
      return ["fact    \(time): \(schema.path) \(VisibleText.line(schema.text(of: value)))"]
    case .keyed(let index, let key, let value, _):
      let schema = manifest.facts[index].keyed(key)
      return ["fact    \(time): \(schema.path) \(VisibleText.line(schema.text(of: value)))"]
    case .batch(let batch, _): return batch.samples.map { "sample  \(text(of: $0, batch.wide))" }
    case .rejectedBatch: return ["samples \(time): dropped: none is in the range of the manifest"]
    case .carried(let demand, _): return ["carried \(time): transfer \(demand.number)"]
    case .transferred(let report, _): return ["report  \(time): \(report.report)"]
    case .available(let isAvailable, _):
      return ["device  \(time): \(isAvailable ? "available" : "unavailable")"]
    }
  }

  private func text(of sample: Sample, _ wide: WideValues?) -> String {
    let channels = manifest.values(of: sample, with: wide).map { channel, value in
      switch value {
      case .number(let number): "\(channel.name) \(number) \(channel.unit)"
      case .word(let word): "\(channel.name) \(word)"
      case .bytes(let bytes): "\(channel.name) \(ChannelValue.hexadecimal(bytes))"
      }
    }
    return "\(text(of: sample.instant)): number \(sample.sequence), "
      + channels.joined(separator: ", ")
  }

  /// Returns the time since the start as text, rounded down to whole milliseconds.
  private func text(of instant: Instant) -> String {
    let milliseconds = (instant - start).nanoseconds / 1_000_000
    return "\(TimeSpan(nanoseconds: milliseconds * 1_000_000))"
  }
}
