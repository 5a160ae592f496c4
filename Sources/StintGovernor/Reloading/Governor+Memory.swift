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

  /// Restores the state from before a restart, for state that the policies still use.
  mutating func restore(_ memory: GovernorMemory) {
    factStore.restore(memory.facts, in: vocabulary, at: now)
    derived.restore(memory)
    // The rule VM of these policies reads the facts later, when it is created.
    for entry in derived.publications { factStore.set(entry.fact, entry.value, at: now) }
    derived.endPublishing()
  }
}
