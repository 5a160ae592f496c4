import StintModel
import StintUnits

extension Governor {
  /// Sets the start odometer of the holds that began while the device's odometer was unknown. `metres` is the
  /// new odometer of the device.
  mutating func markOdometer(_ device: Int, metres: Double) {
    devices.mark(device, .delivery)
    for slot in devices[device].served { demands.markOdometer(slot, metres: metres) }
  }

  /// Restarts the holds of all demands on a device that has delivered.
  mutating func restartHolds(_ device: Int) {
    let metres = devices.odometer(of: device, facts)
    for slot in devices[device].served { demands.beginHold(slot, at: now, odometer: metres) }
    planHolds(device)
  }

  /// Sets the timer of a sensor to the next end of a hold, linger, one-shot fix or deferral.
  mutating func planHolds(_ device: Int) {
    guard devices[device].model.kind == .sensor else { return }
    var next = devices[device].lingerUntil ?? .distantFuture
    let mayDefer = devices[device].model.mayDefer
    for slot in devices[device].requested {
      if let expires = demands[slot].expires { next = min(next, expires) }
      if mayDefer, let end = nextPostponement(of: slot) { next = min(next, end) }
    }
    if devices[device].setting.isHolding {
      for slot in devices[device].served {
        next = min(next, holdEnd(slot))
        if let end = restEnd(of: slot, sampledEvery: devices[device].setting.period) { next = min(next, end) }
      }
    }
    devices.setTimer(device, to: next)
  }

  /// Returns the instant at which all holds of a demand have ended; the distant future without holds.
  private mutating func holdEnd(_ slot: DemandSlot) -> Instant {
    guard !demands[slot].grant.holds.isEmpty else { return .distantFuture }
    var latest = Instant.epoch
    for hold in demands[slot].grant.holds { latest = max(latest, end(of: hold, for: slot)) }
    return latest
  }

  /// Returns the instant at which a hold reaches its first bound. The result is at most `now` when the hold
  /// has reached a distance bound. Otherwise, the result is the distant future when time alone reaches no
  /// bound. Data bounds are ignored.
  private mutating func end(of hold: Hold, for slot: DemandSlot) -> Instant {
    var end = Instant.distantFuture
    for bound in hold.bounds {
      switch bound {
      case .time(let span): end = min(end, demands[slot].holdStart + span)
      case .items(let count):
        guard let period = demands[slot].grant.period else { continue }
        end = min(end, demands[slot].holdStart + period.times(Int64(count), capped: .unlimited))
      case .distance(let metres):
        guard let provider = demands[slot].provider, let here = devices.odometer(of: provider, facts),
          let start = demands[slot].holdOdometer,
          here - start >= metres
        else { continue }
        end = min(end, now)
      case .data: continue
      }
    }
    return end
  }

  /// Delivers the held samples of demands whose holds have ended, and starts transfers that are ready.
  mutating func deliverExpired() {
    guard devices.beginRound(.delivery) else { return }
    for device in devices.indices where devices.removeMark(device, .delivery) {
      switch devices[device].model.kind {
      case .sensor: drainIfDue(device)
      case .radio: startTransfersIfReady(device)
      case .processor, .source: continue
      }
    }
  }

  private mutating func drainIfDue(_ device: Int) {
    guard devices[device].setting.isOn, devices[device].setting.isHolding else { return }
    for slot in devices[device].served where holdEnd(slot) <= now {
      var reason = DeliveryReason.ended
      for hold in demands[slot].grant.holds {
        guard let bound = bound(reachedBy: hold, for: slot) else { continue }
        reason = .reached(bound)
        break
      }
      effects.append(.drain(device: device, reason))
      restartHolds(device)
      return
    }
  }

  private mutating func bound(reachedBy hold: Hold, for slot: DemandSlot) -> HoldBound? {
    for bound in hold.bounds where end(of: Hold(rule: hold.rule, bounds: [bound]), for: slot) <= now {
      return bound
    }
    return nil
  }

  /// Ends lingers, one-shot fixes and deferrals whose timers have expired.
  mutating func finishDueTimers() {
    guard devices.mayHaveExpired(at: now) else { return }
    for device in devices.indices where devices.hasExpired(device, at: now) {
      devices.mark(device, .delivery)
      finishLinger(device)
      if holdsTooLong(device) { devices.mark(device, .setting) }
      for slot in devices[device].requested {
        if let expires = demands[slot].expires, expires <= now { release(slot) }
      }
      if devices[device].model.mayDefer || devices[device].model.kind == .radio {
        devices.mark(device, .grants)
      }
      planHolds(device)
    }
  }

  /// Ends the demands for one-shot fixes that a fix of this accuracy, in metres, satisfies.
  mutating func finishOneShots(_ device: Int, accuracy: Double) {
    for slot in devices[device].served where demands[slot].isOneShot {
      if accuracy <= demands[slot].demand.wants.accuracy ?? .infinity { release(slot) }
    }
  }
}
