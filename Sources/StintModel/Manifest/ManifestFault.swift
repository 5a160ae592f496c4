public import StintUnits

/// An error in a manifest: its location, and its description in one sentence.
public struct ManifestFault: Hashable, Sendable {
  /// The location as a JSON path: `states[2].power`.
  public var path: String
  /// The description of the error, without a full stop.
  public var sentence: String

  /// Makes a fault.
  public init(path: String, sentence: String) {
    self.path = path
    self.sentence = sentence
  }
}

extension Manifest {
  /// Returns all errors of the manifest, grouped by check; empty when the manifest is valid.
  public func faults() -> [ManifestFault] {
    nameFaults() + stateFaults() + reachFaults() + eventFaults() + attributeFaults() + inputFaults()
      + unitFaults() + channelFaults() + byteChannelFaults() + factFaults() + familyFaults() + boundFaults()
      + roleFaults()
  }

  private func nameFaults() -> [ManifestFault] {
    let words = device.path.split(separator: ".", omittingEmptySubsequences: false)
    let good = words.allSatisfy { word in
      word.first?.isLetter == true
        && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
    return good
      ? [] : [ManifestFault(path: "device", sentence: "“\(device)” is not a name of words joined by dots")]
  }

  private func roleFaults() -> [ManifestFault] {
    let paths = Set(facts.map(\.path))
    var faults: [ManifestFault] = []
    func demand(_ role: DeviceRole, _ isMet: Bool, _ sentence: String) {
      if provides.contains(role), !isMet { faults.append(.init(path: "provides", sentence: sentence)) }
    }
    let positions = DeviceRole.positionFacts.map { "\(device.path).\($0)" }
    demand(
      .positioning, kind == .sensor && positions.allSatisfy(paths.contains),
      "“positioning” needs a sensor with the facts latitude, longitude and accuracy")
    demand(.transfers, kind == .radio, "only a radio provides “transfers”, and this is a \(kind.rawValue)")
    demand(
      .carrier, kind == .radio || kind == .source,
      "only a radio or a source provides “carrier”, and this is a \(kind.rawValue)")
    demand(.metered, kind == .radio, "only a radio is “metered”, and this is a \(kind.rawValue)")
    let sampled: [DeviceRole] = [.acceleration, .rotation, .magneticField, .deviceMotion, .beacons]
    for role in sampled {
      demand(
        role, kind == .sensor, "only a sensor provides “\(role.rawValue)”, and this is a \(kind.rawValue)")
    }
    return faults
  }

  private func unitFaults() -> [ManifestFault] { Self.faults(of: units) }

  /// Returns the errors of declared units, with paths such as `units[0].symbol`.
  public static func faults(of units: [MeasureUnit]) -> [ManifestFault] {
    units.indices.compactMap { index in
      let symbol = units[index].symbol
      let sentence: String
      if MeasureUnit.named(symbol) != nil {
        sentence = "“\(symbol)” is already a unit of the language"
      } else if units[..<index].contains(where: { $0.symbol == symbol }) {
        sentence = "two units have the symbol “\(symbol)”"
      } else if !isUnitSymbol(symbol) {
        sentence = "“\(symbol)” is not one or two words of ASCII letters and digits, joined by “/”"
      } else {
        return nil
      }
      return ManifestFault(path: "units[\(index)].symbol", sentence: sentence)
    }
  }

  private func channelFaults() -> [ManifestFault] {
    var faults: [ManifestFault] = []
    if channels.count > InputBounds.channels {
      faults.append(
        ManifestFault(
          path: "channels",
          sentence: "\(channels.count) channels exceed the limit of \(InputBounds.channels)"))
    }
    for (index, channel) in channels.enumerated()
    where channels[..<index].contains(where: { $0.name == channel.name }) {
      faults.append(
        ManifestFault(
          path: "channels[\(index)].name", sentence: "two channels are named “\(channel.name)”"))
    }
    for (index, channel) in channels.enumerated() where channel.name == "t" {
      faults.append(
        ManifestFault(
          path: "channels[\(index)].name",
          sentence: "“t” is the time of a sample, so no channel may have this name"))
    }
    return faults
  }

  /// Returns whether policies can contain the symbol after a number.
  private static func isUnitSymbol(_ symbol: String) -> Bool {
    let words = symbol.split(separator: "/", omittingEmptySubsequences: false)
    return words.count <= 2 && symbol.utf8.count <= 32
      && words.allSatisfy { word in
        word.first?.isLetter == true && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      }
  }

  private func inputFaults() -> [ManifestFault] {
    inputs.indices.compactMap { index in
      let sentence: String
      if kind != .sensor {
        sentence = "only a sensor may have inputs, and this is a \(kind.rawValue)"
      } else if inputs[index] == device {
        sentence = "a device cannot be its own input"
      } else if inputs[..<index].contains(inputs[index]) {
        sentence = "“\(inputs[index])” is named twice"
      } else {
        return nil
      }
      return ManifestFault(path: "inputs[\(index)]", sentence: sentence)
    }
  }

  private func stateFaults() -> [ManifestFault] {
    var faults: [ManifestFault] = []
    if kind != .source && states.isEmpty {
      faults.append(.init(path: "states", sentence: "a \(kind.rawValue) needs at least one power state"))
    }
    for (index, state) in states.enumerated() {
      if state.power < .zero || state.perHertz < .zero {
        faults.append(
          .init(path: "states[\(index)].power", sentence: "state “\(state.name)” has a negative power"))
      }
      if states[..<index].contains(where: { $0.name == state.name }) {
        faults.append(.init(path: "states[\(index)].name", sentence: "two states are named “\(state.name)”"))
      }
    }
    if states.indices.contains(safe), states[safe].isOn {
      faults.append(.init(path: "safe", sentence: "the safe state “\(states[safe].name)” is an on state"))
    }
    return faults
  }

  private func reachFaults() -> [ManifestFault] {
    guard states.indices.contains(initial) else { return [] }
    var reached: Set<Int> = [initial]
    var frontier = [initial]
    while let state = frontier.popLast() {
      for transition in transitions where transition.from == state && !reached.contains(transition.to) {
        reached.insert(transition.to)
        frontier.append(transition.to)
      }
    }
    return states.indices.filter { !reached.contains($0) }.map { index in
      ManifestFault(
        path: "states[\(index)]",
        sentence: "no transition reaches state “\(states[index].name)” from “\(states[initial].name)”")
    }
  }

  private func eventFaults() -> [ManifestFault] {
    events.indices.filter { events[$0].energy < .zero }.map { index in
      ManifestFault(
        path: "events[\(index)].energy", sentence: "event “\(events[index].name)” has a negative energy")
    }
  }

  private func attributeFaults() -> [ManifestFault] {
    attributes.indices.filter { index in
      attributes[..<index].contains { $0.name == attributes[index].name }
    }.map { index in
      ManifestFault(
        path: "attributes[\(index)].name", sentence: "two attributes are named “\(attributes[index].name)”")
    }
  }

  private func factFaults() -> [ManifestFault] {
    facts.indices.filter { index in facts[..<index].contains { $0.path == facts[index].path } }.map { index in
      ManifestFault(path: "facts[\(index)].name", sentence: "two facts are named “\(facts[index].path)”")
    }
      + facts.indices.compactMap { index in
        facts[index].maxRate.flatMap { rateFault($0, of: facts[index]) }.map {
          ManifestFault(path: "facts[\(index)].per_second", sentence: $0)
        }
      }
      + facts.indices.compactMap { index in
        facts[index].longestSampling.flatMap { samplingFault($0, of: facts[index]) }.map {
          ManifestFault(path: "facts[\(index)].rate", sentence: $0)
        }
      }
      + facts.indices.compactMap { index in
        facts[index].reading.flatMap { readingFault($0, of: facts[index]) }.map {
          ManifestFault(path: "facts[\(index)].read", sentence: $0)
        }
      }
  }

  private func samplingFault(_ period: TimeSpan, of fact: FactSchema) -> String? {
    if kind != .sensor { return "only a sensor may have facts with “rate”, and this is a \(kind.rawValue)" }
    guard let rates = attribute(named: "rate")?.range else { return nil }
    return 1 / period.seconds > rates.upperBound * 1.000_001
      ? "“\(fact.path)” needs a higher rate than the attribute “rate” allows" : nil
  }

  private func readingFault(_ reading: FactReading, of fact: FactSchema) -> String? {
    if kind != .source {
      return "only a source may have facts with “read”, and this is a \(kind.rawValue)"
    }
    if reading.every <= .zero {
      return "the reading period of “\(fact.path)” is \(reading.every), and must be more than 0 s"
    }
    return reading.maxRate.flatMap { rateFault($0, of: fact) }
  }

  private func rateFault(_ maxRate: Double, of fact: FactSchema) -> String? {
    if fact.reading == nil, kind != .sensor {
      return "“per_second” is only for facts of sensors; for a fact with “read”, write it inside of “read”"
    }
    guard case .quantity = fact.type else { return "only a quantity may have a change per second" }
    return maxRate > 0 && maxRate.isFinite
      ? nil : "the change per second of “\(fact.path)” is \(maxRate), and must be more than 0"
  }
}

/// Finds numbers outside of `InputBounds`.
extension Manifest {
  func boundFaults() -> [ManifestFault] {
    listFaults() + energyFaults() + rangeFaults() + factBoundFaults() + figureFaults()
  }

