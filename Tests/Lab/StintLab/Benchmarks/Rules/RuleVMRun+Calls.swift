import StintMachine
import StintModel
import StintUnits

extension RuleVMRun {
  /// Returns the numbers of allocator calls and of lock calls in at most 100,000 steps. The steps form
  /// complete passes over the trace and follow a warm-up pass. Returns nil without the counting library.
  consuming func calls() -> (allocations: Int, locks: Int)? {
    var changes: ContiguousArray<RuleVMChange> = []
    for step in steps { propagate(step, into: &changes) }
    guard let allocations = CallCounter.allocations(), let locks = CallCounter.locks() else { return nil }
    for _ in 0..<(100_000 / max(steps.count, 1)) { for step in steps { propagate(step, into: &changes) } }
    return ((CallCounter.allocations() ?? 0) - allocations, (CallCounter.locks() ?? 0) - locks)
  }
}
