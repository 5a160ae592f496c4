public import StintModel

/// A transfer with the id of the demand that requested it.
public struct AssignedTransfer: Hashable, Sendable {
  /// The demand that requested the transfer.
  public var demand: DemandID
  /// The bytes to carry in each direction.
  public var transfer: Transfer

  /// Pairs a transfer with its demand.
  public init(demand: DemandID, transfer: Transfer) {
    self.demand = demand
    self.transfer = transfer
  }
}
