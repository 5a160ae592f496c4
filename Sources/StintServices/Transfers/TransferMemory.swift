import StintUnits

extension TransferConfiguration {
  var memory: MemoryValue {
    var parts: [String: MemoryValue] = [
      "discretionary": .truth(isDiscretionary), "cellular": .truth(allowsCellular),
      "window": .integer(window.nanoseconds), "end": .text(windowEnd.rawValue),
      "settling": .integer(settling.nanoseconds), "must_stand": .truth(mustExist),
      "retry_first": .integer(retries.first.nanoseconds), "retry_cap": .integer(retries.cap.nanoseconds),
      "retries": .integer(Int64(retries.limit)),
    ]
    if retries.jitter > 0 {
      parts["retry_jitter"] = .number(retries.jitter)
      parts["retry_seed"] = .integer(Int64(bitPattern: retries.seed))
    }
    parts["large"] = largeTask.map(MemoryValue.integer)
    parts["slow"] = slowLink.map { slow in
      .record([
        "below": .number(slow.below), "release": .number(slow.release),
        "span": .integer(slow.span.nanoseconds), "probe": .integer(slow.probe.nanoseconds),
      ])
    }
    return .record(parts)
  }

  init?(memory: MemoryValue) {
    guard let isDiscretionary = memory["discretionary"]?.truth,
      let allowsCellular = memory["cellular"]?.truth, let window = memory["window"]?.integer,
      let end = memory["end"]?.text.flatMap(ExpiryAction.init(rawValue:)),
      let settling = memory["settling"]?.integer, let mustExist = memory["must_stand"]?.truth,
      let first = memory["retry_first"]?.integer, let cap = memory["retry_cap"]?.integer,
      let limit = memory["retries"]?.integer
    else { return nil }
    self.init()
    self.isDiscretionary = isDiscretionary
    self.allowsCellular = allowsCellular
    self.window = TimeSpan(nanoseconds: window)
    windowEnd = end
    self.settling = TimeSpan(nanoseconds: settling)
    self.mustExist = mustExist
    retries = RetryPlan(
      first: TimeSpan(nanoseconds: first), cap: TimeSpan(nanoseconds: cap), limit: Int(clamping: limit),
      jitter: memory["retry_jitter"]?.number ?? 0,
      seed: UInt64(bitPattern: memory["retry_seed"]?.integer ?? 0))
    largeTask = memory["large"]?.integer
    guard let slow = memory["slow"] else { return }
    guard let below = slow["below"]?.number, let release = slow["release"]?.number,
      let span = slow["span"]?.integer, let probe = slow["probe"]?.integer
    else { return nil }
    slowLink = SlowLinkLimits(
      below: below, release: release, span: TimeSpan(nanoseconds: span), probe: TimeSpan(nanoseconds: probe))
  }
}

extension TransferNotice {
  public var memory: MemoryValue {
    func record(_ word: String, _ task: String, _ more: [String: MemoryValue] = [:]) -> MemoryValue {
      .record(["notice": .text(word), "task": .text(task)].merging(more) { first, _ in first })
    }
    switch self {
    case .accepted(let task): return record("accepted", task)
    case .refused(let task, let failure):
      return record(
        "refused", task, ["code": .text(failure.code.name), "sentence": .text(failure.sentence)])
    case .waiting(let task, let wait): return record("waiting", task, ["wait": .text(wait.rawValue)])
    case .reply(let task, let status): return record("reply", task, ["status": .integer(Int64(status))])
    case .finished(let task, let file):
      return record("finished", task, file.map { ["file": .text($0)] } ?? [:])
    case .failed(let task, let fault):
      return record("failed", task, ["fault": .text(fault.name), "transient": .truth(fault.isTransient)])
    case .credentialsNeeded(let task): return record("credentials", task)
    case .drained: return record("drained", "")
    case .warning(let code, let sentence): return record("warning", code, ["sentence": .text(sentence)])
    }
  }

  public init?(memory: MemoryValue) {
    guard let word = memory["notice"]?.text, let task = memory["task"]?.text else { return nil }
    switch word {
    case "accepted": self = .accepted(task)
    case "refused":
      guard let code = memory["code"]?.text, let sentence = memory["sentence"]?.text else { return nil }
      self = .refused(task, ServiceFailure(ServiceFailure.Code(code), sentence))
    case "waiting":
      guard let wait = memory["wait"]?.text.flatMap(TransferWait.init(rawValue:)) else { return nil }
      self = .waiting(task, wait)
    case "reply":
      guard let status = memory["status"]?.integer else { return nil }
      self = .reply(task, Int(clamping: status))
    case "finished": self = .finished(task, file: memory["file"]?.text)
    case "failed":
      guard let name = memory["fault"]?.text, let isTransient = memory["transient"]?.truth else { return nil }
      self = .failed(task, TransferFault(name, isTransient: isTransient))
    case "credentials": self = .credentialsNeeded(task)
    case "drained": self = .drained
    case "warning":
      guard let sentence = memory["sentence"]?.text else { return nil }
      self = .warning(task, sentence)
    default: return nil
    }
  }
}

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
    if rejectionReason != nil { return nil }
  }
}

extension TransferTask {
  var memory: MemoryValue {
    var parts: [String: MemoryValue] = [
      "name": .text(name), "request": request.memory, "created": .integer(created.nanoseconds),
      "window": .integer(window.nanoseconds), "deferrable": .truth(isDeferrable), "urgent": .truth(isUrgent),
      "failures": .integer(Int64(failures)), "attempt": .integer(Int64(attempt)),
      "through": .integer(bytesThrough), "phase": .text(phaseWord),
    ]
    parts["submitted"] = submitted.map { .integer($0.nanoseconds) }
    parts["told"] = reported.map { .text($0.rawValue) }
    if case .resting(let until) = phase { parts["until"] = .integer(until.nanoseconds) }
    return .record(parts)
  }

  /// The saved name of the phase. A transfer in progress does not survive a restart, so it is saved as
  /// waiting.
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
    reported = memory["told"]?.text.flatMap(TransferWait.init(rawValue:))
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

  /// Restores a session. Its client has not joined the session yet, because the client's process ended with
  /// the host's process.
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
