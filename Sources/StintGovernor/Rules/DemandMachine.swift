import StintMachine
import StintModel

/// The rule VM of one demand, with its own timers, latches and windows.
struct DemandMachine: Sendable {
  let demand: DemandID
  var machine: RuleVM
  /// The last reported state of each directive and each rule of the image for demands.
  var inForce: [Bool]
  var isHeld: [Bool]

  /// Creates the record of a VM, and reads the results that the VM already has, as after a reload.
  init(demand: DemandID, machine: RuleVM) {
    self.demand = demand
    self.machine = machine
    inForce = machine.image.directives.indices.map { machine.isInForce(directive: $0) }
    isHeld = machine.image.rules.indices.map { machine.isHeld(rule: $0) }
  }
}
