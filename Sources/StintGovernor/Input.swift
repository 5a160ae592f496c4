public import StintModel
public import StintUnits

/// What the outside tells the governor; devices and facts by their number in the vocabulary.
public enum Input: Hashable, Sendable {
  /// A fact has a new value. Values that the schema refuses are answered with `Effect.refused`.
  case fact(Int, FactValue)
  /// A client asks for something. The id must be new.
  case raise(Demand)
  /// A client leaves, or its lease ends; unknown ids are ignored, so releasing twice is harmless.
  case release(DemandID)
  /// What a device really does now, or has done.
  case outcome(device: Int, Outcome)
  /// Samples reached the host.
  case delivered(device: Int, samples: Int, reason: DeliveryReason)
  /// A transfer is through; its demand ends.
  case carried(DemandID)
  /// The client of the demand needs the processor for a moment, without any sample; unknown ids are ignored.
  case wakeRequested(DemandID)
  /// Services said something together; of a pulse only that it is true is of interest.
  case signal(ServiceSignal, FactValue)
  /// Whether a consumer takes what a demand brings; all are heard until this says otherwise.
  case hasConsumer(DemandID, Bool)
  /// A device came or went.
  case available(device: Int, Bool)
  /// Instants become local time in another way: the host's wall clock was set, or the host is in another time zone.
  /// Spans of time go on; schedules and periods of budgets follow.
  case localTime(TimeZoneRules)
}
