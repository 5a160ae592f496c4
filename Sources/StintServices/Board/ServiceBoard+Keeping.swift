import StintModel

/// What waits until the services are on the disk: a notice, or that its service is over.
struct Withheld: Sendable {
  let id: ServiceID
  /// Nil where the service is over, and `end` says why.
  var notice: (any ServiceNotice)?
  var end: ServiceEnd?

  /// How many may wait; the oldest that promises nothing makes room, or else the oldest notice.
  static let capacity = 4096
}

extension ServiceBoard {
  /// Returns what is done although nothing can be kept at present: all but notices that promise keeping, and what their
  /// services say behind them. Those wait for `handOver`.
  public mutating func withhold(_ effects: [ServiceEffect]) -> [ServiceEffect] {
    // What follows from a notice comes right behind it, and waits with it.
    var hasConsequence = false
    var orders: [ServiceEffect] = []
    let rest = effects.filter { effect in
      if hasConsequence {
        hasConsequence = false
        return false
      }
      switch effect {
      case .notice(let id, let notice):
        guard notice.promisesKeeping || isWithheld(id) else { return true }
        orders += withhold(Withheld(id: id, notice: notice))
        hasConsequence = notice.consequence != nil
        return false
      case .over(let id, let end):
        guard isWithheld(id) else { return true }
        orders += withhold(Withheld(id: id, end: end))
        return false
      default: return true
      }
    }
    return rest + orders
  }

  private func isWithheld(_ id: ServiceID) -> Bool { withheld.contains { $0.id == id } }

  /// Adds to what waits.
  ///
  /// - Returns: what is done in the client's place where a notice with a consequence was dropped.
  private mutating func withhold(_ entry: Withheld) -> [ServiceEffect] {
    withheld.append(entry)
    guard withheld.count > Withheld.capacity,
      let place = withheld.firstIndex(where: { $0.notice?.promisesKeeping == false })
        ?? withheld.firstIndex(where: { $0.notice != nil })
    else { return [] }
    let lost = withheld.remove(at: place)
    droppedNotices += 1
    return lost.notice?.consequence.map { [.order(lost.id, $0)] } ?? []
  }

  /// Keeps what waits for clients that left meanwhile with the rest of what waits for them; call it before all is kept.
  public mutating func keepForAbsent() {
    var waiting: [Withheld] = []
    for entry in withheld {
      guard let notice = entry.notice, standing(of: entry.id.client)?.isAttached != true else {
        waiting.append(entry)
        continue
      }
      if let order = keep(notice, of: entry.id) { waiting.append(order) }
    }
    withheld = waiting
  }

  /// Keeps a notice outside of a step.
  private mutating func keep(_ notice: any ServiceNotice, of id: ServiceID) -> Withheld? {
    guard let lost = kept[id.client, default: NoticeQueue()].append(id, notice) else { return nil }
    droppedNotices += 1
    return lost.notice.consequence == nil ? nil : Withheld(id: lost.id, notice: lost.notice)
  }

  /// What waited, now that all is kept.
  public mutating func handOver() -> [ServiceEffect] {
    var effects: [ServiceEffect] = []
    for entry in withheld {
      if let end = entry.end { effects.append(.over(entry.id, end)) }
      guard let notice = entry.notice else { continue }
      if standing(of: entry.id.client)?.isAttached == true {
        effects.append(.notice(entry.id, judged(notice, of: entry.id)))
      }
      if let order = notice.consequence { effects.append(.order(entry.id, order)) }
    }
    withheld.removeAll()
    return effects
  }

  /// How many notices a client that is away finds when memory was short.
  static let fewestNotices = 16

  /// Drops all but the newest notices for clients that are away; returns their number. Each such client gets
  /// a warning.
  public mutating func dropOldNotices() -> Int {
    var count = 0
    for client in kept.keys.sorted() { count += kept[client]?.keepNewest(Self.fewestNotices) ?? 0 }
    droppedNotices += count
    if count > 0 { mustRemember = true }
    return count
  }

  /// A notice as it is handed over now, later than it was said: what is old by now says so.
  func judged(_ notice: any ServiceNotice, of id: ServiceID) -> any ServiceNotice {
    notice.judged(at: now, maxAge: services[id]?.service.maxAge ?? LocationDefaults.maxAge)
  }
}
