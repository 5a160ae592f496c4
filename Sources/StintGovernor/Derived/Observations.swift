import StintModel
import StintUnits

/// Observations are what policies can ask of devices and services beside their facts.
///
/// Signals of services, demands without a consumer, and batches that were delivered in this step are kept here. The rest
/// is read from the parts that own it.
struct Observations: Sendable {
  /// Whether a policy asks for any observation.
  private(set) var isUsed = false
  /// The last value of each signal that lasts, and the signals of this step that do not.
  private var signals: [ServiceSignal: FactValue] = [:]
  private var pulses: Set<ServiceSignal> = []
  /// Demands without a consumer.
  private var pending: Set<DemandID> = []
  /// Devices that delivered in this step what they held.
  private var batches: Set<Int> = []
  /// Whether a demand moved to another device, or ended, in this step.
  private var hasMoves = false

  /// Goes over to what other policies derive.
  mutating func migrate(to vocabulary: Vocabulary) {
    isUsed = vocabulary.computed.contains { if case .observed = $0.source { true } else { false } }
  }

  /// Sets a signal of a service; false where its schema refuses the value. Of a pulse only `true` is of interest.
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

  /// Sets whether a consumer takes what a demand brings; every demand has one until this says otherwise.
  mutating func set(hasConsumer: Bool, of demand: DemandID) {
    if hasConsumer { pending.remove(demand) } else { pending.insert(demand) }
  }

  mutating func forget(_ demand: DemandID) { pending.remove(demand) }

  mutating func batchDone(_ device: Int) { batches.insert(device) }

  mutating func grantMoved() { hasMoves = isUsed }

  /// Ends a step; true where grants moved in it.
  mutating func endMoves() -> Bool {
    defer { hasMoves = false }
    return hasMoves
  }

  /// Whether something is observed for one evaluation only.
  var hasPulses: Bool { !pulses.isEmpty || !batches.isEmpty }

  mutating func endPulses() {
    pulses.removeAll()
    batches.removeAll()
  }

  /// The value of an observation now.
  func value(
    of observation: Observation, device: Int?, _ context: DerivedContext, _ energy: EnergyMeter
  ) -> FactValue {
    let devices = context.devices
    switch (observation, device) {
    case (.heard, let device?):
      // A listener is heard also while a rule keeps the device off: that ends what waits for a listener.
      let demands = devices[device].requested + devices[device].served
      return .boolean(demands.contains { !pending.contains($0.id) })
    case (.failed, let device?):
      let record = devices[device]
      return .boolean(record.hasFault || (!record.isAvailable && !record.requested.isEmpty))
    case (.batchDone, let device?): return .boolean(batches.contains(device))
    case (.unexplained, let device?):
      return .number(Double(energy.intervals[device].unexplained.nanoseconds) / 1e9)
    case (.used(_, let word), let device?):
      return .boolean(
        devices[device].served.contains { context.demands[$0].demand.service?.word == word })
    case (.watching(let word), _):
      let isAsked = context.demands.all.contains { $0.demand.service?.word == word }
      return .boolean(isAsked || context.leases.contains { $0.word == word })
    case (.signal(let signal), _):
      if signal.isPulse { return .boolean(pulses.contains(signal)) }
      return signals[signal] ?? signal.rest
    default: return .unknown
    }
  }
}
