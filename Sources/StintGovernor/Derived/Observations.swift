import StintModel
import StintUnits

/// Properties of devices and services, besides their facts, that policies can read.
///
/// Signals of services, demands without a consumer, and batches delivered in the present step are stored
/// here. All other observations are read from the parts that own the data.
struct Observations: Sendable {
  /// True when a policy uses an observation.
  private(set) var isUsed = false
  /// The last value of each persistent signal.
  private var signals: [ServiceSignal: FactValue] = [:]
  /// The pulse signals of the present step.
  private var pulses: Set<ServiceSignal> = []
  private var withoutConsumer: Set<DemandID> = []
  /// The devices that delivered a batch in the present step.
  private var batches: Set<Int> = []
  /// True when a demand ended or moved to another device in the present step. Always false while no policy
  /// reads an observation.
  private var hasMoves = false

  /// Adapts `isUsed` to the vocabulary of new policies.
  mutating func migrate(to vocabulary: Vocabulary) {
    isUsed = vocabulary.computed.contains { if case .observed = $0.source { true } else { false } }
  }

  /// Sets a signal of a service. Returns false when its schema rejects the value. For a pulse signal, values
  /// other than `true` are ignored.
  mutating func set(_ signal: ServiceSignal, _ value: FactValue) -> Bool {
    guard value == .unknown || signal.computed.schema.rejectionReason(for: value) == nil else {
      return false
    }
    if signal.isPulse {
      if value == .boolean(true) { pulses.insert(signal) }
    } else {
      signals[signal] = value
    }
    return true
  }

  /// Sets whether a demand has a consumer. Every demand has a consumer until this function sets false.
  mutating func set(hasConsumer: Bool, of demand: DemandID) {
    if hasConsumer { withoutConsumer.remove(demand) } else { withoutConsumer.insert(demand) }
  }

  mutating func forget(_ demand: DemandID) { withoutConsumer.remove(demand) }

  mutating func batchDone(_ device: Int) { batches.insert(device) }

  mutating func grantMoved() { hasMoves = isUsed }

  /// Ends a step. Returns true when a demand ended or moved to another device during the step, and a policy
  /// reads an observation.
  mutating func endMoves() -> Bool {
    defer { hasMoves = false }
    return hasMoves
  }

  /// True when an observation is true for the present evaluation only.
  var hasPulses: Bool { !pulses.isEmpty || !batches.isEmpty }

  mutating func endPulses() {
    pulses.removeAll()
    batches.removeAll()
  }

  /// Returns the present value of an observation.
  func value(
    of observation: Observation, device: Int?, _ context: DerivedContext, _ energy: EnergyMeter
  ) -> FactValue {
    let devices = context.devices
    switch (observation, device) {
    case (.heard, let device?):
      // The demands that name the device are also counted while the device does not serve them. Otherwise, a
      // rule that keeps the device off until a demand with a consumer exists would never turn the device on.
      let demands = devices[device].requested + devices[device].served
      return .boolean(demands.contains { !withoutConsumer.contains($0.id) })
    case (.failed, let device?):
      let record = devices[device]
      return .boolean(record.hasFault || (!record.isAvailable && !record.requested.isEmpty))
    case (.powered, let device?): return .boolean(devices[device].setting.isOn || devices[device].isOn)
    case (.batchDone, let device?): return .boolean(batches.contains(device))
    case (.unexplained, let device?):
      return .number(Double(energy.intervals[device].unexplained.nanoseconds) / 1e9)
    case (.used(_, let word), let device?):
      return .boolean(
        devices[device].served.contains { context.demands[$0].demand.service?.word == word })
    case (.watching(let word), _):
      let isDemanded = context.demands.all.contains { $0.demand.service?.word == word }
      return .boolean(isDemanded || context.ruleServices.contains { $0.word == word })
    case (.signal(let signal), _):
      if signal.isPulse { return .boolean(pulses.contains(signal)) }
      return signals[signal] ?? signal.rest
    default: return .unknown
    }
  }
}
