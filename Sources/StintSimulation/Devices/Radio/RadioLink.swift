import StintModel
import StintPluginKit
import StintUnits

/// How a radio carries transfers: promotion (where it has one), active for as long as the bytes take, then a
/// tail in which more can follow without promotion. Exact to the nanosecond.
struct RadioLink {
  private let idle: Int
  private let promotion: Int?
  private let active: Int
  private let tail: Int
  private let promotionTime: TimeSpan
  private let tailTime: TimeSpan
  private let rates: LinkRates
  private var phase = Phase.idle
  private var queue: [CarriedTransfer] = []
  /// Where the transfer under way is in `queue`.
  private var head = 0
  /// When the transfer under way began.
  private var began = Instant.epoch
  private var due: Instant?

  private enum Phase {
    case idle, promotion, active, tail
  }

  init(_ setup: DeviceSetup) {
    idle = setup.state("idle")
    promotion = setup.manifest.state(named: "promotion")
    active = setup.state("active")
    tail = setup.state("tail")
    promotionTime = setup.span("promotion")
    tailTime = setup.span("tail")
    rates = setup.rates ?? LinkRates(Int64(setup.manifest.figures["link_rate"]?.value ?? 1))
  }

  /// Takes transfers in; starts at once unless some are under way.
  mutating func carry(_ transfers: [CarriedTransfer], to port: DevicePort?, at instant: Instant) {
    guard !transfers.isEmpty else { return }
    queue.append(contentsOf: transfers)
    switch phase {
    case .promotion, .active: break
    case .idle where promotion != nil: enter(.promotion, for: promotionTime, port, at: instant)
    case .idle, .tail: begin(port, at: instant)
    }
    port?.call(at: due)
  }

  /// Does what is due.
  mutating func wake(_ port: DevicePort?, at instant: Instant) {
    guard let due, instant >= due else { return }
    switch phase {
    case .idle: break
    case .promotion: begin(port, at: instant)
    case .active: finish(port, at: instant)
    case .tail: enter(.idle, for: nil, port, at: instant)
    }
    port?.call(at: self.due)
  }

  /// Drops everything and falls to idle.
  mutating func cut(_ port: DevicePort?, at instant: Instant) {
    queue.removeAll()
    head = 0
    enter(.idle, for: nil, port, at: instant)
    port?.call(at: nil)
  }

  /// Carries no more of a transfer: how many of its bytes are through; nil when it is not here.
  mutating func abandon(_ demand: DemandID, _ port: DevicePort?, at instant: Instant) -> Int64? {
    guard let place = queue[head...].firstIndex(where: { $0.demand == demand }) else { return nil }
    let transfer = queue.remove(at: place).transfer
    guard place == head else { return 0 }
    if phase == .active {
      let through = min(rates.bytes(from: began, to: instant), transfer.bytes)
      if head < queue.count { proceed(at: instant) } else { rest(port, at: instant) }
      port?.call(at: due)
      return through
    }
    if queue.isEmpty {
      // Nothing to rise for.
      enter(.idle, for: nil, port, at: instant)
      port?.call(at: due)
    }
    return 0
  }

  /// When `wake` is due.
  var alarm: Instant? { due }

  /// Says again in which state it is.
  func report(_ port: DevicePort?, at instant: Instant) {
    let state =
      switch phase {
      case .idle: idle
      case .promotion: promotion ?? active
      case .active: active
      case .tail: tail
      }
    port?.report(.state(state, period: nil), at: instant)
  }

  private mutating func begin(_ port: DevicePort?, at instant: Instant) {
    began = instant
    enter(.active, for: time(of: queue[head].transfer, from: instant), port, at: instant)
  }

  private mutating func finish(_ port: DevicePort?, at instant: Instant) {
    port?.carried(queue[head].demand, at: instant)
    head += 1
    guard head == queue.count else {
      proceed(at: instant)
      return
    }
    rest(port, at: instant)
  }

  private mutating func proceed(at instant: Instant) {
    began = instant
    due = instant + time(of: queue[head].transfer, from: instant)
  }

  private mutating func rest(_ port: DevicePort?, at instant: Instant) {
    queue.removeAll(keepingCapacity: true)
    head = 0
    enter(.tail, for: tailTime, port, at: instant)
  }

  private mutating func enter(_ phase: Phase, for span: TimeSpan?, _ port: DevicePort?, at instant: Instant) {
    self.phase = phase
    due = span.map { instant + $0 }
    report(port, at: instant)
  }

  /// Both directions share the link.
  private func time(of transfer: Transfer, from instant: Instant) -> TimeSpan {
    rates.end(of: transfer.bytes, from: instant) - instant
  }
}
