import StintModel
import StintUnits

/// The times at which one of the phone's own faults holds.
struct PhoneFaults: Sendable {
  /// Where it begins and ends, in order.
  private var turns: [(at: Instant, isBad: Bool)] = []

  /// Picks the strikes of a kind; times count from `start`, and those that overlap are one.
  init(_ strikes: [FaultStrike], _ kind: FaultStrike.Kind, start: Instant) {
    let spans = strikes.filter { $0.kind == kind && $0.duration > .zero }.sorted { $0.at < $1.at }
    for span in spans {
      let (begin, end) = (start + span.at, start + span.at + span.duration)
      if let last = turns.last, last.at >= begin {
        turns[turns.count - 1].at = max(last.at, end)
      } else {
        turns += [(begin, true), (end, false)]
      }
    }
  }

  var nextInstant: Instant { turns.first?.at ?? .distantFuture }

  /// How it stands from an instant on, where that has changed up to and including it; else nil.
  mutating func change(at instant: Instant) -> Bool? {
    var isBad: Bool?
    while let next = turns.first, next.at <= instant {
      isBad = next.isBad
      turns.removeFirst()
    }
    return isBad
  }
}
