import StintMachine
import StintModel
import StintUnits

extension Governor {
  mutating func ingest(_ input: Input) {
    switch input {
    case .fact(let fact, let value): applyFact(fact, value)
    case .keyed(let family, let key, let value): applyKeyed(family, key, value)
    case .raise(let demand): raiseForClient(demand)
    case .release(let id): releaseByClient(id)
    case .outcome(let device, let outcome): applyOutcome(device, outcome)
    case .delivered(let device, let samples, let reason):
      applyDelivery(device, samples: samples, reason)
    case .carried(let id): release(id)
    case .wakeRequested(let id):
      if let record = demands[id] { waking.request(for: [link(of: record)], device: record.target) }
    case .signal(let signal, let value):
      if !derived.set(signal, value) {
        effects.append(.refused("a service sent an invalid value of the signal “\(signal.rawValue)”"))
      }
    case .hasConsumer(let id, let hasConsumer):
      if demands.slot(of: id) != nil { derived.set(hasConsumer: hasConsumer, of: id) }
    case .presence(let client, let isInBackground):
      if presences.set(isInBackground, of: client) {
        devices.markAll(.grants)
        breakAssumptions { $0.demand.client == client && $0.completed.background == false }
      }
    case .localTime(let rules): follow(rules)
    case .available(let device, let isAvailable):
      guard devices.set(isAvailable: isAvailable, of: device) else { return }
      breakAssumption(of: device)
      derived.invalidateObservations()
      publishState(device)
      if !isAvailable { requeueTransfers(from: device) }
    }
  }

  /// Resets the transfers of a radio that became unavailable, so that they start again.
  private mutating func requeueTransfers(from device: Int) {
    for slot in devices[device].served where demands[slot].progress == .inFlight {
      demands.set(.waiting, of: slot)
    }
  }

  mutating func applyFact(_ fact: Int, _ value: FactValue) {
    guard (0..<vocabulary.firstComputed).contains(fact) else {
      effects.append(.refused("\(fact) is not the index of a published fact"))
      return
    }
    if let rejectionReason = factStore.rejectionReason(for: value, of: fact, in: vocabulary) {
      effects.append(.refused(rejectionReason))
      return
    }
    if factStore.admits(fact, value, at: now) { applyAdmitted(fact, value) }
  }

  /// Sets a valid published value that its rate limit permits.
  mutating func applyAdmitted(_ fact: Int, _ value: FactValue) {
    setFact(fact, value)
    if derived.decides(fact) { derived.invalidate() }
    if fact == appStateFact {
      devices.markAll(.grants)
      breakAssumptions { $0.completed.background == false }
    }
    if let device = devices.watcher(of: fact) { applyWatched(fact, value, device: device) }
  }

  /// Handles a new odometer value or a new fix of a device.
  private mutating func applyWatched(_ fact: Int, _ value: FactValue, device: Int) {
    guard case .number(let number) = value else { return }
    if fact == devices[device].model.odometerFact {
      markOdometer(device, metres: number)
    } else if fact == devices[device].model.accuracyFact {
      let wanted = devices[device].served.compactMap { demands[$0].grant.accuracy }.min()
      if number <= wanted ?? .infinity { rules.succeeded(vocabulary.manifests[device].device) }
      finishOneShots(device, accuracy: number)
    }
  }

  mutating func setFact(_ fact: Int, _ value: FactValue) {
    factStore.set(fact, value, at: now)
    rules.set(fact: fact, value, at: now)
    sensing.note(fact)
  }

  private mutating func raiseForClient(_ demand: Demand) {
    raise(demand)
    if let target = demands.slot(of: demand.id).map({ demands[$0].target }) {
      breakAssumption(of: target)
    }
  }

  /// Counts an event that contradicts the assumptions of the wake-up bounds. The event counts for the device,
  /// and for the sensors that rules read only while the device has a demand.
  private mutating func breakAssumption(of device: Int) {
    devices.breakAssumption(of: device, at: now)
    for sensor in sensing.rules.sensors(readForDemandsOn: device) {
      devices.breakAssumption(of: sensor, at: now)
    }
  }

  /// Calls `breakAssumption` for each device with an affected demand, after `app.state` or the presence of a
  /// client was set.
  private mutating func breakAssumptions(where isAffected: (DemandRecord) -> Bool) {
    let demands = demands
    let affected = devices.indices.filter { device in
      devices[device].requested.contains { isAffected(demands[$0]) }
    }
    for device in affected { breakAssumption(of: device) }
  }

  mutating func raise(_ demand: Demand) {
    guard let target = vocabulary.device(demand.target), devices[target].model.kind != .source
    else {
      effects.append(.refused("demand \(demand.id): “\(demand.target)” does not accept demands"))
      return
    }
    guard demands.slot(of: demand.id) == nil else {
      effects.append(.refused("the demand \(demand.id) already exists"))
      return
    }
    if let rejectionReason = demand.wants.rejectionReason {
      effects.append(.refused("demand \(demand.id): \(rejectionReason)"))
      return
    }
    let isTransfer = demand.wants.transfer != nil
    guard (devices[target].model.kind == .radio) == isTransfer else {
      effects.append(
        .refused(
          isTransfer
            ? "demand \(demand.id): “\(demand.target)” is not a radio and cannot perform transfers"
            : "demand \(demand.id): “\(demand.target)” is a radio, and the demand has no transfer"
        ))
      return
    }
    let wants = devices[target].model.complete(demand.wants, by: rules.index.defaults[target]?.wants)
    devices.ask(target, demands.add(demand, completed: wants, on: target, at: now))
    noteDemand(on: target)
    sensing.invalidate()
    derived.invalidateObservations()
    attachRules(to: demand.id)
  }

