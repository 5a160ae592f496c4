import StintBus
import StintModel
import StintPluginKit
import StintUnits

/// The active demands of a host, with their channels and their subscriptions to devices.
///
/// The table decides which demands receive a batch, and when a demand has received its last batch.
struct DeliveryTable: ~Copyable {
  /// The result of routing a batch.
  struct Routing {
    /// The batch without rejected samples; nil when all samples were rejected.
    var batch: Batch?
    var receivers: [Receiver] = []
    /// Sentences about dropped samples.
    var refusals: [String] = []
  }

  /// A demand that has received its last batch, with its mailbox. The mailbox is nil when the demand never
  /// had a mailbox.
  struct Ended {
    let demand: Demand
    let mailbox: Mailbox?
  }

  private let devices: [DeviceID]
  /// True when the observer of the host gets the batches that no client reads.
  private let isObserved: Bool
  /// By device index: the largest maximum age of its facts; nil when no fact has a maximum age.
  private let oldest: [TimeSpan?]
  /// By device index: the filter that keeps the samples of the device in order.
  private var orders: [OrderFilter]
  /// The subscriptions of demands to devices.
  private var topics = TopicTable()
  private var mailboxes: [DemandID: Mailbox] = [:]
  /// The demands that a device no longer serves, but for which it still delivers stored samples.
  private var drains = DrainTable()
  /// By device index: the number of batches without a valid sample since the last valid sample.
  private var invalidBatches: [Int]
  /// By device index: the receivers that the device serves now, sorted by demand.
  private var served: [[Receiver]]
  /// The channels of clients that wait for a demand, by the id of the demand that the client will raise.
  private var reserved: [DemandID: BatchChannel] = [:]
  private var demands: [DemandID: Demand] = [:]
  /// Released demands that have not ended yet, but must get no further samples.
  private var withdrawn: Set<DemandID> = []
  /// The number of held samples that arrived after the last of their demands had ended.
  private(set) var unreceivedSamples = 0

  /// - Parameter isObserved: false when no observer gets the batches that no client reads.
  init(_ manifests: [Manifest], isObserved: Bool = true) {
    self.isObserved = isObserved
    devices = manifests.map(\.device)
    oldest = manifests.map { $0.facts.compactMap(\.maxAge).max() }
    orders = Array(repeating: OrderFilter(), count: manifests.count)
    served = Array(repeating: [], count: manifests.count)
    invalidBatches = Array(repeating: 0, count: manifests.count)
  }

  // MARK: Demands

  /// The ids of the active demands, sorted.
  var active: [DemandID] { demands.keys.sorted() }

  /// Returns an active demand; nil when it has ended or was never raised.
  func demand(_ id: DemandID) -> Demand? { demands[id] }

  mutating func add(_ demand: Demand) { demands[demand.id] = demand }

  /// Reserves a channel for a demand that will be raised.
  mutating func reserve(_ channel: BatchChannel, for demand: DemandID) { reserved[demand] = channel }

  /// Cancels the reservation for a demand that was not raised.
  mutating func cancelReservation(of demand: DemandID) { reserved[demand] = nil }

  /// Prevents a released demand from getting further samples.
  mutating func withdraw(_ demand: DemandID) { if demands[demand] != nil { withdrawn.insert(demand) } }

  /// Subscribes the demand's channel to the device that serves the demand, at the granted rate.
  ///
  /// - Parameters:
  ///   - provider: the index of the device that serves the demand; nil when none serves it.
  ///   - service: how the batches reach the service of the demand.
  mutating func subscribe(
    _ demand: Demand, to provider: Int?, period: TimeSpan?, service: ServiceDelivery = .none,
    at instant: Instant
  ) {
    demands[demand.id] = demand
    guard demand.wants.transfer == nil else { return }
    var mailbox = mailboxes[demand.id] ?? makeMailbox(for: demand, service)
    if mailbox.provider != provider {
      leave(&mailbox, isEnded: false, at: instant)
      mailbox.provider = provider
      if let provider {
        mailbox.subscriber = drains.resume(demand.id, on: provider)?.subscriber
        if mailbox.subscriber == nil, mailbox.isReadByClient || isObserved {
          mailbox.subscriber = topics.subscribe(mailbox.channel, to: devices[provider], period: period)
        }
        served[provider].append(mailbox.receiver)
        served[provider].sort { $0.demand.id < $1.demand.id }
      }
    }
    if let subscriber = mailbox.subscriber { topics.setPeriod(period, of: subscriber) }
    mailboxes[demand.id] = mailbox
  }

  private mutating func makeMailbox(for demand: Demand, _ service: ServiceDelivery) -> Mailbox {
    let channel = reserved.removeValue(forKey: demand.id)
    return Mailbox(
      receiver: Receiver(
        demand: demand, channel: channel ?? BatchChannel(.dropOldest(capacity: 64)),
        isReadByClient: channel != nil, service: service))
  }

