import StintMachine
import StintModel
import StintUnits

extension Governor {
  /// The state that survives a restart of the process.
  public var memory: GovernorMemory {
    var memory = GovernorMemory(at: now)
    rules.remember(in: &memory)
    memory.facts = factStore.memory(in: vocabulary)
    var energy = energy
    derived.remember(in: &memory, derivedContext(), &energy)
    memory.demands = demands.ids
    return memory
  }

  /// Restores the state that was saved before a restart, as far as the policies still use this state.
  mutating func restore(_ memory: GovernorMemory) {
    factStore.restore(memory.facts, in: vocabulary, at: now)
    derived.restore(memory)
    // Only the store is updated, because the rule VM of these policies is created later and reads the store
    // then.
    for entry in derived.publications { factStore.set(entry.fact, entry.value, at: now) }
    derived.endPublishing()
  }
}
