import StintUnits

extension TransferTask {
  var memory: MemoryValue {
    var parts: [String: MemoryValue] = [
      "name": .text(name), "request": request.memory, "created": .integer(created.nanoseconds),
      "window": .integer(window.nanoseconds), "deferrable": .truth(isDeferrable), "urgent": .truth(isUrgent),
      "failures": .integer(Int64(failures)), "attempt": .integer(Int64(attempt)),
      "through": .integer(bytesThrough), "phase": .text(phaseWord),
    ]
    parts["submitted"] = submitted.map { .integer($0.nanoseconds) }
    parts["told"] = told.map { .text($0.rawValue) }
    if case .resting(let until) = phase { parts["until"] = .integer(until.nanoseconds) }
    return .record(parts)
  }

  /// What was on its way is not any more after a restart.
  private var phaseWord: String {
    switch phase {
    case .suspended: "suspended"
    case .waiting, .carrying, .settling: "waiting"
    case .resting: "resting"
    case .parked: "parked"
    }
  }

  init?(memory: MemoryValue) {
    guard let name = memory["name"]?.text,
      let request = memory["request"].flatMap(TransferRequest.init(memory:)),
      let created = memory["created"]?.integer, let window = memory["window"]?.integer,
      let isDeferrable = memory["deferrable"]?.truth, let isUrgent = memory["urgent"]?.truth,
      let failures = memory["failures"]?.integer, let attempt = memory["attempt"]?.integer,
      let through = memory["through"]?.integer, let phase = memory["phase"]?.text
    else { return nil }
    self.init(
      name, request, window: TimeSpan(nanoseconds: window), isDeferrable: isDeferrable,
      at: Instant(nanoseconds: created))
    self.isUrgent = isUrgent
    self.failures = Int(clamping: failures)
    self.attempt = Int(clamping: attempt)
    bytesThrough = through
    submitted = memory["submitted"]?.integer.map(Instant.init(nanoseconds:))
    told = memory["told"]?.text.flatMap(TransferWait.init(rawValue:))
    switch phase {
    case "suspended": self.phase = .suspended
    case "waiting": self.phase = .waiting
    case "parked": self.phase = .parked
    case "resting":
      guard let until = memory["until"]?.integer else { return nil }
      self.phase = .resting(until: Instant(nanoseconds: until))
    default: return nil
    }
  }
}
