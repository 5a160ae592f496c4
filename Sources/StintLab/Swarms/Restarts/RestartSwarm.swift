import StintModel
import StintUnits

/// The deaths of the whole daemon that a seed draws: when, how, and when the next one begins.
struct RestartSwarm {
  /// One death.
  struct Crash: Hashable, Sendable {
    /// From when on it dies.
    var at: Instant
    /// When it dies at the latest.
    var latest: Instant
    /// How long after its death the next one begins.
    var outage: TimeSpan
    /// Whether it dies within its next attempt to write what services remember, so that nothing of that is
    /// kept; else at once.
    var isWithinWrite: Bool
  }

  private(set) var deaths: [Crash] = []

  /// Draws none in half of all seeds, else one to three, often while a disk is full; each is over before the
  /// last tenth of the run begins.
  init(seed: UInt64, start: Instant, duration: TimeSpan, strikes: [InjectedFault] = []) {
    var dice = SwarmRandom(seed: seed, salt: 3)
    let part = duration.nanoseconds / 100
    guard part > 0, dice.once(in: 2) else { return }
    var earliest: Int64 = 3
    let full = strikes.first { $0.kind == .disk }.map {
      ($0.at.nanoseconds + $0.duration.nanoseconds / 2) / part
    }
    for number in 0..<(1 + dice.below(3)) where earliest < 80 {
      var place = earliest + Int64(dice.below(UInt64(80 - earliest)))
      if number == 0, let full, full >= earliest, full < 80, !dice.once(in: 3) { place = full }
      let longest = min(.minutes(10), TimeSpan(nanoseconds: part * 4))
      let at =
        start + dice.span(TimeSpan(nanoseconds: part * place), TimeSpan(nanoseconds: part * (place + 1)))
      let isWithinWrite = dice.once(in: 2)
      deaths.append(
        Crash(
          at: at, latest: isWithinWrite ? at + min(.minutes(5), TimeSpan(nanoseconds: part * 4)) : at,
          outage: dice.span(min(.seconds(1), longest), longest), isWithinWrite: isWithinWrite))
      earliest = place + 9
    }
  }
}
