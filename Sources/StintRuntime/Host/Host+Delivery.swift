import StintBus
import StintGovernor
import StintModel
import StintPluginHost
import StintServices
import StintUnits

extension Host {
  /// Publishes a batch to all demands that the device serves.
  func route(_ said: Batch, from device: Int, at instant: Instant) {
    let refused = orders[device].refused
    let admitted = orders[device].admit(said, at: instant)
    if orders[device].refused > refused {
      let count = orders[device].refused - refused
      observer?.refused(
        "\(said.device): \(count) samples are dropped: duplicate, too old or in the future", at: instant)
    }
    guard var batch = admitted else { return }
    if batch.reason == .immediate, let oldest = oldest[device], let newest = batch.samples.last,
      instant - newest.instant > oldest
    {
      batch.reason = .late
    }
    let publication = topics.publish(batch)
    if let holder = publication.heldBy {
      observer?.refused(
        "\(batch.device): a batch is lost because the channel of subscriber \(holder) is full", at: instant)
      return
    }
    if isServing {
      let owned = served[device].filter { services.owns($0) }
      if !owned.isEmpty { pendingServiceInputs.append(.batch(batch, owned)) }
    }
    for id in served[device] {
      guard let mailbox = mailboxes[id] else { continue }
      guard !mailbox.isReadByClient else {
        observer?.delivered(batch, to: mailbox.demand, at: instant)
        continue
      }
      mailbox.channel.drainAll(into: &emptied)
      for waiting in emptied { observer?.delivered(waiting, to: mailbox.demand, at: instant) }
      emptied.removeAll(keepingCapacity: true)
    }
  }

  /// Applies a grant: subscribes the demand's channel to the device that serves the demand.
  func subscribe(_ demand: Demand, _ grant: Grant, at instant: Instant) {
    activeDemands[demand.id] = demand
    observer?.granted(grant, to: demand, at: instant)
    guard demand.wants.transfer == nil else { return }
    let provider = grant.provider.flatMap { governor.vocabulary.device($0) }
    var mailbox = mailboxes[demand.id] ?? makeMailbox(for: demand)
    if mailbox.provider != provider {
      leave(&mailbox)
      mailbox.provider = provider
      if let provider {
        mailbox.subscriber = topics.subscribe(mailbox.channel, to: plugins.members[provider].device)
        served[provider].append(demand.id)
        served[provider].sort()
      }
    }
    mailboxes[demand.id] = mailbox
  }

  private func makeMailbox(for demand: Demand) -> Mailbox {
    let channel = reserved.removeValue(forKey: demand.id)
    return Mailbox(
      demand: demand, channel: channel ?? BatchChannel(.dropOldest(capacity: 64)),
      isReadByClient: channel != nil)
  }

  private func leave(_ mailbox: inout Mailbox) {
    if let subscriber = mailbox.subscriber { topics.unsubscribe(subscriber) }
    if let provider = mailbox.provider { served[provider].removeAll { $0 == mailbox.demand.id } }
    mailbox.subscriber = nil
    mailbox.provider = nil
  }

  /// Removes an ended demand. Samples that were held back for it have already been delivered.
  func forget(_ demand: Demand, at instant: Instant) {
    activeDemands[demand.id] = nil
    if var mailbox = mailboxes.removeValue(forKey: demand.id) {
      leave(&mailbox)
      mailbox.channel.finish()
    }
    observer?.released(demand, at: instant)
  }
}
