import StintModel

extension ServiceBoard {
  /// What is done although nothing can be kept at present: all but notices that promise keeping, and what their services
  /// say behind them. Those wait for `handOver`.
  public mutating func withhold(_ effects: [ServiceEffect]) -> [ServiceEffect] {
    effects.filter { effect in
      guard case .notice(let id, let notice) = effect else { return true }
      guard notice.promisesKeeping || withheld.contains(where: { $0.id == id }) else { return true }
      withheld.append((id, notice))
      return false
    }
  }

  /// What waited, now that all is kept; it waits on for clients that went meanwhile.
  public mutating func handOver() -> [ServiceEffect] {
    var effects: [ServiceEffect] = []
    for entry in withheld {
      if standing(of: entry.id.client)?.isAttached == true {
        effects.append(.notice(entry.id, entry.notice))
      } else {
        kept[entry.id.client, default: []].append(entry)
      }
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
