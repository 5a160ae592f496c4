import StintMachine
import StintModel
import StintUnits

extension Governor {
  /// Merges demands and directives into grants, and grants into settings, where something changed.
  mutating func arbitrate() {
    if devices.beginRound(.grants) { regrantTargets() }
    if devices.beginRound(.setting) { resettleProviders() }
  }

  private mutating func regrantTargets() {
    for target in devices.indices where devices.removeMark(target, .grants) {
      for id in devices[target].asked { regrant(id) }
      // Transfers that are put off have no provider; their timers hang on the radio they ask for.
      if devices[target].manifest.kind == .radio { devices.mark(target, .setting) }
      planHolds(target)
    }
  }

  private mutating func resettleProviders() {
    var processorIsDirty = false
    for provider in devices.indices
    where provider != processor && devices.removeMark(provider, .setting) {
      resettle(provider)
      processorIsDirty = true
    }
    if processorIsDirty { resettleProcessor() }
  }

  /// Decides anew what one demand gets.
  mutating func regrant(_ id: DemandID) {
    guard let record = demands[id], record.progress == .waiting else { return }
    let (grant, provider) = decide(record)
    let hadHolds = !record.grant.holds.isEmpty
    let isNew = grant != record.grant
    if record.provider != provider {
      derived.grantMoved()
      if let old = record.provider {
        // What was held for it is handed over before it leaves: nothing is lost.
        drainOnce(old)
        devices.endServing(old, id)
      }
      if let provider { devices.serve(provider, id) }
    }
    let begins = record.provider != provider || !hadHolds && !grant.holds.isEmpty
    demands.grant(id, grant, by: provider)
    if begins && !record.isTransfer {
      demands.beginHold(id, at: now, odometer: provider.flatMap { devices.odometer(of: $0, facts) })
    }
    if let provider { devices.mark(provider, .setting) }
    if isNew { effects.append(.grant(record.demand, grant)) }
  }

  /// Has a holding device hand over, once a step.
  mutating func drainOnce(_ device: Int) {
    let drain = Effect.drain(device: device, .ended)
    guard devices[device].setting.isHolding, !effects.contains(drain) else { return }
    effects.append(drain)
  }

  /// What the demand is granted, and by which device.
  private func decide(_ record: DemandRecord) -> (Grant, provider: Int?) {
    var limits = Limits(wants: completedWants(record))
    gather(record, into: &limits)
    var grant = Grant(standing: .served, holds: limits.holds, rules: limits.rules.sorted())
    grant.accuracy = limits.wants.accuracy
    grant.period = limits.wants.period
    grant.latency = limits.wants.latency
    if limits.wants.background == false, let appStateFact,
      facts.value(appStateFact) == backgroundState
    {
      grant.standing = .background
    } else if limits.isStopped {
      grant.standing = .stopped
    } else if limits.isPaused {
      grant.standing = .paused
    } else if let until = limits.postponedUntil, now < until {
      grant.standing = .deferred
    }
    guard grant.standing == .served else { return (grant, nil) }
    guard
      let provider = devices.provider(for: record.target, accuracy: grant.accuracy, in: vocabulary)
    else {
      grant.standing = .unavailable
      return (grant, nil)
    }
    let manifest = devices[provider].manifest
    grant.provider = manifest.device
    if let latency = grant.latency, latency > .zero, manifest.fifo > 0 {
      grant.holds.append(Hold(rule: .asAsked, bounds: [.time(latency)]))
    }
    if manifest.kind == .sensor && manifest.fifo == 0 { grant.holds = [] }
    clamp(&grant, to: manifest)
    return (grant, provider)
  }

  /// What the client asked, with what it left open filled from the policies' defaults and the manifest.
  func completedWants(_ record: DemandRecord) -> Wants {
    var wants = record.demand.wants
    let device = record.demand.target
    if let defaults = rules.program?.defaults.first(where: { $0.device == device }) {
      wants = wants.completed(by: defaults.wants)
    }
    let manifest = devices[record.target].manifest
    if wants.accuracy == nil,
      case .number(let metres)? = manifest.attribute(named: "accuracy")?.fallback
    {
      wants.accuracy = metres
    }
    if wants.period == nil, case .number(let hertz)? = manifest.attribute(named: "rate")?.fallback {
      wants.period = Quantity(hertz, .rate).period
    }
    return wants
  }

  /// Lays every directive in force that reaches the demand over what it wants.
  private func gather(_ record: DemandRecord, into limits: inout Limits) {
    guard let image = rules.image else { return }
    for number in rules.reaching[record.target] where rules.isInForce(number, for: record.demand.id) {
      guard !image.directives[number].directive.exceptions.contains(record.demand.client),
        !rules.isPutAside(number, on: record.target, for: record.demand.id)
      else { continue }
      let rule = image.directives[number].directive.rule
      switch image.directives[number].directive.action {
      case .start, .serve, .resume: continue
      case .bar(let word):
        guard record.demand.service?.word == word else { continue }
        limits.isStopped = true
      case .stop: limits.isStopped = true
      case .pause:
        guard limits.wants.pausing != false else { continue }
        limits.isPaused = true
      case .coarsen(let metres):
        guard metres > limits.wants.accuracy ?? 0 else { continue }
        limits.wants.accuracy = metres
      case .slow(let period):
        guard period > limits.wants.period ?? .zero else { continue }
        limits.wants.period = period
      case .batch(let bounds):
        limits.holds.append(Hold(rule: rule, bounds: bounds))
      case .postpone(let deadline):
        let end = [deadline.map { record.raised + $0 }, record.deadline].compactMap { $0 }.min()
        guard now < end ?? .distantFuture else { continue }
        limits.postponedUntil = max(limits.postponedUntil ?? .epoch, end ?? .distantFuture)
      }
      limits.note(rule)
    }
    if let rule = record.demand.service?.rule { limits.note(rule) }
    if let raisedBy = record.raisedBy { limits.note(raisedBy.rule) }
  }

  /// Rounds the grant to what the device can honour.
  private func clamp(_ grant: inout Grant, to manifest: Manifest) {
    if let range = manifest.attribute(named: "rate")?.range, range.upperBound > 0 {
      let fastest = Quantity(range.upperBound, .rate).period ?? .zero
      grant.period = max(grant.period ?? fastest, fastest)
    }
    if let range = manifest.attribute(named: "accuracy")?.range, let accuracy = grant.accuracy {
      grant.accuracy = max(accuracy, range.lowerBound)
    }
  }
}

/// What directives make of a demand's wants.
private struct Limits {
  var wants: Wants
  var isStopped = false
  var isPaused = false
  var postponedUntil: Instant?
  var holds: [Hold] = []
  var rules: [RuleID] = []

  init(wants: Wants) { self.wants = wants }

  mutating func note(_ rule: RuleID) {
    if !rules.contains(rule) { rules.append(rule) }
  }
}
