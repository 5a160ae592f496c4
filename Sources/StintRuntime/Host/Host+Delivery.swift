import StintBus
import StintGovernor
import StintModel
import StintPluginHost
import StintServices
import StintUnits

extension Host {
  /// Publishes a batch to all demands that the device serves, and to those for which a drain is in progress.
  /// Samples that are duplicate, too old or in the future are dropped first.
  func route(_ received: Batch, from device: Int, at instant: Instant) {
    let refusedBefore = orders[device].refused
    let admitted = orders[device].admit(received, at: instant)
    if orders[device].refused > refusedBefore {
      let count = orders[device].refused - refusedBefore
      observer?.refused(
        "\(received.device): \(count) samples are dropped: duplicate, too old or in the future", at: instant)
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
    var receivers = served[device].compactMap { mailboxes[$0] } + drains.mailboxes(of: device)
    if receivers.isEmpty, batch.reason != .immediate { noteUnreceived(batch, from: device, at: instant) }
    if !withdrawn.isEmpty { receivers.removeAll { withdrawn.contains($0.demand.id) } }
    let owned = isServing ? receivers.map(\.demand.id).filter { services.handles($0) } : []
    // A service receives every sample, because samples that were measured for other clients cost no extra
    // energy. The service delivers to its client at the client's rate.
    if !owned.isEmpty { pendingServiceInputs.append(.batch(batch, owned)) }
    for mailbox in receivers {
      guard !mailbox.isReadByClient else {
        observer?.delivered(batch, to: mailbox.demand, at: instant)
        continue
      }
      mailbox.channel.drainAll(into: &deliveryBuffer)
      for waiting in deliveryBuffer { observer?.delivered(waiting, to: mailbox.demand, at: instant) }
      deliveryBuffer.removeAll(keepingCapacity: true)
    }
  }

  /// Counts samples that a device measured for a demand and delivers when no demand receives them any more. A
  /// sample that the device measured after its last demand, while it lingered, is not lost.
  private func noteUnreceived(_ batch: Batch, from device: Int, at instant: Instant) {
    guard let end = drains.lastEnd(of: device) else { return }
    let lost = batch.samples.count { $0.instant <= end }
    guard lost > 0 else { return }
    losses.unreceivedSamples = losses.unreceivedSamples.addingSaturated(lost)
    observer?.refused(
      "\(batch.device): \(lost) held samples are dropped: their demands have ended", at: instant)
  }

  /// Applies a grant: subscribes the demand's channel to the device that serves the demand, at the granted
  /// rate.
  func subscribe(_ demand: Demand, _ grant: Grant, at instant: Instant) {
    activeDemands[demand.id] = demand
    observer?.granted(grant, to: demand, at: instant)
    guard demand.wants.transfer == nil else { return }
    let provider = grant.provider.flatMap { governor.vocabulary.device($0) }
    let pace = grant.period.map { SubscriberRate(period: $0) }
    var mailbox = mailboxes[demand.id] ?? makeMailbox(for: demand)
    if mailbox.provider != provider {
      leave(&mailbox, isEnded: false, at: instant)
      mailbox.provider = provider
      if let provider {
        mailbox.subscriber =
          drains.resume(demand.id, on: provider)?.subscriber
          ?? topics.subscribe(mailbox.channel, to: plugins.members[provider].device, pace: pace)
        served[provider].append(demand.id)
        served[provider].sort()
      }
    }
    if let subscriber = mailbox.subscriber { topics.setPace(pace, of: subscriber) }
    mailboxes[demand.id] = mailbox
  }

  private func makeMailbox(for demand: Demand) -> Mailbox {
    let channel = reserved.removeValue(forKey: demand.id)
    return Mailbox(
      demand: demand, channel: channel ?? BatchChannel(.dropOldest(capacity: 64)),
      isReadByClient: channel != nil)
  }

  /// Records that the device of a demand no longer serves the demand. While a drain is in progress, the
  /// subscription remains until the drain ends.
  private func leave(_ mailbox: inout Mailbox, isEnded: Bool, at instant: Instant) {
    if let provider = mailbox.provider {
      served[provider].removeAll { $0 == mailbox.demand.id }
      drains.noteEnd(of: provider, at: instant)
      if drains.isOpen(provider) {
        drains.keep(mailbox, of: provider, isEnded: isEnded)
        mailbox.subscriber = nil
      }
    }
    if let subscriber = mailbox.subscriber { topics.unsubscribe(subscriber) }
    mailbox.subscriber = nil
    mailbox.provider = nil
  }

  /// Ends the drain of a device. Demands that the device no longer serves then receive none of its later
  /// batches.
  func endDrain(_ device: Int) {
    for entry in drains.end(device) {
      if let subscriber = entry.mailbox.subscriber { topics.unsubscribe(subscriber) }
      if entry.isEnded { end(entry.mailbox.demand, entry.mailbox, at: governor.now) }
    }
  }

  /// Removes an ended demand. It ends now, or with the drain that still delivers held samples to it.
  func forget(_ demand: Demand, at instant: Instant) {
    activeDemands[demand.id] = nil
    if var mailbox = mailboxes.removeValue(forKey: demand.id) {
      let isDraining = mailbox.provider.map { drains.isOpen($0) } ?? false
      leave(&mailbox, isEnded: true, at: instant)
      if isDraining || drains.markEnded(demand.id) { return }
      end(demand, mailbox, at: instant)
    } else {
      end(demand, nil, at: instant)
    }
  }

  /// Reports the end of a demand after its last batch, to its reader, its service and the observer.
  private func end(_ demand: Demand, _ mailbox: Mailbox?, at instant: Instant) {
    withdrawn.remove(demand.id)
    let isCutShort = isClosed && mailbox?.isReadByClient ?? false
    mailbox?.channel.finish(throwing: isCutShort ? Self.shutDown : nil)
    observer?.released(demand, at: instant)
    if services.owns(demand.id) { pendingServiceInputs.append(.ended(demand.id)) }
  }
}
