import StintUnits

/// Numbers of a manifest that no device has; see `InputBounds`.
extension Manifest {
  func boundFaults() -> [ManifestFault] {
    listFaults() + energyFaults() + rangeFaults() + factBoundFaults() + figureFaults()
  }

  private func listFaults() -> [ManifestFault] {
    let lists = [
      ("states", states.count), ("transitions", transitions.count), ("events", events.count),
      ("attributes", attributes.count), ("inputs", inputs.count), ("channels", channels.count),
      ("facts", facts.count), ("figures", figures.count),
    ]
    var faults = lists.filter { $0.1 > InputBounds.entries }.map { list, count in
      ManifestFault(path: list, sentence: "\(count) entries are more than \(InputBounds.entries)")
    }
    if !(0...InputBounds.fifo).contains(fifo) {
      faults.append(
        ManifestFault(path: "fifo", sentence: "\(fifo) samples lie outside 0 to \(InputBounds.fifo)"))
    }
    return faults
  }

  /// Powers and energies that are too large; negative ones are found where states and events are looked at.
  private func energyFaults() -> [ManifestFault] {
    var faults: [ManifestFault] = []
    for (index, state) in states.enumerated() {
      for (name, power) in [("power", state.power), ("per_hertz", state.perHertz)] where power > .zero {
        guard let objection = InputBounds.objection(to: power) else { continue }
        faults.append(
          ManifestFault(path: "states[\(index)].\(name)", sentence: "state “\(state.name)”: \(objection)"))
      }
    }
    for (index, event) in events.enumerated() where event.energy > .zero {
      guard let objection = InputBounds.objection(to: event.energy) else { continue }
      faults.append(
        ManifestFault(path: "events[\(index)].energy", sentence: "event “\(event.name)”: \(objection)"))
    }
    return faults
  }

  private func rangeFaults() -> [ManifestFault] {
    attributes.enumerated().flatMap { index, attribute -> [ManifestFault] in
      guard case .quantity(let dimension) = attribute.type else { return [] }
      var values = attribute.range.map { [$0.lowerBound, $0.upperBound] } ?? []
      if case .number(let number) = attribute.fallback { values.append(number) }
      return Self.faults(values, dimension, path: "attributes[\(index)]", name: attribute.name)
    } + ladderFaults()
  }

  private func ladderFaults() -> [ManifestFault] {
    guard let serves = ladder?.serves, !(serves >= 0 && serves <= InputBounds.quantity) else { return [] }
    return [ManifestFault(path: "ladder.serves", sentence: "\(serves) m is no accuracy")]
  }

  private func factBoundFaults() -> [ManifestFault] {
    facts.enumerated().flatMap { index, fact -> [ManifestFault] in
      var faults: [ManifestFault] = []
      if case .quantity(let dimension) = fact.type, let range = fact.range {
        faults += Self.faults(
          [range.lowerBound, range.upperBound], dimension, path: "facts[\(index)].range", name: fact.path)
      }
      let spans = [("max_age", fact.maxAge), ("fastest", fact.fastest), ("read.every", fact.reading?.every)]
      for case (let name, let span?) in spans {
        guard let objection = InputBounds.objection(to: span) else { continue }
        faults.append(
          ManifestFault(path: "facts[\(index)].\(name)", sentence: "“\(fact.path)”: \(objection)"))
      }
      return faults
    }
  }

  private func figureFaults() -> [ManifestFault] {
    figures.keys.sorted().flatMap { name -> [ManifestFault] in
      guard let quantity = figures[name], let objection = InputBounds.objection(to: quantity) else {
        return []
      }
      return [ManifestFault(path: "figures.\(name)", sentence: "“\(name)”: \(objection)")]
    }
  }

  private static func faults(
    _ values: [Double], _ dimension: Dimension, path: String, name: String
  ) -> [ManifestFault] {
    values.compactMap { InputBounds.objection(to: Quantity($0, dimension)) }.prefix(1).map {
      ManifestFault(path: path, sentence: "“\(name)”: \($0)")
    }
  }
}
