import StintDaemon
import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// Queries of the current state. A closed bus answers with its last state.
extension Bus {
  /// Returns why a device is on or off now, and which changes of facts or demands would switch it.
  public func why(_ device: String) async -> String {
    let policies = run.policies.loaded.policies
    return WhyReport(device: DeviceID(device), governor: await run.snapshot(), policies: policies).text
  }

  /// Returns why a device is off or a rule is not in force, and the earliest time of a change. Returns nil
  /// for an unknown device or rule, and for a device of kind `source`, which only publishes facts.
  ///
  /// - Parameter thing: a device such as `location.gnss`, or a rule such as `hiking/still`.
  public func whyNot(_ thing: String) async -> String? {
    let policies = run.policies.loaded.policies
    return WhyNotReport(
      thing, governor: await run.snapshot(), policies: policies, pauses: await run.pausedServices())?.text
  }

  /// Returns the answer to `Client.outlook(for:)`: why the client's requests for a device are not served.
  func outlook(for device: String, of client: ClientID) async throws(Problem) -> RequestOutlook {
    guard let question = await run.outlookQuestion(DeviceID(device), of: client) else {
      throw Problem(.detached, cause: "the client is not attached to the bus", remedy: "attach it again")
    }
    return RequestOutlook(try question.answer())
  }

  /// Returns all devices, sorted by name, except those of kind `source`, which only publish facts.
  public func devices() async -> [DeviceReport] {
    let governor = await run.snapshot()
    let ledger = governor.ledger(at: instant(governor))
    let pauses = await run.pausedServices()
    let undecided = await run.undecidedServices()
    return governor.vocabulary.manifests.filter { $0.kind != .source }.compactMap { manifest in
      governor.status(of: manifest.device).map { status in
        DeviceReport(status, pauses, undecided, energy: ledger.byDevice[manifest.device] ?? .zero)
      }
    }
  }

  /// Returns the energy used since the start of the bus.
  public func energy() async -> EnergyReport {
    let governor = await run.snapshot()
    return EnergyReport(governor.ledger(at: instant(governor)))
  }

  /// Returns the present instant; for a closed bus, the instant of its end.
  private func instant(_ governor: Governor) -> Instant { state == .closed ? governor.now : time.now }

  /// Returns the present value of a fact of a device, a policy or an app. The value is in base units; a ratio
  /// is in percent. The result is `unknown` when the last value is too old. Returns nil when no fact has this
  /// name.
  public func fact(_ path: String) async -> AppFact.Value? {
    let governor = await run.snapshot()
    guard let number = governor.vocabulary.fact(path) else { return nil }
    return FactReport(number, governor, at: instant(governor), interruption: nil).value
  }

  /// Returns the present values of all facts that devices, policies and apps can publish, sorted by name.
  public func facts() async -> [FactReport] {
    let governor = await run.snapshot()
    let instant = instant(governor)
    return governor.vocabulary.facts.enumerated().map { number, schema in
      let interruption = schema.device.flatMap { streams.interruption(of: $0, at: instant) }
      return FactReport(number, governor, at: instant, interruption: interruption)
    }.sorted { $0.name < $1.name }
  }
}

extension AppFact.Value {
  /// Converts a value of a fact. A ratio is multiplied by 100 and gets the unit `%`. Any other quantity gets
  /// a unit of scale 1, or no unit when no unit has this scale.
  init(_ value: FactValue, of type: FactType) {
    switch (value, type) {
    case (.boolean(let truth), _): self = .truth(truth)
    case (.number(let number), .quantity(let dimension)):
      let (number, symbol) = Self.written(number, dimension)
      self = .quantity(number, unit: symbol)
    case (.symbol(let place), .symbol(let words)) where words.indices.contains(place):
      self = .word(words[place])
    default: self = .unknown
    }
  }

  private static func written(_ number: Double, _ dimension: Dimension) -> (Double, String) {
    if dimension == .ratio { return (number * 100, "%") }
    return (number, MeasureUnit.all.first { $0.dimension == dimension && $0.scale == 1 }?.symbol ?? "")
  }
}
