public import StintModel
public import StintUnits

extension Governor {
  /// Returns the ledger with all open intervals charged up to `instant`.
  public func ledger(at instant: Instant) -> Ledger { closed(at: instant).ledger }

  /// Returns the time for which devices have been on without a complete cause, including open intervals.
  public func unexplained(at instant: Instant) -> TimeSpan { closed(at: instant).unexplained }

  /// Returns the energy consumed up to `instant`, including open intervals.
  public func spent(at instant: Instant) -> Energy {
    var sum = energy.ledger.total
    for device in devices.indices {
      sum += energy.open(device, devices[device].power, until: max(instant, now))
    }
    return sum
  }

  /// Returns the energy meter with all open intervals charged up to `instant`.
  private func closed(at instant: Instant) -> EnergyMeter {
    var copy = energy
    for device in devices.indices {
      copy.close(device, devices[device].load, at: max(instant, now))
    }
    return copy
  }

  /// Charges the open interval of a device at its present power and cause. Called before either of them
  /// changes.
  mutating func closeInterval(_ device: Int) {
    guard energy.intervals[device].since < now else { return }
    energy.close(device, devices[device].load, at: now)
  }

  /// Charges events of a device that have a fixed energy.
  mutating func chargeEvent(_ device: Int, _ event: PricedEvent, count: Int) {
    let isWake = device == processor
    let cause = isWake ? waking.cause : devices[device].cause
    let division = isWake ? EnergyDivision() : devices[device].division
    energy.charge(event, count: count, of: devices[device].manifest.device, for: cause, divided: division)
    guard isWake else { return }
    waking.counts(count, in: vocabulary)
    for _ in 0..<min(count, CountedEvent.maxInstants) { derived.happened(.hostWoke, at: now) }
  }

  /// Wakes the processor once for all requests of this step, unless the setting of the processor keeps it
  /// awake.
  mutating func wakeProcessor() {
    guard let processor, waking.hasRequests else { return }
    if !devices[processor].setting.isOn {
      let cause = waking.wake(devices[processor].manifest.device)
      effects.append(.wakeProcessor(device: processor))
      piggyback(on: cause)
    }
    waking.endStep()
  }

  @inline(__always) func link(of record: DemandRecord) -> Cause.Link {
    Cause.Link(
      client: record.demand.client, demand: record.demand.id, rules: record.grant.rules,
      grant: record.grant,
      service: record.demand.service?.word)
  }
}
