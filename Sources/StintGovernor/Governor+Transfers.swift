import StintMachine
import StintModel
import StintUnits

extension Governor {
  /// Sets the timer of a radio to the next instant at which time changes a decision about its transfers.
  mutating func planTransfers(_ radio: Int) {
    var next = Instant.distantFuture
    for slot in devices[radio].requested { next = min(next, nextChange(of: slot)) }
    for slot in devices[radio].served { next = min(next, nextChange(of: slot)) }
    devices.setTimer(radio, to: next)
  }

  /// Returns the next instant at which time alone changes the decision about a waiting transfer.
  private mutating func nextChange(of slot: DemandSlot) -> Instant {
    var next = Instant.distantFuture
    guard demands[slot].progress == .waiting else { return next }
    if let deadline = demands[slot].deadline, deadline > now { next = min(next, deadline) }
    if demands[slot].grant.status == .deferred, let end = postponement(of: slot), end > now {
      next = min(next, end)
    }
    if demands[slot].isServed {
      let end = holdEnd(of: slot)
      if end > now { next = min(next, end) }
    }
    return next
  }

  /// Returns the instant at which the last deferral of a transfer ends. Nil when no deferral in force has a
  /// maximum duration.
  private mutating func postponement(of slot: DemandSlot) -> Instant? {
    var latest: Instant?
    for entry in rules.index.postponing[demands[slot].target]
    where rules.isInForce(entry.directive, for: slot.id) {
      latest = max(latest ?? .epoch, demands[slot].raised + entry.deadline)
    }
    return latest
  }

  /// Returns the next instant at which a deferral of a demand ends. Nil when no deferral in force has a
  /// maximum duration, or all such deferrals have ended.
  mutating func nextPostponement(of slot: DemandSlot) -> Instant? {
    var next: Instant?
    for entry in rules.index.postponing[demands[slot].target]
    where rules.isInForce(entry.directive, for: slot.id) {
      let end = demands[slot].raised + entry.deadline
      if end > now { next = min(next ?? end, end) }
    }
    return next
  }

  /// Returns the instant at which time bounds have ended every hold of a transfer. The distant future when a
  /// hold has no time bound; the epoch without holds.
  private mutating func holdEnd(of slot: DemandSlot) -> Instant {
    var latest = Instant.epoch
    for hold in demands[slot].grant.holds {
      let ends = hold.bounds.compactMap { bound -> Instant? in
        if case .time(let span) = bound { demands[slot].raised + span } else { nil }
      }
      latest = max(latest, ends.min() ?? .distantFuture)
    }
    return latest
  }

  /// Starts all waiting transfers of a radio if one of them must start now. If none must start yet, sets the
  /// radio's timer.
  mutating func startTransfersIfReady(_ radio: Int) {
    guard !devices[radio].served.isEmpty else { return }
    let waiting = devices[radio].served.filter { demands[$0].progress == .waiting }
    guard !waiting.isEmpty else { return }
    guard let reason = transferReason(waiting) else {
      planTransfers(radio)
      return
    }
    startTransfers(waiting, on: radio, reason)
  }

  private func transferReason(_ waiting: [DemandSlot]) -> DeliveryReason? {
    let bytes = waiting.reduce(Int64(0)) { sum, slot in
      sum.addingSaturated(demands[slot].demand.wants.transfer?.bytes ?? 0)
    }
    for slot in waiting {
      let record = demands[slot]
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

  /// Starts the given transfers on a radio, and makes their demands the cause of its energy.
  mutating func startTransfers(_ waiting: [DemandSlot], on radio: Int, _ reason: DeliveryReason) {
    closeInterval(radio)
    var links: [Cause.Link] = []
    let carried = waiting.map { link(of: demands[$0]) }
    if devices[radio].isOn {
      links = (devices[radio].cause?.links ?? []).filter { demands.slot(of: $0.demand) != nil }
    }
    for slot in waiting { demands.set(.inFlight, of: slot) }
    links += carried
    links.sort { $0.demand < $1.demand }
    let cause = Cause(
      device: devices[radio].model.manifest.device, links: links, setting: Setting(isOn: true))
    devices.set(cause, of: radio)
    effects.append(.carry(device: radio, waiting.map(\.id), reason))
    waking.request(for: carried, device: radio)
    planTransfers(radio)
  }
}
