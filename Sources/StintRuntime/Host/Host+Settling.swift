import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintServices
import StintUnits

extension Host {
  /// The maximum number of governor steps at one instant. More steps mean an endless loop.
  private static let maxSteps = 10_000

  /// Steps the governor at one instant until no device has further reports for this instant.
  ///
  /// A device with its own thread may have reported at a later instant than `wanted`, so that the governor is
  /// already ahead. In that case the step happens at the governor's instant, because the governor would
  /// reject an earlier step together with its inputs.
  ///
  /// - Parameter noted: the number of inputs at the start of `first` that the services already received.
  func step(_ wanted: Instant, inputs first: [Input] = [], noted: Int = 0) async {
    let instant = max(wanted, governor.now)
    var inputs = gather(upTo: instant)
    var known = inputs.count..<(inputs.count + noted)
    inputs += first
    var isFirst = true
    for _ in 0..<Self.maxSteps {
      guard isFirst || !inputs.isEmpty || !pendingServiceInputs.isEmpty else {
        report(instant)
        return
      }
      isFirst = false
      await step(inputs, at: instant, known: known)
      known = 0..<0
      inputs = gather(upTo: instant)
      guard isServing else { continue }
      inputs += stepServices(at: instant)
      if await deliverOrders(at: instant) { inputs += gather(upTo: instant) }
    }
    observer?.refused("devices and policies respond to each other endlessly", at: instant)
  }

  /// Reports the state of the governor to the observer.
  private func report(_ instant: Instant) {
    for sentence in recorder?.settled(at: instant, governor: { governor }) ?? [] {
      observer?.logged(sentence, at: instant)
    }
    guard let observer else { return }
    if observer.observesIdle { observer.becameIdle(governor, at: instant) }
    guard instant >= nextReport else { return }
    nextReport = instant + .minutes(1)
    observer.settled(governor, at: instant)
  }

  /// Performs one step: passes inputs to the governor and performs the effects.
  ///
  /// - Parameter known: the indices of inputs that the services already received.
  private func step(_ inputs: [Input], at instant: Instant, known: Range<Int>) async {
    steps += 1
    for (index, input) in inputs.enumerated() { note(input, isKnown: known.contains(index), at: instant) }
    recorder?.record(inputs, at: instant)
    let effects = governor.step(inputs, at: instant)
    governorTimer = governor.nextTimer
    if !effects.isEmpty { await perform(effects, at: instant) }
  }

  /// Performs the effects of the governor in their order.
  func perform(_ effects: [Effect], at instant: Instant) async {
    for effect in effects {
      noteDecision(effect, at: instant)
      await perform(effect, at: instant)
    }
  }

  private func noteDecision(_ effect: Effect, at instant: Instant) {
    guard let line = governor.decisionText(of: effect) else { return }
    log.append(line)
    recorder?.record(decision: line, at: instant)
    observer?.decided(line, at: instant)
  }

  private func perform(_ effect: Effect, at instant: Instant) async {
    switch effect {
    case .set(let device, let setting):
      await plugins.apply(setting, to: device, at: instant)
      collect(device)
    case .drain(let device, let reason):
      await sensors[device]?.drain(at: instant, reason: reason)
      if supervised[device]?.isDraining ?? false { drains.begin(device) }
      collect(device)
    case .carry(let device, let ids, _):
      let demands = ids.compactMap { activeDemands[$0] }
      observer?.transfersStarted(demands, on: plugins.members[device].device, at: instant)
      let transfers = demands.compactMap { demand in
        demand.wants.transfer.map { AssignedTransfer(demand: demand.id, transfer: $0) }
      }
      await radios[device]?.startTransfers(transfers, at: instant)
      for demand in ids where services.owns(demand) {
        pendingServiceInputs.append(.started(demand, on: plugins.members[device].device))
      }
      collect(device)
    case .wakeProcessor(let device):
      await processors[device]?.wakeProcessor(at: instant)
      collect(device)
    case .read(let device):
      if plugins.loss(device) == nil { await sources[device]?.read(at: instant) }
      collect(device)
    case .grant(let demand, let grant):
      subscribe(demand, grant, at: instant)
      if services.handles(demand.id) { pendingServiceInputs.append(.granted(demand.id, grant)) }
    case .ended(let demand):
      await cancelTransfer(demand, at: instant)
      forget(demand, at: instant)
    case .act(let rule, let act): observer?.acted(act, by: rule, at: instant)
    case .began(let lease): apply(.lease(lease))
    case .ceased(let lease): apply(.releaseLease(lease))
    case .moved: break
    case .refused(let sentence): observer?.refused(sentence, at: instant)
    }
  }

