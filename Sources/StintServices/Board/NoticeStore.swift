import StintModel
import StintUnits

/// The notices that are not delivered yet: the notices for detached clients, and the notices that must be
/// saved first. A notice may have an order (`consequence`), which is normally carried out after the client
/// has read the notice, for example to remove a fetched file.
struct NoticeStore: Sendable {
  /// Output that waits until the services are saved: a notice, or the end of a service.
  private struct Output: Sendable {
    let id: ServiceID
    /// The number of the save that must precede this output.
    let save: Int
    /// The notice; nil when the service has ended for the reason in `end`.
    var notice: (any ServiceNotice)?
    var end: ServiceEnd?
  }

  /// The queued notices of detached clients. Only services that outlive their clients have queued notices.
  private var queues: [ClientID: NoticeQueue] = [:]
  /// The output that must wait until the services are saved, in the order of delivery. Includes the later
  /// output of the same services.
  private var withheld: [Output] = []
  /// The number of notices dropped until now, because a queue was full or memory was low.
  private(set) var dropped = 0

  /// The largest number of withheld entries. Above this number, the oldest notice that does not promise
  /// persistence is dropped. When all notices promise persistence, the oldest notice is dropped.
  static let maxWithheld = 4096
  /// The number of newest notices that each detached client keeps when memory is low.
  private static let keptInLowMemory = 16

  var withheldCount: Int { withheld.count }

  // MARK: Detached clients

  /// Queues a notice until its client attaches again.
  ///
  /// - Returns: the order of a notice that was dropped for lack of space; nil when no notice was dropped, or
  ///   when the dropped notice has no order.
  mutating func keep(_ id: ServiceID, _ notice: any ServiceNotice) -> (id: ServiceID, any ServiceOrder)? {
    guard let lost = queues[id.client, default: NoticeQueue()].append(id, notice) else { return nil }
    dropped += 1
    return lost.notice.consequence.map { (lost.id, $0) }
  }

  /// Removes and returns the queued notices of a client. When notices were dropped, a notice with their
  /// number comes first.
  mutating func takeQueue(of client: ClientID) -> [NoticeQueue.Entry] {
    queues.removeValue(forKey: client)?.withLoss ?? []
  }

  /// Removes the queued notices of a client that will not read them, and returns their orders.
  mutating func removeQueue(of client: ClientID) -> [(id: ServiceID, any ServiceOrder)] {
    (queues.removeValue(forKey: client)?.entries ?? []).compactMap { entry in
      entry.notice.consequence.map { (entry.id, $0) }
    }
  }

  /// Removes the queued notices of a service, because the client lacks the permission to read them. Returns
  /// their orders.
  mutating func removeQueue(of id: ServiceID) -> [(id: ServiceID, any ServiceOrder)] {
    (queues[id.client]?.remove(id) ?? []).compactMap { entry in entry.notice.consequence.map { (id, $0) } }
  }

  /// The queued notices that survive a restart, sorted by client.
  var saved: [SavedEntry] {
    queues.keys.sorted().flatMap { client in
      (queues[client]?.entries ?? []).compactMap { entry in
        (entry.notice as? any PersistentNotice).map { SavedEntry(entry.id, $0) }
      }
    }
  }

  /// The dropped notices that are not reported to detached clients yet, sorted by client. Nil when no notice
  /// was dropped.
  var losses: [NoticeLoss]? {
    let all = queues.keys.sorted().compactMap { queues[$0]?.loss }
    return all.isEmpty ? nil : all
  }

  mutating func restore(_ losses: [NoticeLoss]) {
    for loss in losses { queues[loss.id.client, default: NoticeQueue()].lose(loss) }
  }

  /// Drops old notices of detached clients and returns the number of dropped notices.
  ///
  /// The newest notices, and all notices with a `consequence`, stay. Each client whose notices were dropped
  /// gets a warning.
  mutating func dropOld() -> Int {
    var count = 0
    for client in queues.keys.sorted() { count += queues[client]?.keepNewest(Self.keptInLowMemory) ?? 0 }
    dropped += count
    return count
  }

