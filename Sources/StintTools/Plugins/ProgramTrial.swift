import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintSystem
import StintUnits

/// Tests a plugin's program from its start to its end, in about ten seconds for a sensor. The trial first
/// uses the program as a normal host does. Then it sends extreme settings and kills the process.
struct ProgramTrial {
  let bench: ProgramBench
  var verdicts: ProgramVerdicts
  /// The requested sampling period. It is the shortest period that the manifest allows, but at least 50 ms
  /// and at most 1 s.
  let period: TimeSpan
  /// The longest permitted time from the measurement of a sample to its immediate delivery. Hardware may
  /// deliver samples in small groups.
  private static let longestDelay = TimeSpan.seconds(2)
  /// The number of events that arrived before the current phase.
  var phaseStart = 0
  /// True after the process has ended unexpectedly or no longer answers. Later phases are then skipped.
  var isLost = false

  init(_ bench: ProgramBench) {
    self.bench = bench
    verdicts = ProgramVerdicts(bench.manifest)
    let fastest = bench.manifest.attribute(named: "rate").flatMap { $0.range }
      .flatMap { Quantity($0.upperBound, .rate).period }
    period = min(max(fastest ?? .seconds(1), .milliseconds(50)), .seconds(1))
  }

  mutating func run() async {
    await bench.open()
    await start()
    if !isLost { await idle() }
    if !isLost, bench.manifest.kind == .sensor {
      await stream()
      if !isLost, bench.manifest.fifo > 0 { await hold() }
      if !isLost { await checkIdle() }
      if !isLost { await sendExtremeSettings() }
      if !isLost { await killProcess() }
    }
    if !isLost, bench.manifest.kind == .source { await readFacts() }
    if !isLost, bench.manifest.kind == .radio { await transfer() }
    if !isLost, bench.manifest.provides.contains(.carrier) { await giveOrders() }
    await end()
    checkSamples()
    checkFactsOfClasses()
  }

  // MARK: Phases

  private mutating func start() async {
    guard bench.failure == nil, bench.plugin.status.process != nil else {
      recordLoss()
      if verdicts.broken.isEmpty { verdicts.fail(.starts, bench.faults().last ?? "it does not start") }
      return
    }
    verdicts.keep(.starts, .version)
  }

  private mutating func idle() async {
    phaseStart = bench.events.count
    await bench.wait(.milliseconds(300))
    guard !recordLoss() else { return }
    let isOff = bench.state.map { !$0.isOn } ?? true
    verdicts.expect(isOff, .offByDefault, "it is in the state “\(bench.state?.name ?? "")”")
  }

  private mutating func stream() async {
    guard await applyAndWait(Setting(isOn: true, period: period)) else { return }
    guard let answered = answeredPeriod() else { return }
    await measureRate(answered)
    if !isLost { await slowDown(answered) }
  }

  private mutating func measureRate(_ answered: TimeSpan) async {
    phaseStart = bench.events.count
    let span = min(max(.seconds(1), answered * 12), .seconds(4))
    await bench.wait(span)
    checkOthers()
    guard !recordLoss() else { return }
    let count = bench.batches(from: phaseStart).reduce(0) { $0 + $1.batch.samples.count }
    let expected = Double(span.nanoseconds) / Double(answered.nanoseconds)
    if count == 0 {
      let faults = bench.faults(from: phaseStart)
      verdicts.skip(.rate, faults.last.map { "it reports: \($0)" } ?? "no sample within \(span)")
      return
    }
    // A count between half and twice the expected count can be the result of jitter alone.
    let isKept = Double(count) <= 2 * expected + 2 && Double(count) >= expected / 2 - 2
    let samples = count == 1 ? "1 sample" : "\(count) samples"
    verdicts.expect(isKept, .rate, "it reports a period of \(answered) and sent \(samples) in \(span)")
  }

  /// Requests the lowest rate of the manifest, but at least one sample a minute. The device must then report
  /// a changed period. The check is skipped when this rate is more than a tenth of the previous rate.
  private mutating func slowDown(_ answered: TimeSpan) async {
    let slowest = bench.manifest.attribute(named: "rate").flatMap { $0.range }
      .flatMap { Quantity($0.lowerBound, .rate).period }
    let wanted = min(slowest ?? .zero, .minutes(1))
    guard wanted >= period * 10 else {
      verdicts.skip(.heeds, "its manifest permits no rate that is ten times lower")
      return
    }
    let place = bench.events.count
    guard await applyAndWait(Setting(isOn: true, period: wanted)) else { return }
    // A device may first report its former period, and the new period only after its hardware has changed.
    _ = await bench.waits(atMost: .seconds(1), from: place) { event in
      if case .outcome(.state(_, let period?), _) = event { period != answered } else { false }
    }
    guard let slower = reportedPeriod() else {
      verdicts.skip(.heeds, "it reports no period")
      return
    }
    verdicts.expect(
      slower != answered, .heeds, "it reports a period of \(slower) for \(period) and for \(wanted)")
  }

