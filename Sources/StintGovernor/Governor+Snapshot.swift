import StintModel

extension Governor {
  /// What stands now, as inputs for a governor that knows nothing of what came before: facts, the demands of clients,
  /// the states of devices. What policies remember, such as timers, is not among them.
  public var snapshotInputs: [Input] {
    let own = Set(devices.indices.flatMap { devices[$0].ownFacts })
    var inputs: [Input] = (0..<vocabulary.firstComputed).compactMap { fact in
      facts.value(fact) == .unknown || own.contains(fact) ? nil : .fact(fact, facts.value(fact))
    }
    inputs += demands.all.map(\.demand).filter { $0.id.number >= 0 }.sorted { $0.id < $1.id }.map(
      Input.raise)
    for number in devices.indices {
      let device = devices[number]
      if !device.isAvailable { inputs.append(.available(device: number, false)) }
      if device.manifest.states.indices.contains(device.state) {
        inputs.append(.outcome(device: number, .state(device.state, period: device.period)))
      }
    }
    // A reader that goes on from here knows the rules of the run's world, with a wall clock that was never set.
    if timeZone != initialTimeZone { inputs.append(.localTime(timeZone)) }
    return inputs
  }
}
