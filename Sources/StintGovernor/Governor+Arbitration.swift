import StintMachine
import StintModel
import StintUnits

extension Governor {
  /// Combines demands and directives into grants, and grants into settings, for all marked devices.
  mutating func arbitrate() {
    if devices.beginRound(.grants) { regrantTargets() }
    // Sensing demands are planned before settings are computed. Otherwise a device with a new demand would be
    // switched off and on again.
    if sensing.mustPlan, planSensing(), devices.beginRound(.grants) { regrantTargets() }
    if devices.beginRound(.setting) { resettleProviders() }
  }

  private mutating func regrantTargets() {
    let isBackground = appStateFact.map { facts.value($0) == backgroundState } ?? false
    for target in devices.indices where devices.removeMark(target, .grants) {
      for slot in devices[target].requested {
        regrant(
          slot, isBackground: presences.isInBackground(demands[slot].demand.client, orElse: isBackground))
      }
      // A deferred transfer has no provider. So the timer of the radio that its demand names as the target is
      // used for the transfer.
      if devices[target].model.kind == .radio { devices.mark(target, .setting) }
      planHolds(target)
    }
  }

  private mutating func resettleProviders() {
    var processorIsDirty = false
    for provider in devices.indices
    where provider != processor && devices.removeMark(provider, .setting) {
      resettle(provider)
      processorIsDirty = true
    }
    if processorIsDirty { resettleProcessor() }
  }

  /// Computes the grant of one demand again.
  private mutating func regrant(_ slot: DemandSlot, isBackground: Bool) {
    guard demands[slot].progress == .waiting else { return }
    let differs = arbiter.limit(
      slot, of: &demands, &rules, &devices, isBackground: isBackground,
      isReading: sensing.isReading(demands[slot].demand.id), awaited: sensing.awaited, at: now)
    if let provider = demands[slot].provider { devices.mark(provider, .setting) }
    guard differs else { return }
    let grant = arbiter.grant(slot, of: &demands, &rules, &devices)
    demands.keep(arbiter.limits, of: slot)
    guard grant != demands[slot].grant || arbiter.limits.provider != demands[slot].provider else { return }
    move(slot, to: grant, by: arbiter.limits.provider)
  }

  /// Sets a new grant of a demand, and changes the demand's provider if necessary.
  private mutating func move(_ slot: DemandSlot, to grant: Grant, by provider: Int?) {
    let former = demands[slot].provider
    if former != provider {
      derived.grantMoved()
      sensing.invalidate()
      if let former {
        // The former provider delivers its held samples while it still serves the demand, so no sample is
        // lost.
        drainOnce(former)
        devices.endServing(former, slot)
      }
      if let provider { devices.serve(provider, slot) }
    }
    let begins = former != provider || demands[slot].grant.holds.isEmpty && !grant.holds.isEmpty
    demands.grant(slot, grant, by: provider)
    if begins && !demands[slot].isTransfer {
      demands.beginHold(slot, at: now, odometer: provider.flatMap { devices.odometer(of: $0, facts) })
    }
    if let provider {
      devices.mark(provider, .setting)
      devices.grantsChanged(on: provider)
    }
    effects.append(.grant(demands[slot].demand, grant))
  }

  /// Makes a device deliver the samples that it holds, at most once per step. Call this function while the
  /// device still serves the demands of these samples: the wake-up for the delivery is charged to these
  /// demands.
  mutating func drainOnce(_ device: Int) {
    let drain = Effect.drain(device: device, .ended)
    guard devices[device].setting.isHolding, !effects.contains(drain) else { return }
    effects.append(drain)
    devices.drains(device, for: wakingDemands(of: device).map { link(of: demands[$0]) })
  }
}
