import StintMachine
import StintModel
import StintUnits

/// The reading plan of one source that publishes only when it is read.
struct SourceReader: Sendable {
  /// The index of the source.
  let device: Int
  /// The indexes of the source's facts, with the parameters for reading these facts.
  let facts: [(fact: Int, reading: FactReading)]
  /// The reading period. Between two whole multiples of this period, at most one reading begins.
  let every: TimeSpan
  /// The instant of the last reading; nil before the first reading.
  var read: Instant?
  /// The instant of the next reading if no event comes before.
  var due = Instant.distantFuture
  /// True when rules use a fact of the source, but do not need its value at present.
  var hasMaskedReads = false
  /// True when the source was read and has not published since then.
  var isAwaited = false
  /// True while the device is unavailable; then it is not read.
  var isAbsent = false

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

  /// Returns whether the source may be read. An available source may be read before the first reading, and
  /// when a whole multiple of `every` lies between the last reading and now. Readings that can wait begin at
  /// these multiples, so several sources are read at equal instants.
  func mayBeRead(at now: Instant) -> Bool { !isAbsent && (read.map { $0 < lastMultiple(at: now) } ?? true) }

  /// Returns the last multiple of `every` at or before an instant.
  private func lastMultiple(at instant: Instant) -> Instant {
    let (count, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: every.nanoseconds)
    let lower = count - (rest < 0 ? 1 : 0)
    return Instant(nanoseconds: lower.multipliedSaturated(by: every.nanoseconds))
  }

  /// Returns the first multiple of `every` at or after an instant.
  private func nextMultiple(from instant: Instant) -> Instant {
    let last = lastMultiple(at: instant)
    return last == instant ? last : last + every
  }

  /// Returns the instant at which the source must be read next for one of its facts. Returns `distantFuture`
  /// when no reading is needed or possible.
  ///
  /// - Parameters:
  ///   - maxRate: the largest change of the value per second; nil when unknown.
  ///   - value: the present value of the fact, which was published at `instant`.
  func moment(
    _ need: FactNeed, _ maxRate: Double?, _ value: FactValue, since instant: Instant,
    maxAge: TimeSpan?,
    at now: Instant
  ) -> Instant {
    guard need.isNeeded, !isAbsent else { return .distantFuture }
    let soonest = mayBeRead(at: now) ? now : lastMultiple(at: now) + every
    guard value != .unknown else { return soonest }
    var wanted = soonest
    if let maxRate, case .number(let number) = value, case .outside = need {
      wanted =
        need.timeWithoutEffect(from: number, maxRate: maxRate).map { nextMultiple(from: instant + $0) }
        ?? .distantFuture
    }
    if let maxAge { wanted = min(wanted, lastMultiple(at: instant + maxAge)) }
    return max(soonest, wanted)
  }
}
