import StintModel

/// Everything that is so between two changes.
struct ReferencePage {
  /// Nanoseconds.
  var time: Int64
  var isOn: [Bool]
  var isAvailable: [Bool]
  /// Whether any demand on the device stood when the page was turned.
  var isDemanded: [Bool]
  /// By policy and machine.
  var states: [[Int]]
  /// By policy and zone.
  var isInside: [[Bool?]]
  /// What just came to be so, by policy and zone.
  var pulses: [[ZoneQuestion?]]
}
