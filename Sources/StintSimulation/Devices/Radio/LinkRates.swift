package import StintUnits

/// How many bytes a second a link carries, from when on: a stair of rates.
package struct LinkRates: Sendable {
  private struct Stair: Sendable {
    var from: Instant
    var rate: Int64
  }

  private var stairs: [Stair]

  /// The same rate always.
  package init(_ rate: Int64) { stairs = [Stair(from: Instant(nanoseconds: .min), rate: max(1, rate))] }

  /// From an instant on another rate, at least a byte a second; later than those before.
  package mutating func set(_ rate: Int64, from instant: Instant) {
    stairs.append(Stair(from: instant, rate: max(1, rate)))
  }

  /// When `bytes` bytes that begin at an instant are through; a part of a nanosecond counts as one.
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

  /// How many whole bytes are through between two instants.
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
