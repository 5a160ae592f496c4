import StintBus
import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintServices
import StintUnits

extension Host {
  /// Performs the effects of the governor in their order.
  func perform(_ effects: [Effect], at instant: Instant) async {
    for effect in effects {
      noteDecision(effect, at: instant)
      await perform(effect, at: instant)
    }
  }

  private func noteDecision(_ effect: Effect, at instant: Instant) {
    guard let line = governor.decisionText(of: effect) else { return }
    journal.record(decision: line, at: instant)
    observer?.decided(governor.event(of: effect), line, at: instant)
  }

  private func perform(_ effect: Effect, at instant: Instant) async {
    switch effect {
    case .set(let device, let setting):
      silence.apply(setting, to: device, at: instant)
      await plugins.apply(setting, to: device, at: instant)
      collect(device)
    case .drain(let device, let reason):
      silence.drain(device, at: instant)
      await sensors[device]?.drain(at: instant, reason: reason)
      if supervised[device]?.isDraining ?? false { deliveries.beginDrain(of: device) }
      collect(device)
    case .carry(let device, let ids, _): await startTransfers(of: ids, on: device, at: instant)
    case .wakeProcessor(let device):
      await processors[device]?.wakeProcessor(at: instant)
      collect(device)
    case .read(let device):
      await plugins.read(device, at: instant)
      collect(device)
    case .grant(let demand, let grant):
      observer?.granted(grant, to: demand, in: governor, at: instant)
      let provider = grant.provider.flatMap { governor.vocabulary.device($0) }
      deliveries.subscribe(
        demand, to: provider, period: grant.period, service: desk.delivery(to: demand.id), at: instant)
      if desk.handles(demand.id) { desk.add(.granted(demand.id, grant)) }
    case .ended(let demand):
      await cancelTransfer(demand, at: instant)
      if let ended = deliveries.remove(demand, at: instant) { end(ended, at: instant) }
    case .act(let rule, let act): observer?.acted(act, by: rule, at: instant)
    case .began(let ruleService): apply(.startRuleService(ruleService))
    case .ceased(let ruleService): apply(.endRuleService(ruleService))
    case .moved: break
    case .refused(let sentence): observer?.refused(sentence, at: instant)
    case .faulted(let device, let sentence):
      observer?.faulted(plugins.members[device].device, sentence, at: instant)
    }
  }

  private func startTransfers(of ids: [DemandID], on device: Int, at instant: Instant) async {
    let name = plugins.members[device].device
    let demands = ids.compactMap { deliveries.demand($0) }
    observer?.transfersStarted(demands, on: name, at: instant)
    let transfers = demands.compactMap { demand in
      demand.wants.transfer.map { AssignedTransfer(demand: demand.id, transfer: $0) }
    }
    await radios[device]?.startTransfers(transfers, at: instant)
    for demand in ids where desk.owns(demand) { desk.add(.started(demand, on: name)) }
    collect(device)
  }

  /// Cancels the transfer of an ended demand on all radios.
  private func cancelTransfer(_ demand: Demand, at instant: Instant) async {
    guard demand.wants.transfer != nil else { return }
    for device in radios.indices {
      guard let radio = radios[device], !plugins.isOpening(device) else { continue }
      let bytes = await radio.cancelTransfer(demand.id, at: instant)
      collect(device)
      if let bytes, desk.owns(demand.id) { desk.add(.part(demand.id, bytes: bytes)) }
    }
  }

  /// Passes the queued orders of sessions to their carriers. Returns whether a carrier got an order.
  func deliverOrders(at instant: Instant) async -> Bool {
    let read = readOrders.withLock { orders in
      defer { orders = [] }
      return orders
    }
    for entry in read {
      _ = carriers.queue(entry.order, of: entry.service) { desk.isAvailable($0) }
    }
    let orders = carriers.drain { desk.isAvailable($0) }
    for (place, order) in orders {
      await plugins.members[place].carrier?.handle(order, at: instant)
      collect(place)
    }
    return !orders.isEmpty
  }

  /// Reports the end of a demand after its last batch, to its reader, its service and the observer.
  func end(_ ended: DeliveryTable.Ended, at instant: Instant) {
    let isCutShort = inbox.isClosed && ended.mailbox?.isReadByClient ?? false
    ended.mailbox?.channel.finish(throwing: isCutShort ? Self.shutDown : nil)
    observer?.released(ended.demand, at: instant)
    if desk.owns(ended.demand.id) { desk.add(.ended(ended.demand.id)) }
  }
}
