public import StintModel
public import StintUnits

/// An event that the host reports to the governor. Devices and facts are indexes into the vocabulary.
public enum Input: Hashable, Sendable {
  /// A fact has a new value. A value that the schema rejects gives an `Effect.refused`.
  case fact(Int, FactValue)
  /// A fact of the family with this index has a new value. A value that the schema rejects, and a key beyond
  /// the number of keys of the family, give an `Effect.refused`.
  case keyed(family: Int, key: String, FactValue)
  /// A client raises a demand. The id must be new.
  indirect case raise(Demand)
  /// A demand ends. Unknown ids are ignored, so a second release is harmless.
  case release(DemandID)
  /// A device reports its actual state, an event or a fault.
  case outcome(device: Int, Outcome)
  /// Samples reached the host.
  case delivered(device: Int, samples: Int, reason: DeliveryReason)
  /// A transfer is complete. Its demand ends.
  case carried(DemandID)
  /// The client of the demand needs the processor briefly, without a sample. Unknown ids are ignored.
  case wakeRequested(DemandID)
  /// The value of a signal, combined from all services that publish it. For a pulse, which is true for only
  /// one evaluation of the rules, the value `false` has no effect.
  case signal(ServiceSignal, FactValue)
  /// Whether a demand has a consumer for its samples. A demand has a consumer until this input reports false.
  case hasConsumer(DemandID, Bool)
  /// Whether the process of a client is in the background; nil when the client does not report this. Then
  /// `app.state` applies to the client.
  case presence(ClientID, isInBackground: Bool?)
  /// A device became available or unavailable.
  case available(device: Int, Bool)
  /// The host's wall clock was set, or its time zone changed. Time spans are not affected; schedules and
  /// periods of budgets follow the new local time.
  indirect case localTime(TimeZoneRules)
}
