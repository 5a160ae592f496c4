import StintUnits

/// The deferrals that a client asked one service for: each ends once, by its time or its distance, whichever
/// comes first.
struct WatchedDeferrals: Sendable {
  private struct Running {
    /// When it must end; the distant future where only a distance ends it.
    var deadline: Instant
    /// Metres; nil where only a time ends it.
    let distance: Double?
    /// What the odometer said when it began, or at its first reading after that, whichever is more.
    var start: Double?
    var hasMoved = false

    /// Ends it at the latest at the first instant at which the way is gone.
    mutating func travel(_ odometer: Double, at instant: Instant) {
      guard let distance else { return }
      guard let start, hasMoved else {
        hasMoved = start != nil && start != odometer
        self.start = max(start ?? odometer, odometer)
        return
      }
      if odometer - start >= distance { deadline = min(deadline, instant) }
    }
  }

  private var open: [Int: Running] = [:]
  /// Those of an earlier process of the client, whose ends may still come.
  private var orphans: Set<Int> = []

  var isOpen: Bool { !open.isEmpty }

  /// Whether one runs that a distance ends.
  var isPending: Bool { open.values.contains { $0.distance != nil } }

  mutating func begin(_ number: Int, distance: Double? = nil, by deadline: Instant?) {
    open[number] = Running(deadline: deadline ?? .distantFuture, distance: distance)
  }

  /// The odometer of the device that serves, when all at an instant is done.
  mutating func travel(_ odometer: Double, at instant: Instant) {
    for number in open.keys { open[number]?.travel(odometer, at: instant) }
  }

  /// Another device serves, whose odometer stands elsewhere.
  mutating func changeDevice() {
    for number in open.keys {
      open[number]?.start = nil
      open[number]?.hasMoved = false
    }
  }

  /// Asked of a service that may be over: it may end, and need not.
  mutating func allow(_ number: Int) { orphans.insert(number) }

  /// What an earlier service under the same name leaves behind.
  mutating func inherit(from other: WatchedDeferrals) {
    orphans = other.orphans.union(other.open.keys)
  }

  mutating func end(_ number: Int, at instant: Instant) -> [WatchedService.Finding] {
    guard let deadline = open.removeValue(forKey: number)?.deadline else {
      if orphans.remove(number) != nil { return [] }
      return [(.notices, "ends deferral \(number) that does not run")]
    }
    guard instant > deadline else { return [] }
    return [(.deadline, "ends deferral \(number) \(instant - deadline) late")]
  }

  func overdue(isStanding: Bool, at instant: Instant) -> [WatchedService.Finding] {
    open.sorted { $0.key < $1.key }.compactMap { number, running in
      if !isStanding { return (.notices, "is over and never ended deferral \(number)") }
      guard instant > running.deadline else { return nil }
      return (
        .deadline, "has not ended deferral \(number), \(instant - running.deadline) after its deadline"
      )
    }
  }
}
