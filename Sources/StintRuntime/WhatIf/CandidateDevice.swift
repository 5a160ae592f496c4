import StintGovernor
import StintModel
import StintUnits

/// One device under a candidate policy. It is as in the journal while both policies give it the same setting,
/// else as its habits suggest.
struct CandidateDevice {
  let number: Int
  let habits: DeviceBehavior
  var manifest: Manifest { habits.manifest }

  /// What the journal's policy and the candidate have told it.
  var recorded = Setting.off
  var setting = Setting.off
  /// The states that the journal and the candidate's governor know of.
  var recordedState: Int
  var state: Int
  /// Whether it goes its own way: what the journal says of it does not hold for the candidate.
  private(set) var hasDiverged = false
  /// Whether it hands over what it holds at other times, told the same otherwise.
  private var hasDifferentHolds = false
  /// What it will report by itself, in order of time.
  private var plan: [(instant: Instant, inputs: [Input])] = []
  /// When samples came to the host last.
  private var delivered: Instant

  init(number: Int, habits: DeviceBehavior, at instant: Instant) {
    self.number = number
    self.habits = habits
    recordedState = habits.manifest.initial
    state = habits.manifest.initial
    delivered = instant
  }

  /// When it reports something by itself; the distant future when it does not.
  var next: Instant {
    var next = plan.first?.instant ?? .distantFuture
    if streams { next = min(next, delivered + pace) }
    if let filling { next = min(next, delivered + filling) }
    return next
  }

  /// How long it takes to fill what it can hold by itself; nil while it holds nothing, or nothing is known of it.
  private var filling: TimeSpan? {
    guard hasDiverged, setting.isOn, setting.isHolding, !setting.keepsNewest, state == habits.working,
      manifest.fifo > 0,
      let period = setting.period
    else { return nil }
    return period * Int64(manifest.fifo)
  }

  /// The time between two hand-overs; fast streams keep the processor awake anyway, and need no hand-over for
  /// each sample.
  private var pace: TimeSpan { max(setting.period ?? .seconds(1), .seconds(1)) }

  /// Whether it hands over each sample by itself, where the journal does not tell when.
  private var streams: Bool {
    hasDiverged && manifest.kind == .sensor && setting.isOn && !setting.isHolding && state == habits.working
  }

  /// What it reports at an instant that is `next`.
  mutating func report(at instant: Instant) -> [Input] {
    var inputs: [Input] = []
    while let first = plan.first, first.instant <= instant {
      inputs += first.inputs
      plan.removeFirst()
    }
    if streams, delivered + pace <= instant {
      inputs.append(delivery(.immediate, at: instant))
    }
    if let filling, delivered + filling <= instant { inputs.append(delivery(.full, at: instant)) }
    for input in inputs { if case .outcome(_, .state(let state, _)) = input { self.state = state } }
    return inputs
  }

  /// Departs from the journal: it hands over at another time, or also gets another setting.
  mutating func part(at instant: Instant, isOnlyHandOver: Bool) {
    if isOnlyHandOver, setting == recorded, setting.isHolding { hasDifferentHolds = true }
    guard !hasDiverged else { return }
    hasDiverged = true
    delivered = instant
  }

  /// Goes with the journal again where nothing tells the two apart any more.
  mutating func rejoin() {
    if setting != recorded { hasDifferentHolds = false }
    if hasDiverged, setting == recorded, state == recordedState, plan.isEmpty, !hasDifferentHolds {
      hasDiverged = false
    }
  }

  // MARK: Answers

  /// Answers a setting.
  mutating func apply(at instant: Instant) {
    plan.removeAll()
    guard setting.isOn else {
      plan.append((instant, [outcome(habits.resting)]))
      return
    }
    var moment = instant
    if !manifest.states[state].isOn {
      for step in habits.starting {
        plan.append((moment, [outcome(step.state)]))
        moment = moment + step.length
      }
    }
    plan.append((moment, [outcome(habits.working)]))
    delivered = instant
  }

  /// Answers a call to hand over what it holds.
  mutating func drain(_ reason: DeliveryReason, at instant: Instant) {
    plan.insert((instant, [delivery(reason, at: instant)]), at: 0)
  }

  /// Answers a call to carry transfers: rises, carries, and falls after its tail.
  mutating func startTransfers(_ demands: [Demand], at instant: Instant) {
    plan.removeAll {
      $0.instant > instant && !$0.inputs.contains { if case .carried = $0 { true } else { false } }
    }
    var moment = max(instant, plan.last?.instant ?? instant)
    if let state = manifest.state(named: "promotion"), !manifest.states[self.state].isOn {
      plan.append((moment, [outcome(state)]))
      moment = moment + habits.figure("promotion")
    }
    let active = manifest.state(named: "active") ?? habits.working
    plan.append((moment, [outcome(active)]))
    for demand in demands {
      moment = moment + habits.transferTime(demand.wants.transfer?.bytes ?? 0)
      plan.append((moment, [.carried(demand.id)]))
    }
    if let tail = manifest.state(named: "tail") {
      plan.append((moment, [outcome(tail)]))
      moment = moment + habits.figure("tail")
    }
    plan.append((moment, [outcome(habits.resting)]))
  }

  /// Answers a call to wake.
  mutating func wakeProcessor(at instant: Instant) {
    guard let wake = manifest.event(named: "wake") else { return }
    plan.insert((instant, [.outcome(device: number, .event(wake, count: 1))]), at: 0)
  }

  private func outcome(_ state: Int) -> Input {
    .outcome(device: number, .state(state, period: setting.isOn ? setting.period : nil))
  }

  private mutating func delivery(_ reason: DeliveryReason, at instant: Instant) -> Input {
    let period = max((setting.period ?? .seconds(1)).nanoseconds, 1)
    let samples = max(Int((instant - delivered).nanoseconds / period), 1)
    delivered = instant
    return .delivered(device: number, samples: samples, reason: reason)
  }
}
