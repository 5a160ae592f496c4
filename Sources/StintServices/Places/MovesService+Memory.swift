import StintModel
import StintUnits

extension MovesService {
  public var memory: MemoryValue {
    var parts: [String: MemoryValue] = [
      "max_age": .integer(request.maxAge.nanoseconds), "pausing": .truth(request.pausing),
    ]
    if let heartbeat = request.heartbeat { parts["heartbeat"] = .integer(heartbeat.nanoseconds) }
    if let last = lastDelivery {
      parts["delivered"] = .record([
        "latitude": .number(last.fix.place.latitude), "longitude": .number(last.fix.place.longitude),
        "accuracy": .number(last.fix.accuracy), "determined": .integer(last.fix.determined.nanoseconds),
        "device": .text(last.fix.device.path), "at": .integer(last.at.nanoseconds),
      ])
    }
    return .record(parts)
  }

  public init?(memory: MemoryValue) {
    guard let maxAge = memory["max_age"]?.integer, let pausing = memory["pausing"]?.truth else { return nil }
    let heartbeat = memory["heartbeat"]?.integer.map { TimeSpan(nanoseconds: $0) }
    self.init(
      MovesRequest(maxAge: TimeSpan(nanoseconds: maxAge), heartbeat: heartbeat, pausing: pausing))
    guard let entry = memory["delivered"] else { return }
    guard let place = Coordinate(memory: entry), let accuracy = entry["accuracy"]?.number,
      let determined = entry["determined"]?.integer, let device = entry["device"]?.text,
      let at = entry["at"]?.integer
    else { return nil }
    let fix = PositionFix(
      place: place, accuracy: accuracy, determined: Instant(nanoseconds: determined), device: .init(device))
    recall(fix, at: Instant(nanoseconds: at))
  }
}
