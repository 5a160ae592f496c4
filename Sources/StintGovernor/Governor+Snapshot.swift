import StintModel

extension Governor {
  /// The present state as inputs for a new governor. It contains facts, presences, demands of clients, states
  /// of devices and the local time. It does not contain the state of policies, such as timers.
  public var snapshotInputs: [Input] {
    let own = Set(devices.indices.flatMap { devices[$0].ownFacts })
    var inputs: [Input] = (0..<vocabulary.keyed.lowerBound).compactMap { fact in
      facts.value(fact) == .unknown || own.contains(fact) ? nil : .fact(fact, facts.value(fact))
    }
    // The indexes of facts of families depend on the policies, which a new governor has not loaded yet.
    for (number, family) in keys.enumerated() {
      inputs += family.entries.map { .keyed(family: number, key: $0.key, $0.value) }
    }
    inputs += presences.inputs
    inputs += demands.all.map(\.demand).filter { $0.id.number >= 0 }.sorted { $0.id < $1.id }.map(
      Input.raise)
    for number in devices.indices {
      let device = devices[number]
      if !device.isAvailable { inputs.append(.available(device: number, false)) }
      if device.manifest.states.indices.contains(device.state) {
        inputs.append(.outcome(device: number, .state(device.state, period: device.period)))
      }
    }
    // A new governor is created with the initial time zone rules, so rules that have changed since then need
    // an input.
    if timeZone != initialTimeZone { inputs.append(.localTime(timeZone)) }
    return inputs
  }
}
