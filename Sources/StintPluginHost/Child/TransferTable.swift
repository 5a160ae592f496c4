import StintModel
import StintPluginKit

/// The transfers that a plugin's process has not answered.
///
/// Each attempt has its own number, because the host may start a transfer of a demand again before the plugin
/// has confirmed that the former attempt was stopped.
struct TransferTable: Sendable {
  /// The maximum number of transfers without an answer.
  private static let limit = 1024

  /// The demands of the transfers in progress, by number.
  private var demands: [DemandID: DemandID] = [:]
  /// The numbers of abandoned transfers that the plugin has not answered.
  private var abandoned: Set<DemandID> = []
  private var lastNumber: Int64 = 0
  /// The largest number of a transfer that ended because its device was gone. Late answers to such a transfer
  /// have no effect.
  private var lastForgotten: Int64 = 0

  /// Adds a transfer and returns its number; nil when too many transfers are unanswered.
  mutating func begin(_ demand: DemandID) -> DemandID? {
    guard demands.count + abandoned.count < Self.limit else { return nil }
    lastNumber += 1
    demands[DemandID(lastNumber)] = demand
    return DemandID(lastNumber)
  }

  /// Marks the transfer of a demand as abandoned, and returns its number. Nil when no transfer of the demand
  /// is in progress.
  mutating func cancelTransfer(_ demand: DemandID) -> DemandID? {
    guard let number = demands.first(where: { $0.value == demand })?.key else { return nil }
    demands[number] = nil
    abandoned.insert(number)
    return number
  }

  /// Ends all transfers without an answer, because their device is gone.
  mutating func forget() {
    demands = [:]
    abandoned = []
    lastForgotten = lastNumber
  }

  private func isForgotten(_ number: DemandID) -> Bool { number.number > 0 && number.number <= lastForgotten }

  /// Removes a completed transfer.
  ///
  /// - Returns: its demand. Nil for a transfer that was complete before the plugin received the request to
  ///   stop it, and for a transfer that ended because its device was gone.
  mutating func complete(_ number: DemandID) throws(FrameFault) -> DemandID? {
    if let demand = demands.removeValue(forKey: number) { return demand }
    guard abandoned.remove(number) != nil || isForgotten(number) else {
      throw FrameFault(.order, "completed transfer \(number.number), which is not in progress")
    }
    return nil
  }

  /// Removes an abandoned transfer.
  mutating func confirmAbandonment(of number: DemandID) throws(FrameFault) {
    guard abandoned.remove(number) != nil || isForgotten(number) else {
      throw FrameFault(.order, "abandoned transfer \(number.number) without a request")
    }
  }
}