  /// Passes the queued orders of sessions to their carriers. Returns whether there were any.
  private func deliverOrders(at instant: Instant) async -> Bool {
    let read = readOrders.withLock { orders in
      defer { orders = [] }
      return orders
    }
    for entry in read {
      _ = carriers.queue(entry.order, of: entry.service) { services.isAvailable($0) }
    }
    let orders = carriers.drain()
    for (place, order) in orders {
      await plugins.members[place].carrier?.handle(order, at: instant)
      collect(place)
    }
    return !orders.isEmpty
  }

  /// Cancels the transfer of an ended demand on all radios.
  private func cancelTransfer(_ demand: Demand, at instant: Instant) async {
    guard demand.wants.transfer != nil else { return }
    for device in radios.indices {
      guard let radio = radios[device] else { continue }
      let bytes = await radio.cancelTransfer(demand.id, at: instant)
      collect(device)
      if let bytes, services.owns(demand.id) { pendingServiceInputs.append(.part(demand.id, bytes: bytes)) }
    }
  }

  /// Collects the new reports of a device. Batches are routed at once, to the demands that the device serves
  /// now.
  func collect(_ device: Int) {
    // A plugin adds its batches to the port before it completes a drain, so the drain can end once they are
    // routed.
    let isDrained = drains.isOpen(device) && !(supervised[device]?.isDraining ?? false)
    defer { if isDrained { endDrain(device) } }
    alarms[device] = ports[device].drainEvents(into: &portEvents) ?? .distantFuture
    reportDroppedReadings(device)
    if filter != nil, !portEvents.isEmpty {
      portEvents = filter?.pass(portEvents, of: device) ?? []
      filterTimer = filter?.nextInstant ?? .distantFuture
    }
    queueReports(device)
  }

  /// Collects the reports that the filter itself produces: delayed reports and availability changes.
  func passFilter(at instant: Instant) {
    for device in ports.indices {
      portEvents = filter?.release(device, at: instant) ?? []
      queueReports(device)
    }
    filterTimer = filter?.nextInstant ?? .distantFuture
  }

  /// Routes the batches of a device, and adds all its events to the pending reports.
  private func queueReports(_ device: Int) {
    let sortedCount = pending.count
    for event in portEvents {
      if case .batch(let batch, let instant) = event { route(batch, from: device, at: instant) }
      pending.append(Pending(instant: event.instant, device: device, event: event))
    }
    portEvents.removeAll(keepingCapacity: true)
    // At most one device runs ahead of the present instant, so `pending` is almost sorted.
    for index in max(sortedCount, 1)..<max(pending.count, sortedCount, 1) {
      var place = index
      while place > 0, pending[place].instant < pending[place - 1].instant {
        pending.swapAt(place, place - 1)
        place -= 1
      }
    }
    let surplus = pending.count - Self.mostPending
    guard surplus > 0 else { return }
    // The clock of a device is far ahead. Drop the reports that lie furthest in the future.
    pending.removeLast(surplus)
    losses.droppedReports += surplus
    observer?.refused(
      "\(plugins.members[device].device): \(surplus) reports are dropped; "
        + "\(Self.mostPending) are already waiting",
      at: governor.now)
  }

  /// The maximum number of reports that wait for their instants. Above this number, the reports furthest in
  /// the future are dropped and counted.
  static let mostPending = 131_072

  /// Converts the reports of devices up to an instant to inputs of the governor.
  private func gather(upTo instant: Instant) -> [Input] {
    guard let first = pending.first, first.instant <= instant else { return [] }
    var inputs: [Input] = []
    var count = 0
    while count < pending.count, pending[count].instant <= instant {
      if let input = input(from: pending[count]) { inputs.append(input) }
      count += 1
    }
    pending.removeFirst(count)
    return inputs
  }

  private func input(from report: Pending) -> Input? {
    switch report.event {
    case .outcome(let outcome, let instant):
      observer?.reported(outcome, of: plugins.members[report.device].manifest, at: instant)
      return .outcome(device: report.device, outcome)
    case .fact(let fact, let value, _):
      let number = factNumbers[report.device][fact]
      return muted.contains(number) ? nil : .fact(number, value)
    case .batch(let batch, _):
      return .delivered(device: report.device, samples: batch.samples.count, reason: batch.reason)
    case .carried(let demand, _): return .carried(demand)
    case .transferred(let attempt, _):
      if let input = carriers.input(for: attempt, from: report.device) { pendingServiceInputs.append(input) }
      return nil
    case .available(let isThere, _):
      if !isThere { pendingServiceInputs += carriers.lose(report.device) }
      return .available(device: report.device, isThere)
    }
  }

  private func note(_ input: Input, isKnown: Bool, at instant: Instant) {
    if isServing, !isKnown { forwardToServices(input) }
    guard case .raise(let demand) = input else { return }
    activeDemands[demand.id] = demand
    observer?.raised(demand, at: instant)
  }
}
