import StintUnits

/// The deferrals that a client requested from one service. Each deferral ends once, at its time or at its
/// distance, whichever comes first.
struct WatchedDeferrals: Sendable {
  private struct Running {
    /// The latest end; the distant future when only a distance ends the deferral.
    var deadline: Instant
    /// The distance in metres that ends the deferral; nil when only a time ends it.
    let distance: Double?
    /// The odometer value from which the distance counts: the first value, or the next different value if
    /// that is greater. Nil before the first value.
    var start: Double?
    var hasMoved = false

    /// Applies a value of the odometer. When the phone has covered the distance, a later deadline is moved to
    /// this instant.
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
  /// Deferrals that an earlier process of the client requested. Their ends may still arrive.
  private var orphans: Set<Int> = []

  var isOpen: Bool { !open.isEmpty }

  var hasDistance: Bool { open.values.contains { $0.distance != nil } }

  mutating func begin(_ number: Int, distance: Double? = nil, by deadline: Instant?) {
    open[number] = Running(deadline: deadline ?? .distantFuture, distance: distance)
  }

  /// Applies the odometer of the serving device, at the end of an instant.
  mutating func travel(_ odometer: Double, at instant: Instant) {
    for number in open.keys { open[number]?.travel(odometer, at: instant) }
  }

  /// Handles a change of the serving device. The odometer of the new device has a different value.
  mutating func changeDevice() {
    for number in open.keys {
      open[number]?.start = nil
      open[number]?.hasMoved = false
    }
  }

  /// Allows the end of a deferral that was requested from a service that may have ended.
  mutating func allow(_ number: Int) { orphans.insert(number) }

  /// Allows the ends of deferrals that are still open in an earlier service with the same name.
  mutating func inherit(from other: WatchedDeferrals) {
    orphans = other.orphans.union(other.open.keys)
  }

  mutating func end(_ number: Int, at instant: Instant) -> [WatchedService.Finding] {
    guard let deadline = open.removeValue(forKey: number)?.deadline else {
      if orphans.remove(number) != nil { return [] }
      return [(.notices, "ends deferral \(number), which is not open")]
    }
    guard instant > deadline else { return [] }
    return [(.deadline, "ends deferral \(number) \(instant - deadline) late")]
  }

  func overdue(isRunning: Bool, at instant: Instant) -> [WatchedService.Finding] {
    open.sorted { $0.key < $1.key }.compactMap { number, running in
      if !isRunning { return (.notices, "ended without ending deferral \(number)") }
      guard instant > running.deadline else { return nil }
      return (
        .deadline, "has not ended deferral \(number), \(instant - running.deadline) after its deadline"
      )
    }
  }
}
