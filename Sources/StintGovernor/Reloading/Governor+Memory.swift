import StintMachine
import StintModel
import StintUnits

extension Governor {
  /// What outlives the process.
  public var memory: GovernorMemory {
    var copy = self
    var memory = GovernorMemory(at: now)
    memory.machine = rules.machine?.memory ?? MachineMemory()
    memory.asked = rules.perDemand.memory
    memory.facts = factStore.memory(in: vocabulary)
    for record in computed {
      let path = record.fact.schema.path
      switch record.kind {
      case .meter(let meter):
        let drawn = copy.drawn(meter.devices) - meter.before
        memory.meters.append(.init(path: path, drawn: drawn, end: meter.end))
      case .wakeups(_, let instants): memory.wakeups.append(.init(path: path, instants: instants))
      case .machine(_, let last, _):
        let name = record.fact.schema.text(of: facts.value(record.number))
        memory.states.append(.init(path: path, name: name, moved: last))
      case .unexplained, .estimate, .serviceMeter, .observed, .zone, .rule, .grant, .foreign: continue
      }
    }
    memory.zones = zones.memory
    memory.demands = demands.ids
    return memory
  }

  /// Takes over what was worked out, where the policies still ask for it.
  mutating func recallComputed(_ memory: GovernorMemory) {
    zones.restore(memory.zones)
    for place in activePlaces {
      let fact = computed[place].fact
      switch computed[place].kind {
      case .meter(var meter):
        guard let old = memory.meters.first(where: { $0.path == fact.schema.path }), old.end == meter.end
        else { continue }
        meter.before = meter.before - old.drawn
        computed[place].kind = .meter(meter)
      case .wakeups(let device, _):
        guard let old = memory.wakeups.first(where: { $0.path == fact.schema.path }) else { continue }
        computed[place].kind = .wakeups(device: device, old.instants)
      case .machine(let moves, _, let wait):
        guard let old = memory.states.first(where: { $0.path == fact.schema.path }),
          case .symbol(let words) = fact.schema.type, let state = words.firstIndex(of: old.name)
        else { continue }
        factStore.set(computed[place].number, .symbol(state), at: now)
        computed[place].kind = .machine(moves, last: old.moved, wait: wait)
      case .unexplained, .estimate, .serviceMeter, .observed, .zone, .rule, .grant, .foreign: continue
      }
    }
  }
}
