public import StintModel

/// A transfer on its way, with the demand that asked for it.
public struct AssignedTransfer: Hashable, Sendable {
  public var demand: DemandID
  public var transfer: Transfer

  /// Pairs a transfer with its demand.
  public init(demand: DemandID, transfer: Transfer) {
    self.demand = demand
    self.transfer = transfer
  }
}