  /// Ends a demand at the request of its client.
  private mutating func releaseByClient(_ id: DemandID) {
    guard let slot = demands.slot(of: id) else { return }
    let record = demands[slot]
    for device in Set([record.target, record.provider ?? record.target]) { breakAssumption(of: device) }
    release(slot)
  }

  mutating func release(_ id: DemandID) {
    if let slot = demands.slot(of: id) { release(slot) }
  }

  /// Ends an existing demand.
  mutating func release(_ slot: DemandSlot) {
    let record = demands[slot]
    if let provider = record.provider { drainOnce(provider) }
    demands.remove(slot)
    derived.forget(slot.id)
    sensing.ended(slot.id)
    rules.detach(slot.id, at: now)
    effects.append(.ended(record.demand))
    devices.endAsking(record.target, slot)
    if let provider = record.provider { devices.endServing(provider, slot) }
    noteDemand(on: record.target)
  }

  private mutating func applyOutcome(_ device: Int, _ outcome: Outcome) {
    guard devices.indices.contains(device) else { return }
    let manifest = devices[device].model.manifest
    switch outcome {
    case .state(let state, let period):
      guard manifest.states.indices.contains(state) else {
        effects.append(
          .refused("“\(manifest.device)” reported state \(state), which its manifest does not contain"))
        return
      }
      closeInterval(device)
      derived.invalidate()
      let wasOn = devices[device].isOn
      devices.report(device, state: state, period: period)
      if devices[device].isOn, !wasOn {
        derived.happened(.started(device), at: now)
        if manifest.kind == .radio { derived.happened(.turnedOn(device), at: now) }
      }
      noteDemand(on: device)
      publishState(device)
    case .event(let event, let count):
      guard manifest.events.indices.contains(event) else {
        effects.append(
          .refused("“\(manifest.device)” reported event \(event), which its manifest does not contain"))
        return
      }
      guard 1...InputBounds.eventCount ~= count else {
        effects.append(
          .refused(
            "“\(manifest.device)” reported an invalid count of “\(manifest.events[event].name)”: \(count)"))
        return
      }
      derived.invalidate()
      chargeEvent(device, manifest.events[event], count: count)
    case .fault(let text):
      devices.fail(device, text, at: now)
      derived.invalidateObservations()
      effects.append(.faulted(device: device, "“\(manifest.device)” has a fault: \(text)"))
    }
  }

  mutating func applyDelivery(_ device: Int, samples: Int, _ reason: DeliveryReason) {
    guard devices.indices.contains(device) else { return }
    restartHolds(device)
    derived.delivered(device, isOn: devices[device].isOn, facts, at: now)
    let drained = devices.endDrain(device)
    if processor != nil, reason != .piggybacked || !waking.isAwake(at: now) {
      let served =
        reason == .ended && !drained.isEmpty
        ? drained : wakingDemands(of: device).map { link(of: demands[$0]) }
      // A device without demands can only deliver samples that it held for ended demands. The wake-up is
      // therefore charged to the last cause of the device.
      waking.request(
        for: devices[device].served.isEmpty && served.isEmpty ? devices[device].cause?.links ?? [] : served,
        device: device)
    }
    if devices[device].model.accuracyFact == nil {
      rules.succeeded(devices[device].model.manifest.device)
    }
    if samples > 0, devices.recover(device) { derived.invalidateObservations() }
    noteBatch(of: device, reason)
    if samples > 0, reason == .immediate || reason == .late { noteSample(of: device) }
  }

  /// Returns the demands for which a delivery wakes the processor.
  ///
  /// Demands whose next sample is not due are left out. While the delivery has samples for a demand of a
  /// client, demands that the governor raised for rules are left out too. So deliveries to clients are never
  /// charged to rules. When the delivery has samples for no client, it wakes the processor only for readings
  /// of a device that cannot hold samples.
  func wakingDemands(of device: Int) -> [DemandSlot] {
    let served = devices[device].served
    let clients = sensing.isEmpty ? served : served.filter { !sensing.isOwn($0.id) }
    guard !clients.isEmpty else { return served }
    let due = clients.filter { !awaitsLaterSample($0, of: device) }
    guard due.isEmpty else { return due }
    return served.filter { sensing.isOwn($0.id) && demands[$0].grant.holds.isEmpty }
  }

  /// Records the end of a batch. For a device that cannot hold samples, each delivery counts as a batch.
  private mutating func noteBatch(of device: Int, _ reason: DeliveryReason) {
    guard !derived.isEmpty else { return }
    if reason != .immediate || devices[device].model.manifest.fifo == 0 { derived.batchDone(device) }
  }

  /// Notifies the rules when `isDemanded` of a device changes.
  mutating func noteDemand(on device: Int) {
    guard let isDemanded = devices.changeOfDemand(on: device) else { return }
    rules.set(demanded: devices[device].model.manifest.device, isDemanded)
  }

  /// Publishes the facts about a device that the governor itself determines.
  mutating func publishState(_ device: Int) {
    let record = devices[device]
    if let fact = record.model.onFact { setFact(fact, .boolean(record.isOn)) }
    if let fact = record.model.stateFact { setFact(fact, .symbol(record.state)) }
    if let fact = record.model.availableFact { setFact(fact, .boolean(record.isAvailable)) }
  }
}
