import StintModel
import StintUnits

/// The crashes of the daemon, drawn from a seed: their times, their kinds, and the pauses until the next
/// daemon.
struct RestartSwarm {
  struct Crash: Hashable, Sendable {
    /// The earliest instant of the crash.
    var at: Instant
    /// The latest instant of the crash.
    var latest: Instant
    /// The time from the crash to the start of the next daemon.
    var outage: TimeSpan
    /// True when the daemon crashes during its first write of service state after `at`; the write is lost. If
    /// the daemon writes nothing until `latest`, it crashes at `latest`. False when the daemon crashes at
    /// `at`.
    var isWithinWrite: Bool
  }

  private(set) var crashes: [Crash] = []

  /// Draws no crash for half of the seeds, and one to three crashes for the other half.
  ///
  /// If the faults include a full disk, the first crash often occurs while the disk is full. After each
  /// crash, the next daemon begins before the last tenth of the run.
  init(seed: UInt64, start: Instant, duration: TimeSpan, faults: [InjectedFault] = []) {
    var random = SwarmRandom(seed: seed, salt: 3)
    let part = duration.nanoseconds / 100
    guard part > 0, random.once(in: 2) else { return }
    var earliest: Int64 = 3
    let full = faults.first { $0.kind == .disk }.map {
      ($0.at.nanoseconds + $0.duration.nanoseconds / 2) / part
    }
    for number in 0..<(1 + random.below(3)) where earliest < 80 {
      var place = earliest + Int64(random.below(UInt64(80 - earliest)))
      if number == 0, let full, full >= earliest, full < 80, !random.once(in: 3) { place = full }
      let longest = min(.minutes(10), TimeSpan(nanoseconds: part * 4))
      let at =
        start + random.span(TimeSpan(nanoseconds: part * place), TimeSpan(nanoseconds: part * (place + 1)))
      let isWithinWrite = random.once(in: 2)
      crashes.append(
        Crash(
          at: at, latest: isWithinWrite ? at + min(.minutes(5), TimeSpan(nanoseconds: part * 4)) : at,
          outage: random.span(min(.seconds(1), longest), longest), isWithinWrite: isWithinWrite))
      earliest = place + 9
    }
  }
}
