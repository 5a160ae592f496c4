import StintPluginKit
import StintUnits

/// The client side of the gpsd protocol: the requests, the answers and the time limits.
///
/// While a watch is wanted, the session connects, watches, requests a rate, detects failures and reconnects.
/// The session is a pure state machine without input and output: the caller performs the returned actions in
/// order.
struct GpsdSession: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Open a connection, then call `connected` or `failed` with the result.
    case connect
    /// Send these bytes, which are a complete request.
    case send(String)
    /// Close the connection if there is one; do not call `failed`.
    case disconnect
    /// Pass this report to the receiver.
    case tell(Report)
  }

  /// A report of the session for the receiver.
  enum Report: Hashable, Sendable {
    /// False after a loss of the connection to gpsd, or of the receiver. True when gpsd has sent its greeting
    /// again.
    case available(Bool)
    case fault(String)
    case position(GpsdPosition)
    case stored(GpsdPosition)
    case sky(dilution: Double?)
    /// The actual cycle of the receiver.
    case cycle(TimeSpan?)
    /// The receiver is silent or was removed; its last reports are no longer valid.
    case lost
  }

  private enum Phase: Hashable, Sendable {
    case idle
    case waiting(until: Instant)
    case connecting(until: Instant)
    /// Connected, waiting for the greeting until this instant.
    case greeting(until: Instant)
    /// Connected and watching. At `until` the session sends a query to check that gpsd answers; `isAsked` is
    /// true after the query.
    case watching(until: Instant, isAsked: Bool)
  }

  /// The time limit for a connection or an answer.
  static let timeout = TimeSpan.seconds(10)
  /// The time for which a connection must deliver positions before the retry delay returns to 1 s.
  static let proof = TimeSpan.seconds(10)

  private let settings: GpsdSettings
  private var phase = Phase.idle
  private var lines = GpsdLines()
  private var backoff: RetryDelay
  private var isWanted = false
  private(set) var isAvailable = true
  private var cycleWanted: TimeSpan?
  private var cycleAsked: TimeSpan?
  private var receiver: GpsdDevice?
  /// The receiver that this connection follows when the settings contain no receiver: the first receiver in
  /// the reports of gpsd.
  private var chosen: String?
  /// The receivers that are not followed and that a fault has already reported.
  private var others: Set<String> = []
  /// The instant of the first position of this connection.
  private var firstPosition: Instant?
  /// True after the receiver was removed, until gpsd receives data from it again.
  private var isMissing = false
  /// The number of malformed lines of this connection.
  private var badLines = 0
  private var lastError = ""

  init(_ settings: GpsdSettings) {
    self.settings = settings
    backoff = RetryDelay(limit: settings.retry)
  }

  /// The instant at which `tick` must be called next; nil when no call is needed.
  var deadline: Instant? {
    switch phase {
    case .idle: nil
    case .waiting(let until), .connecting(let until), .greeting(let until), .watching(let until, _): until
    }
  }

  var isWatching: Bool { if case .watching = phase { true } else { false } }

  // MARK: Calls from the plugin

  /// Starts the watch, and requests the time `cycle` between two fixes; nil requests no time.
  mutating func watch(every cycle: TimeSpan?, at now: Instant) -> [Action] {
    isWanted = true
    cycleWanted = cycle
    switch phase {
    case .idle, .waiting: return connect(at: now)
    case .connecting, .greeting: return []
    case .watching: return requestCycle()
    }
  }

  /// Ends the watch. While gpsd is unreachable, the session continues to connect, so that it can report when
  /// gpsd is back.
  mutating func unwatch(at now: Instant) -> [Action] {
    isWanted = false
    guard isAvailable else { return [] }
    return disconnect()
  }

  /// Ends the watch and all attempts to connect.
  mutating func close() -> [Action] {
    isWanted = false
    return disconnect()
  }

  // MARK: Events of the connection

  mutating func connected(at now: Instant) -> [Action] {
    guard case .connecting = phase else { return [.disconnect] }
    phase = .greeting(until: now + Self.timeout)
    return []
  }

  /// Handles a connection that could not be made or that broke.
  mutating func failed(_ reason: String, at now: Instant) -> [Action] {
    guard phase != .idle else { return [] }
    return lose(reason, at: now)
  }

  mutating func received(_ bytes: some Sequence<UInt8>, at now: Instant) -> [Action] {
    switch phase {
    case .idle, .waiting, .connecting: return []
    case .watching where !isMissing: phase = .watching(until: now + settings.silence, isAsked: false)
    // A missing receiver must send data before its deadline; other messages do not extend it.
    case .watching, .greeting: break
    }
    var actions: [Action] = []
    for line in lines.append(bytes) {
      switch line {
      case .oversize: actions += reportBadLine("a line of more than \(GpsdLines.limit) bytes")
      case .text(let text):
        do throws(GpsdFault) {
          actions += handle(try GpsdMessage(line: text), at: now)
        } catch {
          actions += reportBadLine(error.sentence)
        }
      }
      // A message may have ended the connection.
      if case .waiting = phase { break }
      if phase == .idle { break }
    }
    return actions
  }

  /// Handles the expired deadline.
  mutating func tick(at now: Instant) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    switch phase {
    case .idle: return []
    case .waiting: return connect(at: now)
    case .connecting: return lose("no connection within \(Self.timeout)", at: now)
    case .greeting:
      return lose("no greeting within \(Self.timeout); does gpsd listen there?", at: now)
    case .watching where isMissing: return lose("no data from the receiver within \(Self.timeout)", at: now)
    case .watching(_, isAsked: false):
      phase = .watching(until: now + Self.timeout, isAsked: true)
      return [.send("?VERSION;\n"), .tell(.lost)]
    case .watching(_, isAsked: true): return lose("no answer within \(Self.timeout)", at: now)
    }
  }

  // MARK: Implementation

  private mutating func connect(at now: Instant) -> [Action] {
    resetConnectionState()
    phase = .connecting(until: now + Self.timeout)
    return [.connect]
  }

  private mutating func disconnect() -> [Action] {
    let wasWatching = isWatching
    let wasIdle = phase == .idle
    phase = .idle
    resetConnectionState()
    guard !wasIdle else { return [] }
    return (wasWatching ? [.send(Self.unwatchRequest)] : []) + [.disconnect]
  }

  private mutating func resetConnectionState() {
    lines.reset()
    receiver = nil
    chosen = nil
    firstPosition = nil
    cycleAsked = nil
    badLines = 0
    lastError = ""
  }

  private mutating func lose(_ reason: String, at now: Instant) -> [Action] {
    let wait = backoff.failed()
    var actions: [Action] = [.disconnect]
    var text = "gpsd at \(settings.address): \(reason)"
    if lines.heldCount > 0 { text += "; \(lines.heldCount) bytes of an unfinished line are lost" }
    if isAvailable {
      isAvailable = false
      actions += [
        .tell(.lost), .tell(.fault("\(text); trying again, next in \(wait)")), .tell(.available(false)),
      ]
    }
    resetConnectionState()
    phase = .waiting(until: now + wait)
    return actions
  }

  private mutating func handle(_ message: GpsdMessage, at now: Instant) -> [Action] {
    if case .greeting = phase {
      guard case .version(let release, let major) = message else { return [] }
      return versionReceived(release, major, at: now)
    }
    switch message {
    case .position(let position):
      guard isMine(position.device) else { return followOrReport(position.device) }
      markPresent(at: now)
      resetDelayIfStable(at: now)
      return followOrReport(position.device) + [.tell(.position(position))]
    case .stored(let position): return isMine(position.device) ? [.tell(.stored(position))] : []
    case .sky(let device, let dilution):
      guard isMine(device) else { return [] }
      markPresent(at: now)
      return [.tell(.sky(dilution: dilution))]
    case .devices(let devices):
      guard let mine = devices.first(where: { isMine($0.path) }) else {
        let wanted = settings.device.map { "no receiver \($0)" } ?? "no receiver"
        return reportOnce("gpsd at \(settings.address) has \(wanted); add it with gpsdctl add")
      }
      choose(devices.first { isMine($0.path) && $0.isActive } ?? mine)
      let rest = devices.flatMap { followOrReport($0.path) }
      return deviceReceived(devices.first { isMine($0.path) } ?? mine, at: now) + rest
    case .device(let device):
      guard isMine(device.path) else { return followOrReport(device.path) }
      choose(device)
      return deviceReceived(device, at: now)
    case .error(let text): return reportOnce("gpsd rejects a request: \(text)")
    case .version, .watch, .other: return []
    }
  }

  private mutating func versionReceived(_ release: String, _ major: Int, at now: Instant) -> [Action] {
    guard major == 3 else {
      return lose("gpsd \(release) uses protocol version \(major); this plugin needs 3", at: now)
    }
    var actions: [Action] = isAvailable ? [] : [.tell(.available(true))]
    isAvailable = true
    guard isWanted else {
      phase = .idle
      return actions + [.disconnect]
    }
    phase = .watching(until: now + (isMissing ? Self.timeout : settings.silence), isAsked: false)
    let device = settings.device.map { ",\"device\":\"\($0)\"" } ?? ""
    actions.append(.send("?WATCH={\"enable\":true,\"json\":true\(device)};\n"))
    return actions
  }

  private mutating func deviceReceived(_ device: GpsdDevice, at now: Instant) -> [Action] {
    let known = receiver
    receiver = device
    if let known, known.isActive, !device.isActive {
      isMissing = true
      return lose("\(device.path) is closed or was unplugged", at: now)
    }
    if device.isActive { markPresent(at: now) }
    var actions: [Action] = []
    if device.cycle != nil || known == nil { actions.append(.tell(.cycle(device.cycle))) }
    return actions + requestCycle()
  }

  /// Marks a missing receiver as present, because a report shows that gpsd receives data from it.
  private mutating func markPresent(at now: Instant) {
    guard isMissing else { return }
    isMissing = false
    phase = .watching(until: now + settings.silence, isAsked: false)
  }

  /// Requests the wanted rate once, when the receiver can change its rate and its current rate differs.
  private mutating func requestCycle() -> [Action] {
    guard isWatching, let receiver, let shortest = receiver.shortestCycle, let wanted = cycleWanted else {
      return []
    }
    let cycle = max(wanted, shortest)
    guard cycle != (cycleAsked ?? receiver.cycle) else { return [] }
    cycleAsked = cycle
    let seconds = Double(cycle.nanoseconds) / 1_000_000_000
    return [.send("?DEVICE={\"path\":\"\(receiver.path)\",\"cycle\":\(seconds)};\n")]
  }

  private func isMine(_ device: String?) -> Bool {
    guard let wanted = settings.device ?? chosen, let device else { return true }
    return device == wanted
  }

  /// Follows this receiver until the connection ends, unless the settings or an earlier call chose one.
  private mutating func choose(_ device: GpsdDevice) {
    if settings.device == nil, chosen == nil { chosen = device.path }
  }

  /// Follows this receiver if no receiver is followed yet. Otherwise reports a receiver that is not followed,
  /// once. Its positions are ignored, because one track must not mix two receivers.
  private mutating func followOrReport(_ device: String?) -> [Action] {
    guard settings.device == nil, let device else { return [] }
    guard let chosen else {
      self.chosen = device
      return []
    }
    guard device != chosen, others.count < 64, others.insert(device).inserted else { return [] }
    return [
      .tell(
        .fault(
          "gpsd at \(settings.address) has \(device) besides \(chosen), which is used; name one with “device”"
        ))
    ]
  }

  /// Resets the retry delay when the connection has delivered positions long enough.
  private mutating func resetDelayIfStable(at now: Instant) {
    let first = firstPosition ?? now
    firstPosition = first
    if now - first >= Self.proof { backoff.succeeded() }
  }

  /// Reports the 1st, 2nd, 4th, 8th and so on of the malformed lines, to limit the number of faults.
  private mutating func reportBadLine(_ sentence: String) -> [Action] {
    badLines += 1
    guard badLines & (badLines - 1) == 0 else { return [] }
    let count = badLines == 1 ? "" : " (\(badLines) such lines)"
    return [.tell(.fault("gpsd at \(settings.address): \(sentence); skipped\(count)"))]
  }

  private mutating func reportOnce(_ sentence: String) -> [Action] {
    guard sentence != lastError else { return [] }
    lastError = sentence
    return [.tell(.fault(sentence))]
  }

  static let unwatchRequest = "?WATCH={\"enable\":false};\n"
}
