import StintMachine
import StintModel
import StintUnits

extension Governor {
  /// Finds the next instant at which a waiting transfer must go, on this radio or put off from it.
  mutating func planTransfers(_ radio: Int) {
    var next = Instant.distantFuture
    for id in devices[radio].asked + devices[radio].served {
      guard let record = demands[id], record.progress == .waiting else { continue }
      if let deadline = record.deadline, deadline > now { next = min(next, deadline) }
      if record.grant.standing == .deferred, let end = postponement(of: record), end > now {
        next = min(next, end)
      }
      if record.isServed {
        let end = holdEnd(of: record)
        if end > now { next = min(next, end) }
      }
    }
    devices.setTimer(radio, to: next)
  }

  /// When the directives in force stop putting the transfer off, by their own deadlines.
  private func postponement(of record: DemandRecord) -> Instant? {
    guard let image = rules.image else { return nil }
    var latest: Instant?
    for number in rules.reaching[record.target] where rules.isInForce(number, for: record.demand.id) {
      if case .postpone(let deadline?) = image.directives[number].directive.action {
        latest = max(latest ?? .epoch, record.raised + deadline)
      }
    }
    return latest
  }

  /// The next instant at which a directive in force stops putting the demand off.
  func nextPostponement(of record: DemandRecord) -> Instant? {
    guard let image = rules.image else { return nil }
    var next: Instant?
    for number in rules.reaching[record.target] where rules.isInForce(number, for: record.demand.id) {
      guard case .postpone(let deadline?) = image.directives[number].directive.action else {
        continue
      }
      let end = record.raised + deadline
      if end > now { next = min(next ?? end, end) }
    }
    return next
  }

  /// When time alone ends every hold of the transfer.
  private func holdEnd(of record: DemandRecord) -> Instant {
    var latest = Instant.epoch
    for hold in record.grant.holds {
      let ends = hold.bounds.compactMap { bound -> Instant? in
        if case .time(let span) = bound { record.raised + span } else { nil }
      }
      latest = max(latest, ends.min() ?? .distantFuture)
    }
    return latest
  }

  /// Lets all that waits for the radio go, as soon as one of them must.
  mutating func carryIfDue(_ radio: Int) {
    guard !devices[radio].served.isEmpty else { return }
    let waiting = devices[radio].served.filter { demands[$0]?.progress == .waiting }
    guard !waiting.isEmpty else { return }
    guard let reason = reasonToCarry(waiting) else {
      planTransfers(radio)
      return
    }
    carry(waiting, on: radio, reason)
  }

  private func reasonToCarry(_ waiting: [DemandID]) -> HandOver? {
    let bytes = waiting.reduce(Int64(0)) { sum, id in
      sum.addingSaturated(demands[id]?.demand.wants.transfer?.bytes ?? 0)
    }
    for id in waiting {
      guard let record = demands[id] else { continue }
      if record.grant.holds.isEmpty { return .immediate }
      if let deadline = record.deadline, deadline <= now { return .deadline }
      let reached = record.grant.holds.map { hold in
        hold.bounds.first {
          isReached($0, bytes: bytes, count: waiting.count, since: record.raised)
        }
      }
      if reached.allSatisfy({ $0 != nil }), let first = reached.first ?? nil {
        return .reached(first)
      }
    }
    return nil
  }

  private func isReached(_ bound: HoldBound, bytes: Int64, count: Int, since raised: Instant)
    -> Bool
  {
    switch bound {
    case .time(let span): now - raised >= span
    case .data(let limit): bytes >= limit
    case .items(let limit): count >= limit
    case .distance: false
    }
  }

  /// Gives the radio all of these, and them the bill.
  mutating func carry(_ waiting: [DemandID], on radio: Int, _ reason: HandOver) {
    closeInterval(radio)
    var links: [Cause.Link] = []
    let carried = waiting.compactMap { demands[$0].map { link(of: $0) } }
    if devices[radio].isOn {
      links = (devices[radio].cause?.links ?? []).filter { demands[$0.demand] != nil }
    }
    for id in waiting { demands.set(.inFlight, of: id) }
    links += carried
    links.sort { $0.demand < $1.demand }
    let cause = Cause(
      device: devices[radio].manifest.device, links: links, setting: Setting(isOn: true))
    devices.set(cause, of: radio)
    effects.append(.carry(device: radio, waiting, reason))
    waking.request(for: carried, device: radio)
    planTransfers(radio)
  }
}
