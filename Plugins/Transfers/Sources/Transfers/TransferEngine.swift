import CCurl
import StintModel
import StintPluginKit
import StintUnits

/// A finished attempt. The host may send an order about it before the host receives the report.
private struct FinishedAttempt {
  let exchange: TransferExchange
  let radio: DeviceID
  /// The path of a downloaded file; nil for an upload.
  let file: String?
  /// The time of the report.
  let time: Instant
}

/// The attempts of this carrier: those that wait, and those that libcurl performs.
///
/// All work is done in calls of the host and in actions of the event loop. Only libcurl starts threads: one
/// for each name that it resolves. While nothing moves, the only timer is that of the next check for slow
/// transfers. Without attempts, there is no timer.
final class TransferEngine: @unchecked Sendable {
  // The state may be used only under the lock.
  private let lock = Locked(())
  private let settings: CarrierSettings
  private let port: DevicePort
  private let loop: any PluginLoop
  private let clock: LinkedPlugin.Clock
  private let spool: Spool
  private var curl: CurlLoop?
  /// All attempts, by the key of their tasks.
  private var attempts: [String: Attempt] = [:]
  /// The attempts that libcurl performs.
  private var running: [OpaquePointer: Attempt] = [:]
  /// The keys of the attempts that wait for one of the connections, oldest first.
  private var waiting: [String] = []
  /// The last finished attempts, oldest first. An order may cross the report that an attempt finished.
  private var finished: [FinishedAttempt] = []
  private var cancelCheck: (@Sendable () -> Void)?
  private var cancelRest: (@Sendable () -> Void)?
  /// The kinds of the faults that the device reported since the last finished transfer.
  private var complaints: Set<CarrierFault.Kind> = []

  /// The shortest time between two progress reports of an attempt.
  private static let progressStep = TimeSpan.seconds(1)
  /// The time for which connections stay open for a following transfer.
  private static let rest = TimeSpan.seconds(1)
  private static let maxFinished = 64
  /// The time within which an order may cross a report. A later order concerns a new task with the same key,
  /// and the file belongs to the client of the former task.
  private static let crossingTime = TimeSpan.seconds(5)

  init(
    _ settings: CarrierSettings, port: DevicePort, loop: any PluginLoop, clock: @escaping LinkedPlugin.Clock
  ) {
    self.settings = settings
    self.port = port
    self.loop = loop
    self.clock = clock
    spool = Spool(folder: settings.spool)
  }

  // MARK: Calls from the host

  /// Handles an order. Orders about unknown attempts have no effect on other attempts.
  func handle(_ order: TransferOrder) {
    lock.withLock { _ in
      switch order {
      case .open, .complete: break
      case .start(let exchange, let radio): start(exchange, on: radio)
      case .close(let exchange, let keepsPart): close(exchange, keepsPart: keepsPart)
      case .discard(let file):
        finished.removeAll { $0.file == file }
        spool.discard(file)
      }
      settle()
    }
  }

  /// Ends all attempts and keeps their parts.
  func close() {
    lock.withLock { _ in
      for key in attempts.keys.sorted() { stop(key) }
      settle()
      cancelRest?()
      closeConnections()
    }
  }

  private func start(_ exchange: TransferExchange, on radio: DeviceID) {
    let key = exchange.key
    do throws(CarrierFault) {
      if repeatReport(of: exchange, on: radio) { return }
      finished.removeAll { $0.exchange.key == key }
      let interface = try settings.interface(for: radio)
      if let current = attempts[key], current.exchange.attempt == exchange.attempt,
        current.interface == interface
      {
        return
      }
      stop(key)
      if case .download(let address) = exchange.request.kind,
        let file = spool.unreportedFile(of: exchange, from: address)
      {
        finish(exchange, file, on: radio, at: clock())
        return
      }
      attempts[key] = try Attempt(exchange, on: radio, over: interface, settings, spool)
      waiting.append(key)
    } catch {
      stop(key)
      report(error, of: exchange)
    }
  }

  private func close(_ exchange: TransferExchange, keepsPart: Bool) {
    let key = exchange.key
    if let current = attempts[key] {
      guard current.exchange.attempt == exchange.attempt else { return }
      stop(key)
    }
    withdrawReport(of: exchange)
    if !keepsPart { spool.removePart(of: key) }
  }

  // MARK: Orders that cross a report

