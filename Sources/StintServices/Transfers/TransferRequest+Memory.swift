import StintUnits

extension TransferRequest {
  var memory: MemoryValue {
    var parts: [String: MemoryValue] = [
      "up": .integer(bytesUp), "down": .integer(bytesDown), "urgent": .truth(isUrgent),
    ]
    parts["window"] = window.map { .integer($0.nanoseconds) }
    switch kind {
    case .download(let from): parts["from"] = .text(from)
    case .upload(let file, let to):
      parts["file"] = .text(file)
      parts["to"] = .text(to)
    case .uploadFromMemory(let to): parts["to"] = .text(to)
    }
    return .record(parts)
  }

  init?(memory: MemoryValue) {
    guard let up = memory["up"]?.integer, let down = memory["down"]?.integer,
      let isUrgent = memory["urgent"]?.truth
    else { return nil }
    let kind: Kind
    if let from = memory["from"]?.text {
      kind = .download(from: from)
    } else if let file = memory["file"]?.text, let to = memory["to"]?.text {
      kind = .upload(file: file, to: to)
    } else {
      return nil
    }
    self.init(
      kind, bytesUp: up, bytesDown: down,
      window: memory["window"]?.integer.map(TimeSpan.init(nanoseconds:)), isUrgent: isUrgent)
    if objection != nil { return nil }
  }
}
