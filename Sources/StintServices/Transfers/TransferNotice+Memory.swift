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
