import StintMachine
import StintModel

/// The rule VM of one demand, with its own timers, latches and windows.
struct DemandMachine: Sendable {
  let demand: DemandID
  var machine: RuleVM
  /// By directive and by rule of the image for demands, as the VM reported last.
  var inForce: [Bool]
  var isHeld: [Bool]

  /// Takes over what the machine says already, as after a reload.
  init(demand: DemandID, machine: RuleVM) {
    self.demand = demand
    self.machine = machine
    inForce = machine.image.directives.indices.map { machine.isInForce(directive: $0) }
    isHeld = machine.image.rules.indices.map { machine.isHeld(rule: $0) }
  }
}
