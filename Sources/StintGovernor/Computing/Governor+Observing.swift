import StintModel
import StintUnits

/// What the governor notes of devices and services, for the policies that ask.
extension Governor {
  /// How an observation is worked out, going on from what was known.
  mutating func kind(
    of observation: Observation, before old: ComputedRecord.Kind?
  ) -> ComputedRecord.Kind {
    let device = observation.device.flatMap { vocabulary.device($0) }
    if observation.device != nil, device == nil { return .foreign }
    switch observation {
    case .energy(let word):
      if case .serviceMeter(word, let before, let end)? = old {
        return .serviceMeter(word, before: before, end: end)
      }
      return .serviceMeter(
        word, before: energy.ledger.byService[word] ?? .zero, end: endOfDay)
    default: return .observed(observation, device: device)
    }
  }

  private var endOfDay: Instant { BudgetPeriod(period: .day, from: .zero).containing(now, in: timeZone).end }

  /// What it is now.
  func value(of observation: Observation, device: Int?) -> FactValue {
    switch (observation, device) {
    case (.heard, let device?):
      // Whoever listens is heard also while a rule keeps the device off: that ends what waits for a listener.
      let demands = devices[device].asked + devices[device].served
      return .boolean(demands.contains { !notes.unheard.contains($0) })
    case (.failed, let device?):
      let record = devices[device]
      return .boolean(record.hasFault || (!record.isAvailable && !record.asked.isEmpty))
    case (.batchDone, let device?): return .boolean(notes.handedOver.contains(device))
    case (.unexplained, let device?):
      return .number(Double(energy.intervals[device].unexplained.nanoseconds) / 1e9)
    case (.used(_, let word), let device?):
      return .boolean(devices[device].served.contains { demands[$0]?.demand.service?.word == word })
    case (.watching(let word), _):
      let isAsked = demands.all.contains { $0.demand.service?.word == word }
      return .boolean(isAsked || notes.leases.contains { $0.word == word })
    case (.signal(let signal), _):
      if signal.isPulse { return .boolean(notes.pulses.contains(signal)) }
      return notes.said[signal] ?? signal.rest
    default: return .unknown
    }
  }

  /// What services drew, as far as it is booked.
  mutating func readServiceMeter(_ word: ServiceWord, _ before: Energy, _ end: Instant, _ place: Int) {
    let sum = energy.ledger.byService[word] ?? .zero
    var before = before
    var end = end
    if end <= now {
      before = sum
      end = endOfDay
    }
    computed[place].kind = .serviceMeter(word, before: before, end: end)
    computed[place].next = end
    publish(.number((sum - before).joules), place)
  }

  /// Ends what is true for one moment only; true when something was.
  mutating func endNotedPulses() -> Bool {
    guard !notes.pulses.isEmpty || !notes.handedOver.isEmpty else { return false }
    notes.pulses.removeAll()
    notes.handedOver.removeAll()
    publishObserved()
    return true
  }

  private mutating func publishObserved() {
    for place in activePlaces {
      guard case .observed(let observation, let device) = computed[place].kind else { continue }
      publish(value(of: observation, device: device), place)
    }
  }

  /// Demands came to lie on other devices in this step: who asks for that hears of it in a step of its own, at once.
  mutating func noteMovedGrants() {
    guard notes.grantsMoved else { return }
    notes.grantsMoved = false
    mustCompute = true
    computedTimer = now
  }
}
