import StintModel
package import StintUnits

/// The figures of a radio, from its manifest.
struct RadioFigures {
  let idle: Int
  let promotion: Int?
  /// The states while bytes are sent and while bytes are received. For a radio that does not distinguish
  /// directions, both are the state `active`.
  let sending: Int
  let receiving: Int
  /// The stages of the tail: the state and duration of each.
  let tails: [(state: Int, time: TimeSpan)]
  let promotionTime: TimeSpan
  /// The index of the priced event for leaving the state `idle`; nil when leaving it has no
  /// one-time energy.
  let ramp: Int?
  /// The rates in bytes per second of a radio that distinguishes directions.
  private let upRate: Double
  private let downRate: Double
  /// The rate in bytes per second of a link that both directions share.
  private let linkRate: Int64?

  init(_ setup: DeviceSetup) {
    let manifest = setup.manifest
    // A radio without states of these names uses only two states: the initial state, and the cheapest state
    // that is on.
    idle = manifest.state(named: "idle") ?? manifest.initial
    promotion = manifest.state(named: "promotion")
    let active = manifest.state(named: "active") ?? manifest.cheapestOnState
    sending = manifest.state(named: "sending") ?? active
    receiving = manifest.state(named: "receiving") ?? active
    tails = ["tail", "tail_low"].compactMap { name in
      manifest.state(named: name).map { (state: $0, time: setup.span(name)) }
    }
    promotionTime = setup.span("promotion")
    ramp = manifest.event(named: "promotion")
    upRate = manifest.figures["up_rate"]?.value ?? 1
    downRate = manifest.figures["down_rate"]?.value ?? 1
    linkRate =
      manifest.figures["up_rate"] == nil ? max(1, Int64(manifest.figures["link_rate"]?.value ?? 1)) : nil
  }

  /// Returns the parts of a transfer, each with its power state and duration. There is one part per direction
  /// with bytes, or a single part when both directions share the link.
  func parts(of transfer: Transfer) -> [(state: Int, time: TimeSpan)] {
    guard let linkRate else {
      let up = (state: sending, time: Self.time(transfer.bytesUp, upRate))
      let down = (state: receiving, time: Self.time(transfer.bytesDown, downRate))
      if down.time == .zero { return [up] }
      return up.time == .zero ? [down] : [up, down]
    }
    // Rounds up to whole nanoseconds.
    let product = Int128(max(transfer.bytes, 0)) * 1_000_000_000
    let time = TimeSpan(nanoseconds: Int64(clamping: (product + Int128(linkRate) - 1) / Int128(linkRate)))
    return [(sending, time)]
  }

  /// Returns the number of bytes of a transfer that are complete after `span`.
  func bytes(of transfer: Transfer, after span: TimeSpan) -> Int64 {
    guard let linkRate else {
      let up = min(transfer.bytesUp, Self.bytes(span.seconds, upRate))
      let rest = span.seconds - Double(transfer.bytesUp) / max(upRate, 1)
      return up.addingSaturated(min(transfer.bytesDown, Self.bytes(rest, downRate)))
    }
    return Int64(clamping: Int128(span.nanoseconds) * Int128(linkRate) / 1_000_000_000)
  }

  /// Returns the number of whole bytes that a link carries in some seconds at a rate, clamped to 64 bits.
  private static func bytes(_ seconds: Double, _ rate: Double) -> Int64 {
    Int64(exactly: (max(seconds, 0) * rate).rounded(.down)) ?? .max
  }

  private static func time(_ bytes: Int64, _ rate: Double) -> TimeSpan {
    TimeSpan(seconds: Double(max(bytes, 0)) / max(rate, 1)) ?? .unlimited
  }
}

/// The rate of a link over time, in bytes per second: a step function.
package struct LinkRates: Sendable {
  private struct Stair: Sendable {
    var from: Instant
    var rate: Int64
  }

  private var stairs: [Stair]

  /// Makes a constant rate, in bytes per second.
  package init(_ rate: Int64) { stairs = [Stair(from: Instant(nanoseconds: .min), rate: max(1, rate))] }

  /// Sets the rate from an instant on, at least one byte per second. Each call must pass a later instant than
  /// the call before.
  package mutating func set(_ rate: Int64, from instant: Instant) {
    stairs.append(Stair(from: instant, rate: max(1, rate)))
  }

  /// Returns the end of a transfer of `bytes` bytes that begins at `start`, rounded up to whole nanoseconds.
  func end(of bytes: Int64, from start: Instant) -> Instant {
    var left = Int128(max(bytes, 0)) * 1_000_000_000
    var instant = start
    for (index, stair) in stairs.enumerated() {
      let until = index + 1 < stairs.count ? stairs[index + 1].from : .distantFuture
      guard until > instant else { continue }
      let rate = Int128(stair.rate)
      let needed = (left + rate - 1) / rate
      let span = Int128(until.nanoseconds) - Int128(instant.nanoseconds)
      if until == .distantFuture || needed <= span {
        return instant + TimeSpan(nanoseconds: Int64(clamping: needed))
      }
      left -= span * rate
      instant = until
    }
    return instant
  }

  /// Returns the number of whole bytes that the link carries between two instants.
  package func bytes(from start: Instant, to end: Instant) -> Int64 {
    var sum = Int128(0)
    for (index, stair) in stairs.enumerated() {
      let until = index + 1 < stairs.count ? min(stairs[index + 1].from, end) : end
      let from = max(stair.from, start)
      if until > from { sum += Int128((until - from).nanoseconds) * Int128(stair.rate) }
    }
    return Int64(clamping: sum / 1_000_000_000)
  }
}
