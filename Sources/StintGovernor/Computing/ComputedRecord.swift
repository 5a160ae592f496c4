import StintEstimation
import StintModel
import StintUnits

/// What the governor keeps of a fact that it works out itself.
struct ComputedRecord: Sendable {
  /// How the fact is worked out.
  enum Kind: Sendable {
    case meter(Meter)
    /// When the device went on within the last hour, oldest first.
    case wakeups(device: Int, [Instant])
    case unexplained
    case estimate(Estimate)
    /// The place among the governor's zones.
    case zone(Int, ZoneQuestion)
    /// What was booked to the service before local midnight, and when the next is.
    case serviceMeter(ServiceWord, before: Energy, end: Instant)
    case observed(Observation, device: Int?)
    case rule(RuleID)
    case grant(GrantFact)
    /// The rules that lead out of states, and where to; when the machine moved last, and how it waits.
    case machine([(rule: Int, target: Int)], last: Instant?, wait: MachineWait)
    /// Nothing can be said.
    case foreign
  }

  let fact: ComputedFact
  /// The fact's number in the vocabulary.
  let number: Int
  var kind: Kind
  /// When it changes although nothing happens.
  var next = Instant.distantFuture
}
