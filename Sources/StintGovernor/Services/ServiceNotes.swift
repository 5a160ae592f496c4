import StintModel

/// What the governor keeps of services, which run beside it.
struct ServiceNotes: Sendable {
  /// What rules have run now, sorted.
  var leases: [ServiceLease] = []
  /// Whether a policy asks for what is noted.
  var isAsked = false
  /// Directives of the image that have a service run.
  var serving: [Int] = []
  /// What services said last.
  var said: [ServiceSignal: FactValue] = [:]
  /// What they said in this step.
  var pulses: Set<ServiceSignal> = []
  /// Demands of which nobody takes what they bring.
  var unheard: Set<DemandID> = []
  /// Devices that handed over in this step what they held.
  var handedOver: Set<Int> = []
  /// Whether a demand came to lie on another device in this step.
  var grantsMoved = false
}
