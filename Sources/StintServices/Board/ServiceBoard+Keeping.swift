import StintModel

extension ServiceBoard {
  /// What is done although nothing can be kept at present: all but notices that promise keeping, and what their services
  /// say behind them. Those wait for `handOver`.
  public mutating func withhold(_ effects: [ServiceEffect]) -> [ServiceEffect] {
    // What follows from a notice comes right behind it, and waits with it.
    var hasConsequence = false
    return effects.filter { effect in
      if hasConsequence {
        hasConsequence = false
        return false
      }
      guard case .notice(let id, let notice) = effect else { return true }
      guard notice.promisesKeeping || withheld.contains(where: { $0.id == id }) else { return true }
      withheld.append((id, notice))
      hasConsequence = notice.consequence != nil
      return false
    }
  }

  /// Of what waits, that for clients that went meanwhile is kept for them; call it before all is kept.
  public mutating func keepForAbsent() {
    var waiting: [(id: ServiceID, notice: any ServiceNotice)] = []
    for entry in withheld {
      if standing(of: entry.id.client)?.isAttached == true {
        waiting.append(entry)
      } else {
        kept[entry.id.client, default: []].append(entry)
      }
    }
    withheld = waiting
  }

  /// What waited, now that all is kept.
  public mutating func handOver() -> [ServiceEffect] {
    var effects: [ServiceEffect] = []
    for entry in withheld {
      effects.append(.notice(entry.id, entry.notice))
      if let order = entry.notice.consequence { effects.append(.order(entry.id, order)) }
    }
    withheld.removeAll()
    return effects
  }

  /// How many notices a client that is away finds when memory was short.
  static let fewestNotices = 16

  /// Drops all but the newest notices for clients that are away, and says how many; each of those clients will be told.
  public mutating func dropOldNotices() -> Int {
    var dropped = 0
    for client in kept.keys.sorted() {
      guard let entries = kept[client], entries.count > Self.fewestNotices else { continue }
      let count = entries.count - Self.fewestNotices
      let loss = ServiceFailure(.lost, "\(count) notices were dropped because memory was short")
      kept[client] = [(entries[count - 1].id, loss)] + entries.dropFirst(count)
      dropped += count
    }
    if dropped > 0 { mustRemember = true }
    return dropped
  }
}