  /// Checks that the other devices of the process deliver no samples.
  private mutating func checkOthers() {
    let isBusy = bench.eventsOfOthers.contains { if case .batch = $0 { true } else { false } }
    verdicts.expect(!isBusy, .separate, "another device delivered samples while only this device was on")
  }

  private mutating func hold() async {
    guard await applyAndWait(Setting(isOn: true, period: period, isHolding: true)) else { return }
    phaseStart = bench.events.count
    await bench.wait(max(.milliseconds(600), period * 4))
    guard !recordLoss() else { return }
    let early = bench.batches(from: phaseStart).filter { $0.batch.reason != .full }
    let sent = early.first?.batch.samples.count ?? 0
    let samples = sent == 1 ? "1 sample" : "\(sent) samples"
    verdicts.expect(early.isEmpty, .holds, "it sent \(samples) although asked to hold samples")
    let most = bench.batches(from: phaseStart).map(\.batch.samples.count).max() ?? 0
    if most > bench.manifest.fifo {
      verdicts.fail(.holds, "it held \(most) samples, but its FIFO can store \(bench.manifest.fifo)")
    }
    let first = await drained()
    let second = await drained()
    guard !recordLoss() else { return }
    verdicts.expect(first.count <= 1, .drains, "one drain sent \(first.count) batches")
    // The device may have read up to two more samples between the two drains.
    if second.reduce(0, { $0 + $1.batch.samples.count }) > 2 {
      verdicts.fail(.drains, "a second drain sent more samples")
    }
  }

  private mutating func drained() async -> [(batch: Batch, at: Instant)] {
    let place = bench.events.count
    await bench.drain()
    _ = await bench.waits(atMost: .milliseconds(300), from: place) { event in
      if case .batch = event { true } else { false }
    }
    return bench.batches(from: place)
  }

  private mutating func checkIdle() async {
    guard await applyAndWait(.off) else { return }
    phaseStart = bench.events.count
    let before = bench.switches
    await bench.wait(.seconds(1))
    guard !recordLoss() else { return }
    let state = bench.state
    verdicts.expect(
      !(state?.isOn ?? false), .silentWhenOff, "it is in the state “\(state?.name ?? "")”")
    let batches = bench.batches(from: phaseStart)
    if !batches.isEmpty {
      verdicts.fail(.silentWhenOff, "number of batches after it was turned off: \(batches.count)")
    }
    guard let before, let after = bench.switches else {
      verdicts.skip(.sleeps, "this system does not report context switches")
      return
    }
    verdicts.expect(after - before <= 5, .sleeps, "it woke \(after - before) times in a second")
  }

  /// Sends settings with extreme periods and accuracies and with an unknown activity. Then sends, for each
  /// other attribute, settings with its test values.
  private mutating func sendExtremeSettings() async {
    let periods: [TimeSpan] = [TimeSpan(nanoseconds: 1), .hours(24 * 365 * 10), period]
    for wanted in periods {
      let accuracies: [Double?] =
        bench.manifest.attribute(named: "accuracy") == nil ? [nil] : [0, 1e9]
      for accuracy in accuracies {
        let setting = Setting(isOn: true, accuracy: accuracy, period: wanted, activity: "…")
        guard await survives(setting, "a period of \(wanted)") else { return }
      }
    }
    for schema in bench.manifest.ownAttributes {
      for value in schema.testedValues {
        var setting = Setting(isOn: true, period: period)
        setting.attributes = bench.manifest.defaultAttributes
        setting.attributes[schema.name] = value
        guard await survives(setting, "\(schema.name) \(value)") else { return }
      }
    }
    verdicts.keep(.malformed)
  }

  /// Returns whether the device still works after a setting, and has answered it.
  private mutating func survives(_ setting: Setting, _ what: String) async -> Bool {
    let place = bench.events.count
    await bench.apply(setting)
    let isAnswered = await bench.waits(atMost: .seconds(3), from: place) { event in
      if case .outcome = event { true } else { false }
    }
    if bench.failure == nil, isAnswered { return true }
    verdicts.fail(.malformed, "for \(what): \(bench.faults(from: place).last ?? "no answer")")
    isLost = true
    return false
  }

  private mutating func killProcess() async {
    guard await applyAndWait(Setting(isOn: true, period: period)), let process = bench.plugin.status.process
    else {
      return
    }
    let place = bench.events.count
    kill(process, SIGKILL)
    let isBack = await bench.waits(atMost: .seconds(5), from: place) { event in
      if case .outcome(.state(let index, _), _) = event { bench.manifest.states[index].isOn } else { false }
    }
    verdicts.expect(isBack, .returns, bench.faults(from: place).last ?? "it is not on again within 5 s")
    if !isBack { isLost = true }
    verdicts.keep(.stays)
  }