  /// Records that the device of a demand no longer serves the demand. While a drain is in progress, the
  /// subscription remains until the drain ends.
  private mutating func leave(_ mailbox: inout Mailbox, isEnded: Bool, at instant: Instant) {
    if let provider = mailbox.provider {
      served[provider].removeAll { $0 === mailbox.receiver }
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

  /// Removes a demand. Returns nil while a drain still delivers held samples to the demand.
  mutating func remove(_ demand: Demand, at instant: Instant) -> Ended? {
    demands[demand.id] = nil
    guard var mailbox = mailboxes.removeValue(forKey: demand.id) else { return end(demand, nil) }
    let isDraining = mailbox.provider.map { drains.isOpen($0) } ?? false
    leave(&mailbox, isEnded: true, at: instant)
    return isDraining || drains.markEnded(demand.id) ? nil : end(demand, mailbox)
  }

  private mutating func end(_ demand: Demand, _ mailbox: Mailbox?) -> Ended {
    withdrawn.remove(demand.id)
    return Ended(demand: demand, mailbox: mailbox)
  }

  /// Ends all open streams of clients with a failure, also the reserved streams.
  mutating func finishStreams(throwing failure: Problem) {
    for demand in mailboxes.keys.sorted() where mailboxes[demand]?.isReadByClient == true {
      mailboxes[demand]?.channel.finish(throwing: failure)
    }
    for demand in reserved.keys.sorted() { reserved[demand]?.finish(throwing: failure) }
    reserved.removeAll()
  }

  // MARK: Drains

  /// Begins a drain of a device whose plugin answers asynchronously.
  mutating func beginDrain(of device: Int) { drains.begin(device) }

  /// Returns whether a device has a drain in progress.
  func isDraining(_ device: Int) -> Bool { drains.isOpen(device) }

  /// Ends the drain of a device. From now on, demands that the device no longer serves receive none of its
  /// batches. Returns the demands that end now.
  mutating func endDrain(of device: Int) -> [Ended] {
    drains.end(device).compactMap { entry in
      if let subscriber = entry.mailbox.subscriber { topics.unsubscribe(subscriber) }
      return entry.isEnded ? end(entry.mailbox.demand, entry.mailbox) : nil
    }
  }

  // MARK: Batches

  /// Publishes a batch to all demands that the device serves. Also publishes the batch to the demands for
  /// which a drain is in progress. Samples that are duplicate, too old or in the future are dropped first.
  mutating func route(_ received: Batch, from device: Int, at instant: Instant) -> Routing {
    var refusals: [String] = []
    let refusedBefore = orders[device].refused
    let admitted = orders[device].admit(received, at: instant)
    if orders[device].refused > refusedBefore {
      let count = orders[device].refused - refusedBefore
      let samples = count == 1 ? "1 sample is" : "\(count) samples are"
      refusals.append("\(received.device): \(samples) dropped: duplicate, too old or in the future")
    }
    guard var batch = admitted else {
      noteInvalidBatch(of: device)
      return Routing(batch: nil, refusals: refusals)
    }
    if !batch.samples.isEmpty { invalidBatches[device] = 0 }
    if batch.reason == .immediate, let oldest = oldest[device], let newest = batch.samples.last,
      instant - newest.instant > oldest
    {
      batch.reason = .late
    }
    topics.publish(batch)
    var receivers = served[device]
    if drains.isOpen(device) { receivers += drains.receivers(of: device) }
    if receivers.isEmpty, batch.reason != .immediate, let sentence = noteUnreceived(batch, from: device) {
      refusals.append(sentence)
    }
    if !withdrawn.isEmpty { receivers.removeAll { withdrawn.contains($0.demand.id) } }
    return Routing(batch: batch, receivers: receivers, refusals: refusals)
  }

  /// The number of consecutive batches without a valid sample that count as a fault of the device. A single
  /// batch can be late, or a repetition.
  private static let invalidBatchesOfFault = 3

  /// Records a batch in which no sample is valid.
  mutating func noteInvalidBatch(of device: Int) {
    invalidBatches[device] = invalidBatches[device].addingSaturated(1)
  }

  /// Returns the text of a fault when a device has delivered only invalid batches for some time; otherwise
  /// nil. The count begins again with each fault.
  mutating func takeFault(of device: Int) -> String? {
    guard invalidBatches[device] >= Self.invalidBatchesOfFault else { return nil }
    invalidBatches[device] = 0
    return "no sample of the last \(Self.invalidBatchesOfFault) batches is valid"
  }

  /// Counts samples that a device measured for a demand and delivers when no demand receives them any more.
  /// Returns a sentence about them; nil without such samples. A sample that the device measured after the end
  /// of its last demand is not lost.
  private mutating func noteUnreceived(_ batch: Batch, from device: Int) -> String? {
    guard let end = drains.lastEnd(of: device) else { return nil }
    let lost = batch.samples.count { $0.instant <= end }
    guard lost > 0 else { return nil }
    unreceivedSamples = unreceivedSamples.addingSaturated(lost)
    return lost == 1
      ? "\(batch.device): 1 held sample is dropped: its demand has ended"
      : "\(batch.device): \(lost) held samples are dropped: their demands have ended"
  }
}