  // MARK: Withheld output

  /// Withholds the notices that promise persistence, and all later output of their services. Returns the
  /// other effects, followed by the orders that dropped notices cause.
  ///
  /// - Parameter save: the number of the save that must precede the output; it never decreases.
  mutating func withhold(_ effects: [ServiceEffect], until save: Int) -> [ServiceEffect] {
    var orders: [ServiceEffect] = []
    let rest = effects.filter { effect in
      switch effect {
      case .notice(let id, let notice):
        guard notice.promisesPersistence || isWithheld(id) else { return true }
        orders += withhold(Output(id: id, save: save, notice: notice))
        return false
      case .over(let id, let end):
        guard isWithheld(id) else { return true }
        orders += withhold(Output(id: id, save: save, end: end))
        return false
      default: return true
      }
    }
    return rest + orders
  }

  private func isWithheld(_ id: ServiceID) -> Bool { withheld.contains { $0.id == id } }

  /// Adds an entry to the waiting output.
  ///
  /// - Returns: the consequence of a notice that was dropped for lack of space.
  private mutating func withhold(_ entry: Output) -> [ServiceEffect] {
    withheld.append(entry)
    guard withheld.count > Self.maxWithheld,
      let place = withheld.firstIndex(where: { $0.notice?.promisesPersistence == false })
        ?? withheld.firstIndex(where: { $0.notice != nil })
    else { return [] }
    let lost = withheld.remove(at: place)
    dropped += 1
    return lost.notice?.consequence.map { [.order(lost.id, $0)] } ?? []
  }

  /// Discards the withheld notices of a service that ended with its client, because no process reads these
  /// notices any longer. Returns the orders of the notices and the end of the service.
  mutating func discardWithheld(of id: ServiceID) -> [ServiceEffect] {
    var effects: [ServiceEffect] = []
    for entry in withheld where entry.id == id {
      if let order = entry.notice?.consequence { effects.append(.order(id, order)) }
      if let end = entry.end { effects.append(.over(id, end)) }
    }
    withheld.removeAll { $0.id == id }
    return effects
  }

  /// Moves withheld notices of detached clients to the queues of those clients. Returns false when no
  /// notice moves.
  mutating func queueForDetachedClients(_ clients: ClientTable) -> Bool {
    var isChanged = false
    var waiting: [Output] = []
    for entry in withheld {
      guard let notice = entry.notice, clients[entry.id.client]?.isAttached != true else {
        waiting.append(entry)
        continue
      }
      isChanged = true
      guard let lost = queues[entry.id.client, default: NoticeQueue()].append(entry.id, notice) else {
        continue
      }
      dropped += 1
      if lost.notice.consequence != nil {
        waiting.append(Output(id: lost.id, save: entry.save, notice: lost.notice))
      }
    }
    withheld = waiting
    return isChanged
  }

  /// Removes the output that waited for this save or an earlier save, and returns this output as effects.
  ///
  /// - Parameter aged: returns the form of a notice for delivery now, in which old data are marked as old.
  mutating func release(
    through save: Int, _ clients: ClientTable, aged: (any ServiceNotice, ServiceID) -> any ServiceNotice
  ) -> [ServiceEffect] {
    let count = withheld.firstIndex { $0.save > save } ?? withheld.count
    defer { withheld.removeFirst(count) }
    return withheld[..<count].flatMap { entry -> [ServiceEffect] in
      let end = entry.end.map { [ServiceEffect.over(entry.id, $0)] } ?? []
      guard let notice = entry.notice else { return end }
      if clients[entry.id.client]?.isAttached == true {
        return end + [.notice(entry.id, aged(notice, entry.id))]
      }
      return end + (notice.consequence.map { [.order(entry.id, $0)] } ?? [])
    }
  }
}
