import StintMachine
import StintModel
import StintUnits

extension Governor {
  /// What outlives the process.
  public var memory: GovernorMemory {
    var memory = GovernorMemory(at: now)
    rules.remember(in: &memory)
    memory.facts = factStore.memory(in: vocabulary)
    var energy = energy
    derived.remember(in: &memory, derivedContext(), &energy)
    memory.demands = demands.ids
    return memory
  }

  /// Takes over what was known before a restart, where the policies still ask for it.
  mutating func restore(_ memory: GovernorMemory) {
    factStore.restore(memory.facts, in: vocabulary, at: now)
    derived.restore(memory)
    // The rule VM of these policies is made from the facts later on.
    for entry in derived.publications { factStore.set(entry.fact, entry.value, at: now) }
    derived.endPublishing()
  }
}
