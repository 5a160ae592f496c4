import StintUnits

extension TransferConfiguration {
  var memory: MemoryValue {
    var parts: [String: MemoryValue] = [
      "discretionary": .truth(isDiscretionary), "cellular": .truth(allowsCellular),
      "window": .integer(window.nanoseconds), "end": .text(windowEnd.rawValue),
      "settling": .integer(settling.nanoseconds), "must_stand": .truth(mustStand),
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
      let end = memory["end"]?.text.flatMap(WindowEnd.init(rawValue:)),
      let settling = memory["settling"]?.integer, let mustStand = memory["must_stand"]?.truth,
      let first = memory["retry_first"]?.integer, let cap = memory["retry_cap"]?.integer,
      let limit = memory["retries"]?.integer
    else { return nil }
    self.init()
    self.isDiscretionary = isDiscretionary
    self.allowsCellular = allowsCellular
    self.window = TimeSpan(nanoseconds: window)
    windowEnd = end
    self.settling = TimeSpan(nanoseconds: settling)
    self.mustStand = mustStand
    retries = RetryPlan(
      first: TimeSpan(nanoseconds: first), cap: TimeSpan(nanoseconds: cap), limit: Int(clamping: limit),
      jitter: memory["retry_jitter"]?.number ?? 0,
      seed: UInt64(bitPattern: memory["retry_seed"]?.integer ?? 0))
    largeTask = memory["large"]?.integer
    guard let slow = memory["slow"] else { return }
    guard let below = slow["below"]?.number, let release = slow["release"]?.number,
      let span = slow["span"]?.integer, let probe = slow["probe"]?.integer
    else { return nil }
    slowLink = SlowLink(
      below: below, release: release, span: TimeSpan(nanoseconds: span), probe: TimeSpan(nanoseconds: probe))
  }
}
