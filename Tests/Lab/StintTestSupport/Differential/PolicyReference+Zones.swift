import StintModel
import StintUnits

/// Computes for each zone whether the host is inside, from all fixes and beacon facts since the start.
extension PolicyReference {
  /// Computes zones at the beginning of a step; entry and exit events are valid for this step only.
  mutating func readZones() {
    for place in policies.indices {
      for (number, zone) in policies[place].zones.enumerated() {
        let before = page.isInside[place][number]
        let isInside = self.isInside(zone)
        page.isInside[place][number] = isInside
        // A change from unknown is neither an entry nor an exit.
        if let isInside, let before, isInside != before {
          page.pulses[place][number] = isInside ? .enter : .exit
        }
      }
    }
  }

  private func isInside(_ zone: PlanPolicy.Zone) -> Bool? {
    switch zone {
    case .circle(let enter, let exit):
      let reports = fixes.map { fix in
        (time: fix.time, says: fix.place == .unclear ? nil : Bool?(fix.place == .inside))
      }
      return decided(reports, enter: enter, exit: exit, memory: TimeSpan.minutes(10).nanoseconds)
    case .beacon(let enter, let exit):
      var reports: [(time: Int64, says: Bool?)] = []
      for entry in published[PlanWorld.Fact.beacon.rawValue] {
        guard case .boolean(let isInRange) = entry.value else { continue }
        reports.append((entry.time, isInRange))
      }
      return decided(reports, enter: enter, exit: exit, memory: nil)
    }
  }

  /// Returns whether the host is inside according to all reports up to now; nil when unknown. A change takes
  /// effect when no report has contradicted it for the delay of the zone. The result becomes unknown when no
  /// report arrives for `memory` nanoseconds. When `memory` is nil, a known result stays known.
  private func decided(
    _ reports: [(time: Int64, says: Bool?)], enter: Int, exit: Int, memory: Int64?
  ) -> Bool? {
    var isInside: Bool?
    var pending: (says: Bool, due: Int64)?
    var expiry = Int64.max
    func pass(to time: Int64) {
      if let due = pending?.due, due <= time, due <= expiry {
        isInside = pending?.says
        pending = nil
      }
      if expiry <= time {
        isInside = nil
        pending = nil
        expiry = .max
      }
    }
    for entry in reports {
      pass(to: entry.time)
      if let memory { expiry = entry.time + memory }
      guard let says = entry.says else { continue }
      if says == isInside {
        pending = nil
      } else if pending?.says != says {
        pending = (says, entry.time + world.span(says ? enter : exit).nanoseconds)
      }
      pass(to: entry.time)
    }
    pass(to: page.time)
    return isInside
  }
}
