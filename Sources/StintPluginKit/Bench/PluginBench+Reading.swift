public import StintModel
public import StintUnits

extension PluginBench {
  /// The power states that the plugin reported, by name, with their instants.
  public var states: [(name: String, at: Instant)] {
    events.compactMap { event in
      guard case .outcome(.state(let index, _), let instant) = event else { return nil }
      return (plugin.manifest.states[index].name, instant)
    }
  }

  /// All batches that the plugin delivered.
  public var batches: [Batch] {
    events.compactMap { event in
      guard case .batch(let batch, _) = event else { return nil }
      return batch
    }
  }

  /// All samples that the plugin delivered.
  public var samples: [Sample] { batches.flatMap(\.samples) }

  /// Returns all published values of a fact. `fact` is the full path, or the name relative to the device.
  public func values(of fact: String) -> [(value: FactValue, at: Instant)] {
    let wanted = port.handle(fact).index
    return events.compactMap { event in
      guard case .fact(wanted, let value, let instant) = event else { return nil }
      return (value, instant)
    }
  }

  /// The texts of all faults that the plugin or its port reported.
  public var faults: [String] {
    events.compactMap { event in
      guard case .outcome(.fault(let text), _) = event else { return nil }
      return text
    }
  }

  /// Returns the energy that the device used from `start` until now, in its power states and for its events.
  public func energy(since start: Instant) -> Energy {
    let manifest = plugin.manifest
    var total = Energy.zero
    var remainder: Int64 = 0
    var power = manifest.states.isEmpty ? Power.zero : manifest.states[manifest.initial].power
    var since = start
    func addEnergy(until instant: Instant) {
      guard instant > since else { return }
      let (energy, rest) = power.energy(over: instant - since, carrying: remainder)
      total += energy
      remainder = rest
      since = instant
    }
    for case .outcome(let outcome, let instant) in events {
      addEnergy(until: instant)
      switch outcome {
      case .state(let index, let period): power = manifest.states[index].power(at: period)
      case .event(let index, let count) where instant >= start:
        total += manifest.events[index].energy * Int64(count)
      case .event, .fault: break
      }
    }
    addEnergy(until: now)
    return total
  }
}
