import StintUnits

/// The deferrals that a client asked one service for: each ends once, by its time.
struct WatchedDeferrals: Sendable {
  /// When those that run must end; the distant future where only a distance ends them.
  private var open: [Int: Instant] = [:]
  /// Those of an earlier process of the client, whose ends may still come.
  private var orphans: Set<Int> = []

  var isOpen: Bool { !open.isEmpty }

  mutating func begin(_ number: Int, by deadline: Instant?) { open[number] = deadline ?? .distantFuture }

  /// Asked of a service that may be over: it may end, and need not.
  mutating func allow(_ number: Int) { orphans.insert(number) }

  /// What an earlier service under the same name leaves behind.
  mutating func inherit(from other: WatchedDeferrals) {
    orphans = other.orphans.union(other.open.keys)
  }

  mutating func end(_ number: Int, at instant: Instant) -> [WatchedService.Finding] {
    guard let deadline = open.removeValue(forKey: number) else {
      if orphans.remove(number) != nil { return [] }
      return [(.notices, "ends deferral \(number) that does not run")]
    }
    guard instant > deadline else { return [] }
    return [(.deadline, "ends deferral \(number) \(instant - deadline) late")]
  }

  func overdue(isStanding: Bool, at instant: Instant) -> [WatchedService.Finding] {
    open.sorted { $0.key < $1.key }.compactMap { number, deadline in
      if !isStanding { return (.notices, "is over and never ended deferral \(number)") }
      guard instant > deadline else { return nil }
      return (.deadline, "has not ended deferral \(number), \(instant - deadline) after its time")
    }
  }
}