  /// Reports a finished attempt again when `start` moves it to a different radio: the host sent this order
  /// before it had the report. A `start` on the radio of the attempt is for a new task with the same key,
  /// because this radio is still on. Returns whether the attempt was reported.
  private func repeatReport(of exchange: TransferExchange, on radio: DeviceID) -> Bool {
    let now = clock()
    guard
      let entry = finished.last(where: {
        $0.exchange == exchange && $0.radio != radio && now - $0.time < Self.crossingTime
      })
    else { return false }
    port.report(.finished(file: entry.file), about: exchange, at: now)
    return true
  }

  /// Restores the record of a file whose report the host ignores, because the host has withdrawn the attempt.
  /// The next attempt then reports the file, and `removePart(of:)` removes it.
  private func withdrawReport(of exchange: TransferExchange) {
    let (key, now) = (exchange.key, clock())
    guard
      let index = finished.lastIndex(where: {
        $0.exchange.key == key && $0.exchange.attempt == exchange.attempt
          && now - $0.time < Self.crossingTime
      }), case .download(let address) = exchange.request.kind
    else { return }
    guard let file = finished.remove(at: index).file else { return }
    var record = PartRecord(key: key, address: address)
    record.file = file
    record.attempt = exchange.attempt
    do throws(CarrierFault) { try spool.save(record) } catch {
      // Without a record, the next attempt downloads the file again.
      spool.discard(file)
    }
  }

  // MARK: Actions of the loop

  private func socketIsReady(_ socket: Int32, _ events: Int32) {
    lock.withLock { _ in
      curl?.act(on: socket, events: events)
      settle()
    }
  }

  private func timerExpired() {
    lock.withLock { _ in
      curl?.actOnTimer()
      settle()
    }
  }

  private func checkExpired() {
    lock.withLock { _ in
      cancelCheck = nil
      settle()
    }
  }

  // MARK: One step, under the lock

  /// Handles the ended requests, starts waiting attempts, reports, and sets the timers.
  private func settle() {
    let now = clock()
    takeEnded(at: now)
    reportNews(at: now)
    endSlow(at: now)
    startWaiting(at: now)
    setCheck(at: now)
    setRest()
  }

  private func takeEnded(at now: Instant) {
    while let (easy, result) = curl?.nextEnded() {
      curl?.remove(easy)
      guard let attempt = running.removeValue(forKey: easy) else { continue }
      let ending = attempt.end(with: result)
      reportNews(of: attempt, at: now, isLast: ending != .again)
      switch ending {
      case .again: begin(attempt, at: now)
      case .finished(let file):
        attempts[attempt.exchange.key] = nil
        attempt.suspend()
        finish(attempt.exchange, file, on: attempt.radio, at: now)
      case .failed(let fault): fail(attempt, fault, at: now)
      }
    }
  }

  private func finish(
    _ exchange: TransferExchange, _ file: String?, on radio: DeviceID, at now: Instant
  ) {
    port.report(.finished(file: file), about: exchange, at: now)
    complaints = []
    finished.append(FinishedAttempt(exchange: exchange, radio: radio, file: file, time: now))
    if finished.count > Self.maxFinished { finished.removeFirst() }
    guard let file else { return }
    // The report leaves the process before the loop runs this action.
    _ = loop.call(after: .zero) { [weak self] in self?.forgetRecord(of: exchange.key, file) }
  }

  private func forgetRecord(of key: String, _ file: String) {
    lock.withLock { _ in
      // The record of a withdrawn report stays for the next attempt.
      guard finished.contains(where: { $0.file == file }) else { return }
      if spool.record(of: key)?.file == file { spool.forgetRecord(of: key) }
    }
  }

  private func startWaiting(at now: Instant) {
    while running.count < settings.connections, !waiting.isEmpty {
      guard let attempt = attempts[waiting.removeFirst()] else { continue }
      attempt.checkedCount = 0
      attempt.checkAt = now + settings.slowTime
      begin(attempt, at: now)
    }
  }

  private func begin(_ attempt: Attempt, at now: Instant) {
    do throws(CarrierFault) {
      let easy = try attempt.prepare()
      guard let curl = connections, curl.add(easy) else {
        throw .setup("no memory is left", isTransient: true)
      }
      running[easy] = attempt
      if attempt.checkedCount == 0 { attempt.checkedCount = attempt.count }
      shareRate()
    } catch { fail(attempt, error, at: now) }
  }

