import StintMachine
import StintModel
import StintUnits

/// A source reader is one source that publishes only when it is read, and when it is read next.
struct SourceReader: Sendable {
  /// The number of the source.
  let device: Int
  /// Its facts by number, with how they are read.
  let facts: [(fact: Int, reading: FactReading)]
  /// The time between two readings; never less passes.
  let every: TimeSpan
  /// When it was read last.
  var read: Instant?
  /// When it is to be read next although nothing else happens.
  var due = Instant.distantFuture
  /// Whether rules read a fact of it without needing it now.
  var hasMaskedReads = false
  /// It was read and has not answered.
  var isAwaited = false

  init?(device: Int, _ vocabulary: Vocabulary) {
    let facts = vocabulary.manifests[device].facts.compactMap { schema in
      schema.reading.flatMap { reading in
        vocabulary.fact(schema.path).map { (fact: $0, reading: reading) }
      }
    }
    guard let every = facts.map(\.reading.every).min() else { return nil }
    self.device = device
    self.facts = facts
    self.every = every
  }

  /// Whether it was not read yet since the last whole multiple of its pace; so that sources are read together.
  func isStale(at now: Instant) -> Bool { read.map { $0 < lastTurn(at: now) } ?? true }

  private func lastTurn(at instant: Instant) -> Instant {
    let (turns, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: every.nanoseconds)
    let turn = turns - (rest < 0 ? 1 : 0)
    return Instant(nanoseconds: turn.multipliedSaturated(by: every.nanoseconds))
  }

  /// The first turn at this instant or after it.
  private func turn(from instant: Instant) -> Instant {
    let last = lastTurn(at: instant)
    return last == instant ? last : last + every
  }

  /// When a fact is next needed that had this value at an instant and is believed at most so long.
  func moment(
    _ need: FactNeed, _ steepest: Double?, _ value: FactValue, since instant: Instant,
    maxAge: TimeSpan?,
    at now: Instant
  ) -> Instant {
    guard need.isNeeded else { return .distantFuture }
    let soonest = isStale(at: now) ? now : lastTurn(at: now) + every
    guard value != .unknown else { return soonest }
    var wanted = soonest
    if let steepest, case .number(let number) = value, case .outside = need {
      wanted =
        need.quietTime(from: number, steepest: steepest).map { turn(from: instant + $0) }
        ?? .distantFuture
    }
    if let maxAge { wanted = min(wanted, lastTurn(at: instant + maxAge)) }
    return max(soonest, wanted)
  }
}
