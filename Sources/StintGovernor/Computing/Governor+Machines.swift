import StintMachine
import StintModel
import StintUnits

/// Machines of policies: their states are facts, and what leads from one to the other are rules.
///
/// Rules read states as they were before the step that moves a machine; then everything settles again with the new
/// state, at the same instant. A machine moves once at an instant; one that would go on at once waits, so that two states
/// that lead to each other cannot hold up time.
extension Governor {
  /// Moves each machine that a rule leads out of its state; true when one moved.
  mutating func moveMachines() -> Bool {
    var hasMoved = false
    for place in activePlaces {
      guard case .machine(let moves, let last, var wait) = computed[place].kind,
        let move = moves.first(where: { rules.isHeld[$0.rule] })
      else { continue }
      // One that waits goes on waiting, whatever else happens meanwhile.
      guard computed[place].next == .distantFuture else { continue }
      if last == now {
        computed[place].next = wait.begin(at: now)
        computed[place].kind = .machine(moves, last: last, wait: wait)
        computedTimer = min(computedTimer, computed[place].next)
        continue
      }
      wait.moves(at: now)
      computed[place].kind = .machine(moves, last: now, wait: wait)
      publish(.symbol(move.target), place)
      let schema = computed[place].fact.schema
      effects.append(.moved(machine: schema.path, state: schema.text(of: .symbol(move.target))))
      hasMoved = true
    }
    return hasMoved
  }

  /// A machine that has just moved does not move again because policies were loaded.
  func takeOverWait(_ record: inout ComputedRecord, _ old: ComputedRecord?) {
    guard case .machine(let moves, _, _) = record.kind,
      let old, case .machine(_, let last, let wait) = old.kind
    else { return }
    record.kind = .machine(moves, last: last, wait: wait)
    record.next = old.next
  }
}
