import StintModel

/// The state of the devices and policies between two changes.
struct ReferencePage {
  /// The time in nanoseconds since 1970.
  var time: Int64
  /// True when the processor is awake at this time, for an input or for a timer of the governor.
  var isWake = true
  var isOn: [Bool]
  var isAvailable: [Bool]
  /// For each device, whether it had a demand, or lingered after a demand, when the page began.
  var isDemanded: [Bool]
  /// The state of each state machine, by policy and machine.
  var states: [[Int]]
  /// Whether the host is in each zone, by policy and zone; nil when unknown.
  var isInside: [[Bool?]]
  /// The zone entry or exit that occurred on this page, by policy and zone; nil when neither occurred.
  var pulses: [[ZoneQuery?]]
}
