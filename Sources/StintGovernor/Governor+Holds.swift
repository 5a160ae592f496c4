import StintModel
import StintUnits

extension Governor {
  /// A hold that began before the first fix counts its way from that fix.
  mutating func markOdometer(_ device: Int, metres: Double) {
    devices.mark(device, .delivery)
    for id in devices[device].served { demands.markOdometer(id, metres: metres) }
  }

  /// The device handed over: what its demands hold counts from now.
  mutating func restartHolds(_ device: Int) {
    let metres = devices.odometer(of: device, facts)
    for id in devices[device].served { demands.beginHold(id, at: now, odometer: metres) }
    planHolds(device)
  }

  /// Finds the next instant at which a hold of the device ends by time.
  mutating func planHolds(_ device: Int) {
    guard devices[device].manifest.kind == .sensor else { return }
    var next = devices[device].lingerUntil ?? .distantFuture
    let mayDefer = devices[device].manifest.verbs.contains(.defer)
    for id in devices[device].asked {
      guard let record = demands[id] else { continue }
      if let expires = record.expires { next = min(next, expires) }
      if mayDefer, let end = nextPostponement(of: record) { next = min(next, end) }
    }
    for id in devices[device].served {
      guard let record = demands[id] else { continue }
      guard devices[device].setting.isHolding else { continue }
      var latest = Instant.epoch
      for hold in record.grant.holds { latest = max(latest, end(of: hold, for: record)) }
      if !record.grant.holds.isEmpty { next = min(next, latest) }
    }
    devices.setTimer(device, to: next)
  }

  /// When the hold's own bounds of time and count end it; `now` when a bound of distance already has.
  private func end(of hold: Hold, for record: DemandRecord) -> Instant {
    var end = Instant.distantFuture
    for bound in hold.bounds {
      switch bound {
      case .time(let span): end = min(end, record.holdStart + span)
      case .items(let count):
        guard let period = record.grant.period else { continue }
        end = min(end, record.holdStart + period.times(Int64(count), capped: .unlimited))
      case .distance(let metres):
        guard let provider = record.provider, let here = devices.odometer(of: provider, facts),
          let start = record.holdOdometer,
          here - start >= metres
        else { continue }
        end = min(end, now)
      case .data: continue
      }
    }
    return end
  }

  /// Hands over what streams held long enough, and lets transfers go whose time has come.
  mutating func handOver() {
    guard devices.beginRound(.delivery) else { return }
    for device in devices.indices where devices.removeMark(device, .delivery) {
      switch devices[device].manifest.kind {
      case .sensor: drainIfDue(device)
      case .radio: carryIfDue(device)
      case .processor, .source: continue
      }
    }
  }

  private mutating func drainIfDue(_ device: Int) {
    guard devices[device].setting.isOn, devices[device].setting.isHolding else { return }
    for id in devices[device].served {
      guard let record = demands[id], !record.grant.holds.isEmpty else { continue }
      guard record.grant.holds.allSatisfy({ end(of: $0, for: record) <= now }) else { continue }
      let reached = record.grant.holds.compactMap { bound(reachedBy: $0, for: record) }.first
      effects.append(.drain(device: device, reached.map(HandOver.reached) ?? .ended))
      restartHolds(device)
      return
    }
  }

  private func bound(reachedBy hold: Hold, for record: DemandRecord) -> HoldBound? {
    hold.bounds.first { end(of: Hold(rule: hold.rule, bounds: [$0]), for: record) <= now }
  }

  /// Ends lingers, one-shots and postponements whose time has come.
  mutating func finishDueTimers() {
    guard devices.mayHaveExpired(at: now) else { return }
    for device in devices.indices where devices.hasExpired(device, at: now) {
      devices.mark(device, .delivery)
      finishLinger(device)
      for id in devices[device].asked {
        if let expires = demands[id]?.expires, expires <= now { release(id) }
      }
      if devices[device].manifest.verbs.contains(.defer) || devices[device].manifest.kind == .radio {
        devices.mark(device, .grants)
      }
      planHolds(device)
    }
  }

  /// A fix this good answers the one-shots that waited for it.
  mutating func finishOneShots(_ device: Int, accuracy: Double) {
    for id in devices[device].served {
      guard let record = demands[id], record.isOneShot,
        accuracy <= record.demand.wants.accuracy ?? .infinity
      else {
        continue
      }
      release(id)
    }
  }
}
