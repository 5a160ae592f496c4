import StintMachine
import StintModel

/// The rule VM of one demand, with its own timers, windows and latches (comparisons with a `release`).
struct DemandMachine: Sendable {
  let demand: DemandID
  var machine: RuleVM
  /// The last reported state of each directive (`inForce`) and each rule (`isHeld`) of the per-demand image.
  var inForce: [Bool]
  var isHeld: [Bool]

  /// Creates the record of a VM. Copies the results that the VM already has, for example after a reload.
  init(demand: DemandID, machine: RuleVM) {
    self.demand = demand
    self.machine = machine
    inForce = machine.image.directives.indices.map { machine.isInForce(directive: $0) }
    isHeld = machine.image.rules.indices.map { machine.isHeld(rule: $0) }
  }
}
