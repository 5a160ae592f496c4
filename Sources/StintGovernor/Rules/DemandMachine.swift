import StintMachine
import StintModel

/// The rule VM of one demand, with its own timers, windows and latches (comparisons with a `release`).
struct DemandMachine: Sendable {
  let demand: DemandID
  var machine: RuleVM
  /// The last reported state of each directive (`inForce`) and each rule (`isActive`) of the per-demand
  /// image.
  var inForce: [Bool]
  var isActive: [Bool]

  /// Creates the record of a VM. Copies the results that the VM already has, for example after a reload.
  init(demand: DemandID, machine: RuleVM) {
    self.demand = demand
    self.machine = machine
    inForce = machine.image.directives.indices.map { machine.isInForce(directive: $0) }
    isActive = machine.image.rules.indices.map { machine.isActive(rule: $0) }
  }
}
