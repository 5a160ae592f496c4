import StintUnits

extension TransferSession {
  var memory: MemoryValue {
    var parts: [String: MemoryValue] = [
      "configuration": configuration.memory, "created": .integer(created.nanoseconds),
      "tasks": .list(tasks.map(\.memory)), "over": .list(over.map(MemoryValue.text)),
      "window": .integer(window.nanoseconds), "kept": .list(kept.map(\.memory)), "busy": .truth(isBusy),
    ]
    if dropped > 0 { parts["dropped"] = .integer(Int64(dropped)) }
    parts["left"] = leftAt.map { .integer($0.nanoseconds) }
    return .record(parts)
  }

  /// Restores a session; its client has not joined it yet, because its process ended with the host's.
  init?(memory: MemoryValue) {
    guard let configuration = memory["configuration"].flatMap(TransferConfiguration.init(memory:)),
      let created = memory["created"]?.integer, let window = memory["window"]?.integer,
      let tasks = memory["tasks"]?.list, let over = memory["over"]?.list, let kept = memory["kept"]?.list
    else { return nil }
    self.init(configuration)
    self.created = Instant(nanoseconds: created)
    self.window = TimeSpan(nanoseconds: window)
    for entry in tasks {
      guard let task = TransferTask(memory: entry) else { return nil }
      self.tasks.append(task)
    }
    for entry in kept {
      guard let notice = TransferNotice(memory: entry) else { return nil }
      self.kept.append(notice)
    }
    self.over = over.compactMap(\.text)
    dropped = Int(clamping: memory["dropped"]?.integer ?? 0)
    isBusy = memory["busy"]?.truth ?? false
    leftAt = memory["left"]?.integer.map(Instant.init(nanoseconds:))
    isRestored = true
  }
}
