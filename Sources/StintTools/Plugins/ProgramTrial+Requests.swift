import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintSystem
import StintUnits

/// The phases for sources, radios and carriers.
extension ProgramTrial {
  /// Reads a source, waits, and kills its process before a last reading. A source whose period is at most 5 s
  /// is read again after this period.
  mutating func readFacts() async {
    let marked = bench.manifest.facts.indices.filter { bench.manifest.facts[$0].reading != nil }
    guard !marked.isEmpty else { return }
    let every = marked.compactMap { bench.manifest.facts[$0].reading?.every }.min() ?? .zero
    for number in 0..<2 where number == 0 || every <= .seconds(5) {
      if number > 0 { await bench.wait(every) }
      phaseStart = bench.events.count
      await bench.read()
      let isAnswered = await bench.waitsForReading(atMost: .seconds(3))
      guard !recordLoss() else { return }
      verdicts.expect(isAnswered, .answers, "a reading was not answered")
      let published = publishedFacts()
      for index in marked where !published.contains(index) {
        verdicts.fail(.reads, "a reading did not publish \(bench.manifest.facts[index].path)")
      }
    }
    phaseStart = bench.events.count
    let before = bench.switches
    await bench.wait(.seconds(1))
    guard !recordLoss() else { return }
    if let index = marked.first(where: publishedFacts().contains) {
      verdicts.fail(.reads, "it published \(bench.manifest.facts[index].path) without a reading")
    }
    verdicts.keep(.reads)
    if let before, let after = bench.switches {
      verdicts.expect(after - before <= 5, .sleeps, "it woke \(after - before) times in a second")
    }
    guard let process = bench.plugin.status.process else { return }
    phaseStart = bench.events.count
    kill(process, SIGKILL)
    await bench.read()
    let isBack = await bench.waitsForReading(atMost: .seconds(5))
    verdicts.expect(
      isBack, .returns, bench.faults(from: phaseStart).last ?? "it does not answer a reading within 5 s")
    if !isBack { isLost = true }
    verdicts.keep(.stays)
  }

  /// The indexes of the facts that the device has published since the phase began.
  private func publishedFacts() -> Set<Int> {
    Set(
      bench.events.dropFirst(phaseStart).compactMap { event in
        if case .fact(let index, _, _) = event { index } else { nil }
      })
  }

  /// Starts a transfer of about half a second. Then starts a longer transfer and stops it after 200 ms.
  mutating func transfer() async {
    let rate = bench.manifest.figures["link_rate"]?.value ?? 1000
    let bytes = Int64(exactly: max(1, rate / 2).rounded()) ?? 1
    var place = bench.events.count
    await bench.start(DemandID(1), bytes: bytes)
    let isComplete = await bench.waits(atMost: .seconds(5), from: place) { event in
      if case .carried(DemandID(1), _) = event { true } else { false }
    }
    guard !recordLoss() else { return }
    verdicts.expect(isComplete, .carries, "\(bytes) bytes were not carried within 5 s")
    await expectRest(.carries)
    guard isComplete else { return }
    place = bench.events.count
    await bench.start(DemandID(2), bytes: bytes.multipliedReportingOverflow(by: 100).partialValue)
    await bench.wait(.milliseconds(200))
    await bench.stop(DemandID(2))
    await expectRest(.abandons)
    guard !recordLoss() else { return }
    let isLate = bench.events.dropFirst(place).contains { event in
      if case .carried(DemandID(2), _) = event { true } else { false }
    }
    verdicts.expect(!isLate, .abandons, "it completed a transfer that was stopped")
  }

  /// Checks that the device turns off within 15 s. No radio should stay on longer after a transfer.
  private mutating func expectRest(_ check: ProgramCheck) async {
    for _ in 0..<150 where bench.state?.isOn ?? false { await bench.wait(.milliseconds(100)) }
    guard !recordLoss() else { return }
    verdicts.expect(
      !(bench.state?.isOn ?? false), check,
      "it is in the state “\(bench.state?.name ?? "")” 15 s after its last transfer")
  }

  /// Sends a carrier orders about an unknown attempt and an unknown file. Then starts an attempt that cannot
  /// succeed.
  mutating func giveOrders() async {
    let exchange = TransferExchange(
      task: "a", attempt: 1, key: "check/check/a",
      request: TransferRequest(.download(from: "check-without-scheme"), bytesDown: 1), offset: 0)
    let unknown = TransferExchange(
      task: "b", attempt: 7, key: "check/check/b", request: exchange.request, offset: 0)
    for order in [
      .complete(unknown), .close(unknown, keepsPart: true), .close(unknown, keepsPart: false),
      .discard("/nonexistent/file"),
    ] as [TransferOrder] {
      await bench.handle(order)
    }
    await bench.wait(.milliseconds(300))
    guard !recordLoss() else {
      verdicts.fail(.ignores, bench.faults().last ?? "the process ended")
      return
    }
    verdicts.keep(.ignores)
    let place = bench.events.count
    await bench.handle(.start(exchange, on: bench.manifest.device))
    let hasEnded = await bench.waits(atMost: .seconds(5), from: place) { event in
      guard case .transferred(let report, _) = event, report.key == exchange.key else { return false }
      return switch report.report {
      case .failed, .finished: true
      case .progress, .reply: false
      }
    }
    guard !recordLoss() else { return }
    verdicts.expect(
      hasEnded, .reports,
      "an attempt for the address “check-without-scheme” was not reported as ended within 5 s")
    await bench.handle(.close(exchange, keepsPart: false))
  }
}
