import StintModel
import StintUnits

extension MovesService {
  public var memory: MemoryValue {
    var parts: [String: MemoryValue] = [
      "max_age": .integer(request.maxAge.nanoseconds), "pausing": .truth(request.pausing),
    ]
    if let heartbeat = request.heartbeat { parts["heartbeat"] = .integer(heartbeat.nanoseconds) }
    if let last = lastDelivery {
      parts["delivered"] = last.fix.memory
      parts["at"] = .integer(last.at.nanoseconds)
    }
    return .record(parts)
  }

  public init?(memory: MemoryValue) { self.init(memory: memory, on: nil) }

  /// A rule's watch goes on with the device that its rule names.
  init?(memory: MemoryValue, on device: DeviceID?) {
    guard let maxAge = memory["max_age"]?.integer, let pausing = memory["pausing"]?.truth else { return nil }
    let heartbeat = memory["heartbeat"]?.integer.map { TimeSpan(nanoseconds: $0) }
    self.init(
      MovesRequest(maxAge: TimeSpan(nanoseconds: maxAge), heartbeat: heartbeat, pausing: pausing), on: device)
    guard let entry = memory["delivered"] else { return }
    guard let fix = PositionFix(memory: entry), let at = memory["at"]?.integer else { return nil }
    recall(fix, at: Instant(nanoseconds: at))
  }

  public mutating func resume(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    watch(context, &outbox)
  }
}