  private func listFaults() -> [ManifestFault] {
    let lists: [(path: String, count: Int)] = [
      ("states", states.count), ("transitions", transitions.count), ("events", events.count),
      ("attributes", attributes.count), ("inputs", inputs.count), ("channels", channels.count),
      ("facts", facts.count), ("figures", figures.count),
    ]
    var faults = lists.filter { $0.count > InputBounds.entries }.map { list in
      ManifestFault(
        path: list.path, sentence: "\(list.count) entries exceed the limit of \(InputBounds.entries)")
    }
    if !(0...InputBounds.fifo).contains(fifo) {
      faults.append(
        ManifestFault(
          path: "fifo", sentence: "a FIFO of \(fifo) samples is outside of 0 to \(InputBounds.fifo)"))
    }
    return faults
  }

  /// Returns the powers and energies that are too large. The checks of states and events find negative powers
  /// and energies.
  private func energyFaults() -> [ManifestFault] {
    var faults: [ManifestFault] = []
    for (index, state) in states.enumerated() {
      for (name, power) in [("power", state.power), ("per_hertz", state.perHertz)] where power > .zero {
        guard let rejectionReason = InputBounds.rejectionReason(for: power) else { continue }
        faults.append(
          ManifestFault(
            path: "states[\(index)].\(name)", sentence: "state “\(state.name)”: \(rejectionReason)"))
      }
    }
    for (index, event) in events.enumerated() where event.energy > .zero {
      guard let rejectionReason = InputBounds.rejectionReason(for: event.energy) else { continue }
      faults.append(
        ManifestFault(path: "events[\(index)].energy", sentence: "event “\(event.name)”: \(rejectionReason)"))
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
    return [ManifestFault(path: "ladder.serves", sentence: "\(serves) m is not a valid accuracy")]
  }

  private func factBoundFaults() -> [ManifestFault] {
    facts.enumerated().flatMap { index, fact -> [ManifestFault] in
      var faults: [ManifestFault] = []
      if case .quantity(let dimension) = fact.type, let range = fact.range {
        faults += Self.faults(
          [range.lowerBound, range.upperBound], dimension, path: "facts[\(index)].range", name: fact.path)
      }
      let spans = [
        ("max_age", fact.maxAge), ("fastest", fact.fastest), ("rate", fact.longestSampling),
        ("read.every", fact.reading?.every),
      ]
      for case (let name, let span?) in spans {
        guard let rejectionReason = InputBounds.rejectionReason(for: span) else { continue }
        faults.append(
          ManifestFault(path: "facts[\(index)].\(name)", sentence: "“\(fact.path)”: \(rejectionReason)"))
      }
      return faults
    }
  }

  private func figureFaults() -> [ManifestFault] {
    if let speed = figures[Self.topSpeedFigure], speed.dimension != .speed || speed.value <= 0 {
      return [
        ManifestFault(
          path: "figures.\(Self.topSpeedFigure)", sentence: "“\(Self.topSpeedFigure)” is not a positive speed"
        )
      ]
    }
    return figures.keys.sorted().flatMap { name -> [ManifestFault] in
      guard let quantity = figures[name], let rejectionReason = InputBounds.rejectionReason(for: quantity)
      else {
        return []
      }
      return [ManifestFault(path: "figures.\(name)", sentence: "“\(name)”: \(rejectionReason)")]
    }
  }

  private static func faults(
    _ values: [Double], _ dimension: Dimension, path: String, name: String
  ) -> [ManifestFault] {
    values.compactMap { InputBounds.rejectionReason(for: Quantity($0, dimension)) }.prefix(1).map {
      ManifestFault(path: path, sentence: "“\(name)”: \($0)")
    }
  }
}
