import StintModel
import StintPluginKit
import StintUnits

/// The phases of a radio with transfers. Times are in whole nanoseconds.
///
/// After idle comes promotion: the start of the radio, if the start takes time. Then the radio is active
/// while bytes flow. A tail follows: a time of higher power after the last byte. Transfers that come during
/// the tail need no promotion.
struct RadioLink {
  private let figures: RadioFigures
  /// The rate of the link over time, set by tests; nil for the rates of the manifest.
  private let rates: LinkRates?
  private var phase = Phase.idle
  private var queue: [AssignedTransfer] = []
  /// The index of the current transfer in `queue`.
  private var head = 0
  /// The remaining parts of the current transfer.
  private var parts: ArraySlice<(state: Int, time: TimeSpan)> = []
  /// The start of the current transfer.
  private var began = Instant.epoch
  /// The end of the current phase or part; nil in idle.
  private var due: Instant?
  /// The period at which the radio publishes its throughput; nil for a radio that does not publish it.
  private let throughputPeriod: TimeSpan?
  /// The last publication of the throughput, or the start of the current transfer if that is later.
  private var lastPublication = Instant.epoch

  private enum Phase: Equatable {
    case idle, promotion
    /// The radio transfers bytes in this power state.
    case active(Int)
    /// The radio is in this stage of the tail.
    case tail(Int)
  }

  init(_ setup: DeviceSetup) {
    figures = RadioFigures(setup)
    rates = setup.rates
    throughputPeriod = setup.manifest.facts.contains { $0.path == "net.throughput" } ? .seconds(1) : nil
  }

  /// Queues transfers. In idle, the radio starts at once; in the tail, the first transfer begins at once.
  mutating func carry(_ transfers: [AssignedTransfer], to port: DevicePort?, at instant: Instant) {
    guard !transfers.isEmpty else { return }
    queue.append(contentsOf: transfers)
    switch phase {
    case .promotion, .active: break
    case .idle:
      if let ramp = figures.ramp { port?.report(.event(ramp, count: 1), at: instant) }
      if figures.promotion != nil {
        enter(.promotion, for: figures.promotionTime, port, at: instant)
      } else {
        begin(port, at: instant)
      }
    case .tail: begin(port, at: instant)
    }
    port?.setAlarm(at: alarm)
  }

  /// Publishes the throughput if `throughputPeriod` has passed since the last publication. Ends the current
  /// phase when its time is over.
  mutating func wake(_ port: DevicePort?, at instant: Instant) {
    publishThroughput(port, at: instant)
    guard let due, instant >= due else {
      port?.setAlarm(at: alarm)
      return
    }
    switch phase {
    case .idle: break
    case .promotion: begin(port, at: instant)
    case .active: finish(port, at: instant)
    case .tail(let stage): enterTail(stage + 1, port, at: instant)
    }
    port?.setAlarm(at: alarm)
  }

  /// Drops all transfers and enters the idle phase.
  mutating func cut(_ port: DevicePort?, at instant: Instant) {
    queue.removeAll()
    head = 0
    parts = []
    enter(.idle, for: nil, port, at: instant)
    port?.setAlarm(at: nil)
  }

  /// Cancels a transfer. Returns the bytes transferred until now; nil when the link does not have the
  /// transfer.
  mutating func cancelTransfer(_ demand: DemandID, _ port: DevicePort?, at instant: Instant) -> Int64? {
    guard let place = queue[head...].firstIndex(where: { $0.demand == demand }) else { return nil }
    let transfer = queue.remove(at: place).transfer
    guard place == head else { return 0 }
    if isActive {
      let bytes = min(carriedBytes(transfer, at: instant), transfer.bytes)
      if head < queue.count { begin(port, at: instant) } else { beginTail(port, at: instant) }
      port?.setAlarm(at: alarm)
      return bytes
    }
    if queue.isEmpty {
      // No transfer is left, so there is no reason to complete the promotion.
      enter(.idle, for: nil, port, at: instant)
      port?.setAlarm(at: alarm)
    }
    return 0
  }

  /// The next instant at which `wake` must be called; nil in the idle phase.
  var alarm: Instant? {
    guard let every = throughputPeriod, isActive, let due else { return due }
    return min(due, lastPublication + every)
  }

  private var isActive: Bool {
    if case .active = phase { true } else { false }
  }

  /// Returns the bytes that the link has carried since the start of the current transfer.
  private func carriedBytes(_ transfer: Transfer, at instant: Instant) -> Int64 {
    rates?.bytes(from: began, to: instant) ?? figures.bytes(of: transfer, after: instant - began)
  }

  /// Publishes the throughput if bytes flow and `throughputPeriod` has passed since the last publication.
  private mutating func publishThroughput(_ port: DevicePort?, at instant: Instant) {
    guard let every = throughputPeriod, isActive, instant >= lastPublication + every else { return }
    let transfer = queue[head].transfer
    let bytes = carriedBytes(transfer, at: instant) - carriedBytes(transfer, at: lastPublication)
    let rate = Double(bytes) / (instant - lastPublication).seconds
    lastPublication = instant
    port?.publish("net.throughput", .number(rate), at: instant)
  }

  /// Reports the current power state.
  func report(_ port: DevicePort?, at instant: Instant) {
    let state =
      switch phase {
      case .idle: figures.idle
      case .promotion: figures.promotion ?? figures.sending
      case .active(let state): state
      case .tail(let stage): figures.tails[stage].state
      }
    port?.report(.state(state, period: nil), at: instant)
  }

  private mutating func begin(_ port: DevicePort?, at instant: Instant) {
    began = instant
    lastPublication = instant
    let transfer = queue[head].transfer
    if let rates {
      parts = [(figures.sending, rates.end(of: transfer.bytes, from: instant) - instant)]
    } else {
      parts = figures.parts(of: transfer)[...]
    }
    advance(port, at: instant)
  }

  /// Begins the next part of the current transfer. A part with an unchanged state is not reported.
  private mutating func advance(_ port: DevicePort?, at instant: Instant) {
    guard let part = parts.popFirst() else { return }
    if phase == .active(part.state) {
      due = instant + part.time
    } else {
      enter(.active(part.state), for: part.time, port, at: instant)
    }
  }

  private mutating func finish(_ port: DevicePort?, at instant: Instant) {
    if !parts.isEmpty {
      advance(port, at: instant)
      return
    }
    port?.carried(queue[head].demand, at: instant)
    head += 1
    guard head == queue.count else {
      begin(port, at: instant)
      return
    }
    beginTail(port, at: instant)
  }

  /// Begins the tail after the last transfer.
  private mutating func beginTail(_ port: DevicePort?, at instant: Instant) {
    queue.removeAll(keepingCapacity: true)
    head = 0
    parts = []
    enterTail(0, port, at: instant)
  }

  /// Begins a stage of the tail, or idle after the last stage.
  private mutating func enterTail(_ stage: Int, _ port: DevicePort?, at instant: Instant) {
    if figures.tails.indices.contains(stage) {
      enter(.tail(stage), for: figures.tails[stage].time, port, at: instant)
    } else {
      enter(.idle, for: nil, port, at: instant)
    }
  }

  private mutating func enter(_ phase: Phase, for span: TimeSpan?, _ port: DevicePort?, at instant: Instant) {
    self.phase = phase
    due = span.map { instant + $0 }
    report(port, at: instant)
  }
}
