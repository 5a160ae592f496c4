import StintGovernor
import StintModel
import StintRuntime
import StintUnits

/// A device under a candidate policy. Its recorded reports apply while it works as in the journal. When
/// its settings or its delivery times differ under the candidate policy, its reports are simulated from
/// its `DeviceBehavior`.
struct CandidateDevice {
  let number: Int
  let behavior: DeviceBehavior
  var manifest: Manifest { behavior.manifest }

  /// The setting under the policy of the journal (`recorded`) and under the candidate policy (`setting`).
  var recorded = Setting.off
  var setting = Setting.off
  /// The power state in the journal (`recordedState`) and under the candidate policy (`state`).
  var recordedState: Int
  var state: Int
  /// True when the device has diverged from the journal. Its setting, its power state or its delivery times
  /// differ under the candidate policy. The recorded samples then no longer apply to the device; its reports
  /// are simulated.
  private(set) var hasDiverged = false
  /// True when the delivery times of the device differ although its settings are equal.
  private var hasDifferentHolds = false
  /// The future reports of the device, in order of time.
  private var plan: [(instant: Instant, inputs: [Input])] = []
  /// The instant of the last delivery of samples.
  private var lastDelivery: Instant

  init(number: Int, behavior: DeviceBehavior, at instant: Instant) {
    self.number = number
    self.behavior = behavior
    recordedState = behavior.manifest.initial
    state = behavior.manifest.initial
    lastDelivery = instant
  }

  /// The instant of the next simulated report of the device; the distant future when no report is planned.
  var next: Instant {
    var next = plan.first?.instant ?? .distantFuture
    if streams { next = min(next, lastDelivery + pace) }
    if let fillTime { next = min(next, lastDelivery + fillTime) }
    return next
  }

  /// The time in which the buffer of a diverged device fills. Nil unless the device has diverged and works,
  /// has a buffer and a period, and holds samples without overwriting the oldest samples.
  private var fillTime: TimeSpan? {
    guard hasDiverged, setting.isOn, setting.isHolding, !setting.keepsNewest, state == behavior.working,
      manifest.fifo > 0,
      let period = setting.period
    else { return nil }
    return period * Int64(manifest.fifo)
  }

  /// The time between two deliveries, at least 1 s. A faster stream keeps the processor awake all the time,
  /// so its single samples need not be simulated.
  private var pace: TimeSpan { max(setting.period ?? .seconds(1), .seconds(1)) }

  /// True when the device delivers each sample at once and the delivery times must be simulated.
  private var streams: Bool {
    hasDiverged && manifest.kind == .sensor && setting.isOn && !setting.isHolding && state == behavior.working
  }

  /// Returns the simulated reports of the device up to and including an instant. Call it when `next` is not
  /// after this instant.
  mutating func report(at instant: Instant) -> [Input] {
    var inputs: [Input] = []
    while let first = plan.first, first.instant <= instant {
      inputs += first.inputs
      plan.removeFirst()
    }
    if streams, lastDelivery + pace <= instant {
      inputs.append(delivery(.immediate, at: instant))
    }
    if let fillTime, lastDelivery + fillTime <= instant { inputs.append(delivery(.full, at: instant)) }
    for input in inputs { if case .outcome(_, .state(let state, _)) = input { self.state = state } }
    return inputs
  }

  /// Marks the device as diverged. `isDeliveryOnly` is true when only the delivery times differ, not
  /// the settings.
  mutating func markDiverged(at instant: Instant, isDeliveryOnly: Bool) {
    if isDeliveryOnly, setting == recorded, setting.isHolding { hasDifferentHolds = true }
    guard !hasDiverged else { return }
    hasDiverged = true
    lastDelivery = instant
  }

  /// Uses the recorded reports again when the device no longer differs from the journal.
  mutating func rejoin() {
    if setting != recorded { hasDifferentHolds = false }
    if hasDiverged, setting == recorded, state == recordedState, plan.isEmpty, !hasDifferentHolds {
      hasDiverged = false
    }
  }

  // MARK: Simulated responses

  /// Simulates the response to a new setting.
  mutating func apply(at instant: Instant) {
    plan.removeAll()
    guard setting.isOn else {
      plan.append((instant, [outcome(behavior.resting)]))
      return
    }
    var moment = instant
    if !manifest.states[state].isOn {
      for step in behavior.starting {
        plan.append((moment, [outcome(step.state)]))
        moment = moment + step.length
      }
    }
    plan.append((moment, [outcome(behavior.working)]))
    lastDelivery = instant
  }

  /// Simulates the delivery of buffered samples.
  mutating func drain(_ reason: DeliveryReason, at instant: Instant) {
    plan.insert((instant, [delivery(reason, at: instant)]), at: 0)
  }

  /// Simulates the states of a radio for these transfers: promotion, active, tail, rest.
  mutating func startTransfers(_ demands: [Demand], at instant: Instant) {
    plan.removeAll {
      $0.instant > instant && !$0.inputs.contains { if case .carried = $0 { true } else { false } }
    }
    var moment = max(instant, plan.last?.instant ?? instant)
    if let state = manifest.state(named: "promotion"), !manifest.states[self.state].isOn {
      plan.append((moment, [outcome(state)]))
      moment = moment + behavior.figure("promotion")
    }
    let active = manifest.state(named: "active") ?? behavior.working
    plan.append((moment, [outcome(active)]))
    for demand in demands {
      moment = moment + behavior.transferTime(demand.wants.transfer?.bytes ?? 0)
      plan.append((moment, [.carried(demand.id)]))
    }
    if let tail = manifest.state(named: "tail") {
      plan.append((moment, [outcome(tail)]))
      moment = moment + behavior.figure("tail")
    }
    plan.append((moment, [outcome(behavior.resting)]))
  }

  /// Simulates a wake-up of the processor.
  mutating func wakeProcessor(at instant: Instant) {
    guard let wake = manifest.event(named: "wake") else { return }
    plan.insert((instant, [.outcome(device: number, .event(wake, count: 1))]), at: 0)
  }

  private func outcome(_ state: Int) -> Input {
    .outcome(device: number, .state(state, period: setting.isOn ? setting.period : nil))
  }

  private mutating func delivery(_ reason: DeliveryReason, at instant: Instant) -> Input {
    let period = max((setting.period ?? .seconds(1)).nanoseconds, 1)
    let samples = max(Int((instant - lastDelivery).nanoseconds / period), 1)
    lastDelivery = instant
    return .delivered(device: number, samples: samples, reason: reason)
  }
}