  /// The set of transfers, which is made for the first transfer.
  private var connections: CurlLoop? {
    if curl == nil {
      curl = CurlLoop(
        on: loop, connections: settings.connections,
        onSocket: { [weak self] socket, events in self?.socketIsReady(socket, events) },
        onTimer: { [weak self] in self?.timerExpired() })
    }
    return curl
  }

  /// Divides the rate of the settings equally among the attempts that run.
  private func shareRate() {
    guard settings.rate > 0, !running.isEmpty else { return }
    let share = max(settings.rate / Int64(running.count), 1)
    for attempt in running.values { attempt.limitRate(to: share) }
  }

  private func fail(_ attempt: Attempt, _ fault: CarrierFault, at now: Instant) {
    let exchange = attempt.exchange
    stop(exchange.key)
    report(fault, of: exchange)
  }

  /// Ends an attempt without a report, and keeps its part.
  private func stop(_ key: String) {
    guard let attempt = attempts.removeValue(forKey: key) else { return }
    waiting.removeAll { $0 == key }
    if let easy = attempt.easy, running.removeValue(forKey: easy) != nil { curl?.remove(easy) }
    attempt.suspend()
    shareRate()
  }

  // MARK: Reports

  private func report(_ fault: CarrierFault, of exchange: TransferExchange) {
    let now = clock()
    if fault.concernsOperator, complaints.insert(fault.kind).inserted {
      port.report(.fault(fault.cause), at: now)
    }
    port.report(.failed(fault.reported), about: exchange, at: now)
  }

  private func reportNews(at now: Instant) {
    for attempt in running.values.sorted(by: { $0.exchange.key < $1.exchange.key }) {
      reportNews(of: attempt, at: now, isLast: false)
      do throws(CarrierFault) { try attempt.keepOnDisk(at: now) } catch { fail(attempt, error, at: now) }
    }
  }

  /// Reports the status of an answer once, and the progress at most once a second and at the end.
  private func reportNews(of attempt: Attempt, at now: Instant, isLast: Bool) {
    // An answer with the whole file begins again with the first byte.
    attempt.checkedCount = min(attempt.checkedCount, attempt.count)
    if let status = attempt.newStatus {
      attempt.newStatus = nil
      port.report(.reply(status), about: attempt.exchange, at: now)
    }
    let count = attempt.count
    guard count != attempt.reportedCount, isLast || now - attempt.reportedAt >= Self.progressStep else {
      return
    }
    attempt.reportedCount = count
    attempt.reportedAt = now
    port.report(.progress(count), about: attempt.exchange, at: now)
  }

  // MARK: Timers

  /// Ends the attempts that moved too few bytes since their last check.
  private func endSlow(at now: Instant) {
    for attempt in running.values.sorted(by: { $0.exchange.key < $1.exchange.key })
    where attempt.checkAt <= now {
      let moved = attempt.count - attempt.checkedCount
      let seconds = max(settings.slowTime.nanoseconds / 1_000_000_000, 1)
      if moved < settings.slowRate.multipliedSaturated(by: seconds) {
        let cause = "\(attempt.address.host) moved \(moved) bytes in \(settings.slowTime)"
        fail(attempt, .connection(cause), at: now)
      } else {
        attempt.checkedCount = attempt.count
        attempt.checkAt = now + settings.slowTime
      }
    }
  }

  private func setCheck(at now: Instant) {
    guard let next = running.values.map(\.checkAt).min() else {
      cancelCheck?()
      cancelCheck = nil
      return
    }
    // The timer of an attempt that has ended may remain; it then sets the next timer.
    guard cancelCheck == nil else { return }
    cancelCheck = loop.call(after: max(next - now, .zero)) { [weak self] in self?.checkExpired() }
  }

  /// Closes the connections a second after the last attempt. A server would otherwise end an idle connection
  /// later, and so wake the radio.
  private func setRest() {
    cancelRest?()
    cancelRest = nil
    guard attempts.isEmpty, curl != nil else { return }
    cancelRest = loop.call(after: Self.rest) { [weak self] in self?.restExpired() }
  }

  private func restExpired() {
    lock.withLock { _ in
      cancelRest = nil
      if attempts.isEmpty { closeConnections() }
    }
  }

  private func closeConnections() {
    curl?.close()
    curl = nil
  }
}