  private mutating func end() async {
    checkOthers()
    let before = bench.now
    await bench.close()
    let span = bench.now - before
    guard !isLost else { return }
    // The host kills a process that does not exit within 2 s.
    verdicts.expect(span < .milliseconds(1_900), .closes, "the host killed it after \(span)")
  }

  // MARK: Judging

  /// Applies a setting and waits for the answer. Returns false when no answer came or the process was lost.
  private mutating func applyAndWait(_ setting: Setting) async -> Bool {
    let place = bench.events.count
    var setting = setting
    if setting.isOn { setting.attributes = bench.manifest.defaultAttributes }
    await bench.apply(setting)
    let isAnswered = await bench.waits(atMost: .seconds(3), from: place) { event in
      if case .outcome(.state, _) = event { true } else { false }
    }
    if recordLoss() { return false }
    verdicts.expect(isAnswered, .answers, "“\(setting)” was not answered")
    if setting.isOn {
      verdicts.expect(
        bench.state?.isOn ?? false, .turnsOn, "it is in the state “\(bench.state?.name ?? "")”")
    }
    return isAnswered
  }

  /// Returns the period of the last reported state; the requested period when the device reports no period.
  private func answeredPeriod() -> TimeSpan? {
    bench.state == nil ? nil : reportedPeriod() ?? period
  }

  private func reportedPeriod() -> TimeSpan? {
    for case .outcome(.state(_, let period), _) in bench.events.reversed() { return period }
    return nil
  }

  /// Records the failure when the host no longer serves the device or has restarted the process. Returns
  /// whether the process is lost.
  @discardableResult
  mutating func recordLoss() -> Bool {
    let status = bench.plugin.status
    let sentence = status.failure?.description ?? bench.faults().last { $0.contains(": ") }
    guard status.failure != nil || status.restarts > 0 else { return isLost }
    isLost = true
    let text = sentence ?? "the process was lost"
    switch status.failure?.code ?? Self.code(text) {
    case .version: verdicts.fail(.version, text)
    case .hash: verdicts.fail(.sealed, text)
    case .start: verdicts.fail(.starts, text)
    case .hang: verdicts.fail(.answers, text)
    case .flood: verdicts.fail(.flood, text)
    case .crash: verdicts.fail(.stays, text)
    default: verdicts.fail(.honest, text)
    }
    return true
  }

  /// Returns the failure code at the beginning of a fault's text.
  private static func code(_ text: String) -> ChildFailure.Code {
    ChildFailure.Code(rawValue: String(text.prefix { $0 != ":" }))
  }

  /// Checks that the device published a value of each fact that its classes require.
  private mutating func checkFactsOfClasses() {
    let published = Set(
      bench.events.compactMap { event in
        if case .fact(let index, let value, _) = event, value != .unknown {
          bench.manifest.facts[index].path
        } else {
          nil
        }
      })
    let required = verdicts.classes.flatMap { item in
      item.facts.filter { !$0.isOptional }.map { item.path(of: $0, for: bench.manifest.device) }
    }
    if required.isEmpty { return verdicts.skip(.publishes, "its classes require no facts") }
    if let path = required.first(where: { !published.contains($0) }) {
      return verdicts.skip(.publishes, "no value of “\(path)” arrived")
    }
    verdicts.keep(.publishes)
  }

  /// Checks the order and the times of all samples.
  private mutating func checkSamples() {
    var last: Sample?
    for (batch, deliveredAt) in bench.batches() {
      for sample in batch.samples {
        if batch.reason == .immediate, deliveredAt - sample.instant > Self.longestDelay {
          let delay = deliveredAt - sample.instant
          verdicts.fail(.prompt, "sample \(sample.sequence) was delivered \(delay) after it was measured")
        }
        if sample.instant > deliveredAt {
          verdicts.fail(.ascending, "sample \(sample.sequence) is from the future")
        }
        if let last, sample.instant <= last.instant || sample.sequence <= last.sequence {
          verdicts.fail(.ascending, "sample \(sample.sequence) is not after sample \(last.sequence)")
        }
        last = sample
      }
    }
    if last == nil {
      for check in [ProgramCheck.ascending, .prompt] { verdicts.skip(check, "no sample arrived") }
    } else {
      verdicts.keep(.ascending, .prompt)
    }
    let dropped = bench.droppedReadings
    if dropped.count > 0 { verdicts.fail(.honest, dropped.lastReason) }
    if !isLost { verdicts.keep(.honest, .flood, .stays) }
  }
}
