import StintModel
import StintUnits

extension PositionFix {
  var memory: MemoryValue {
    .record([
      "latitude": .number(place.latitude), "longitude": .number(place.longitude),
      "accuracy": .number(accuracy), "determined": .integer(determined.nanoseconds),
      "sequence": .integer(Int64(clamping: sequence)), "device": .text(device.path),
    ])
  }

  init?(memory: MemoryValue) {
    guard let place = Coordinate(memory: memory), let accuracy = memory["accuracy"]?.number,
      let determined = memory["determined"]?.integer, let sequence = memory["sequence"]?.integer,
      let device = memory["device"]?.text
    else { return nil }
    self.init(
      place: place, accuracy: accuracy, determined: Instant(nanoseconds: determined),
      sequence: UInt64(clamping: sequence), device: DeviceID(device))
  }
}
