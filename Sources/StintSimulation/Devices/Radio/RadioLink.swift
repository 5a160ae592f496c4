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
  /// Bytes a second.
  private let rate: Int64
  private var phase = Phase.idle
  private var queue: [CarriedTransfer] = []
  /// Where the transfer under way is in `queue`.
  private var head = 0
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
    rate = max(1, Int64(setup.manifest.figures["link_rate"]?.value ?? 1))
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
    enter(.active, for: time(of: queue[head].transfer), port, at: instant)
  }

  private mutating func finish(_ port: DevicePort?, at instant: Instant) {
    port?.carried(queue[head].demand, at: instant)
    head += 1
    guard head == queue.count else {
      due = instant + time(of: queue[head].transfer)
      return
    }
    queue.removeAll(keepingCapacity: true)
    head = 0
    enter(.tail, for: tailTime, port, at: instant)
  }

  private mutating func enter(_ phase: Phase, for span: TimeSpan?, _ port: DevicePort?, at instant: Instant) {
    self.phase = phase
    due = span.map { instant + $0 }
    report(port, at: instant)
  }

  /// Both directions share the link; a part of a nanosecond counts as one.
  private func time(of transfer: Transfer) -> TimeSpan {
    let product = Int128(max(transfer.bytes, 0)) * 1_000_000_000
    return TimeSpan(nanoseconds: Int64(clamping: (product + Int128(rate) - 1) / Int128(rate)))
  }
}
