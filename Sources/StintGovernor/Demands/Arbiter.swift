import StintMachine
import StintModel
import StintUnits

/// Computes the grant of a demand by applying the directives in force to the demand's settings.
///
/// A grant is a large value with strings. Therefore the arbiter creates a new grant only when the limits
/// differ from the limits of the last grant.
struct Arbiter: Sendable {
  /// A delay of a transfer until a reading has its first value.
  struct Awaited: Equatable, Sendable {
    var directive: Int
    var wait: TimeSpan
  }

  /// The inputs of a grant. While the policies do not change, equal limits give equal grants.
  struct Limits: Sendable {
    /// The status of the grant; nil before the first grant.
    var status: Grant.Status?
    /// The index of the device that serves the demand; nil when no device serves it.
    var provider: Int?
    /// The accuracy radius in metres; nil without a requirement.
    var accuracy: Double?
    var period: TimeSpan?
    var latency: TimeSpan?
    var attributes = AttributeValues()
    /// The directive whose rule may delay the transfer as soon as a reading has its first value, with the
    /// wait for this value. Nil when no such value is awaited.
    var awaited: Awaited?
    /// The directives that limit, delay or stop the demand, as ascending indexes into the image.
    var directives: ContiguousArray<Int> = []

    /// Copies the values of other limits. The array `directives` keeps its capacity.
    mutating func become(_ other: borrowing Limits) {
      status = other.status
      provider = other.provider
      accuracy = other.accuracy
      period = other.period
      latency = other.latency
      attributes = other.attributes
      awaited = other.awaited
      directives.removeAll(keepingCapacity: true)
      for place in other.directives.indices { directives.append(other.directives[place]) }
    }

    func isEqual(to other: borrowing Limits) -> Bool {
      guard status == other.status, provider == other.provider, accuracy == other.accuracy,
        period == other.period, latency == other.latency, attributes == other.attributes,
        awaited == other.awaited,
        directives.count == other.directives.count
      else { return false }
      for place in directives.indices where directives[place] != other.directives[place] { return false }
      return true
    }
  }

  /// The limits of the demand under arbitration; stored here to reuse their memory.
  private(set) var limits = Limits()
  private var ranks: [Int] = []

  /// Computes the limits of a demand. Returns false when they equal the limits of the last grant.
  ///
  /// The tables are `inout` only to avoid copies during a step; none of them changes.
  ///
  /// - Parameter isReading: true for a demand that reads facts of its target for rules. Another device of the
  ///   ladder does not publish these facts. So a limit that would move the demand to such a device stops the
  ///   demand instead.
  /// - Parameter awaited: the directives that may delay transfers as soon as a reading has its first value,
  ///   each with the wait for this value.
  mutating func limit(
    _ slot: DemandSlot, of demands: inout DemandTable, _ rules: inout RuleEngine,
    _ devices: inout DeviceTable, isBackground: Bool, isReading: Bool,
    awaited: [Int: TimeSpan], at now: Instant
  ) -> Bool {
    limits.accuracy = demands[slot].completed.accuracy
    limits.period = demands[slot].completed.period
    limits.latency = demands[slot].completed.latency
    limits.attributes = demands[slot].completed.attributes
    limits.provider = nil
    limits.awaited = nil
    limits.directives.removeAll(keepingCapacity: true)
    let status = apply(&rules, to: slot, of: &demands, &devices, at: now)
    if isBackground, demands[slot].completed.background == false {
      limits.status = .background
    } else if status != .served {
      limits.status = status
    } else {
      limits.provider = devices.provider(
        for: demands[slot].target, accuracy: limits.accuracy, isAlone: demands[slot].demand.isForTargetOnly)
      limits.status = limits.provider == nil ? .unavailable : .served
      if isReading { keepOnTarget(demands[slot].target, devices) }
      if !awaited.isEmpty, demands[slot].isTransfer {
        limits.awaited = wait(of: slot, for: awaited, demands, &rules, at: now)
      }
    }
    return !limits.isEqual(to: demands[slot].limits)
  }

  /// Returns the longest wait of a transfer for the first value of a reading. Nil when no reading can delay
  /// the transfer, or the wait has ended.
  private func wait(
    of slot: DemandSlot, for awaited: [Int: TimeSpan], _ demands: borrowing DemandTable,
    _ rules: inout RuleEngine, at now: Instant
  ) -> Awaited? {
    var longest: Awaited?
    let target = demands[slot].target
    for entry in rules.index.limits[target] {
      guard let wait = awaited[entry.directive], wait > longest?.wait ?? .zero,
        now < demands[slot].raised + wait, !rules.isInForce(entry.directive, for: slot.id),
        !rules.isOverridden(entry.directive, on: target, for: slot.id)
      else { continue }
      if entry.hasExceptions, rules.isException(entry, demands[slot].demand.client) { continue }
      longest = Awaited(directive: entry.directive, wait: wait)
    }
    return longest
  }

  /// Keeps the demand on its target. Stops the demand if a cheaper device of the ladder would serve it. If a
  /// device of equal rank would serve it, the target serves the demand in place of that device. If the target
  /// itself is not available in this case, the demand is unavailable.
  private mutating func keepOnTarget(_ target: Int, _ devices: borrowing DeviceTable) {
    guard let provider = limits.provider, provider != target else { return }
    func rank(_ device: Int) -> Int { devices[device].model.manifest.ladder?.rank ?? 0 }
    let isCheaper = rank(provider) < rank(target)
    limits.provider = isCheaper ? nil : devices.provider(for: target, accuracy: nil, isAlone: true)
    limits.status = isCheaper ? .stopped : limits.provider == nil ? .unavailable : .served
  }

  /// Changes `limits` according to all directives that are in force for the demand. Returns the status of the
  /// demand.
  private mutating func apply(
    _ rules: inout RuleEngine, to slot: DemandSlot, of demands: inout DemandTable,
    _ devices: inout DeviceTable, at now: Instant
  ) -> Grant.Status {
    var isStopped = false
    var isPaused = false
    var postponedUntil: Instant?
    let target = demands[slot].target
    let entries = rules.index.limits[target]
    for entry in entries where rules.isInForce(entry.directive, for: slot.id) {
      if entry.hasExceptions, rules.isException(entry, demands[slot].demand.client) { continue }
      if rules.isOverridden(entry.directive, on: target, for: slot.id) { continue }
      switch entry.limit {
      case .stopService:
        guard rules.isBarred(demands[slot].demand.service?.word, by: entry.directive) else { continue }
        isStopped = true
      case .stop: isStopped = true
      case .pause:
        guard demands[slot].completed.pausing != false else { continue }
        isPaused = true
      case .limitAccuracy(let metres):
        guard metres > limits.accuracy ?? 0 else { continue }
        limits.accuracy = metres
      case .slow(let period):
        guard period > limits.period ?? .zero else { continue }
        limits.period = period
      case .limitAttributes(let values):
        let restrained = devices[target].model.manifest.restrained(limits.attributes, to: values)
        guard restrained != limits.attributes else { continue }
        limits.attributes = restrained
      case .batch: break
      case .postpone(let deadline):
        let end = demands[slot].end(ofDeferral: deadline)
        guard now < end ?? .distantFuture else { continue }
        postponedUntil = max(postponedUntil ?? .epoch, end ?? .distantFuture)
      }
      limits.directives.append(entry.directive)
    }
    if isStopped { return .stopped }
    if isPaused { return .paused }
    if let postponedUntil, now < postponedUntil { return .deferred }
    return .served
  }

  /// Creates the grant of a demand from its limits.
  mutating func grant(
    _ slot: DemandSlot, of demands: inout DemandTable, _ rules: inout RuleEngine,
    _ devices: inout DeviceTable
  ) -> Grant {
    var grant = Grant(
      status: limits.status ?? .unavailable, accuracy: limits.accuracy, period: limits.period,
      latency: limits.latency, holds: holds(&rules), rules: names(&rules))
    grant.note(demands[slot].demand.service?.rule)
    grant.note(demands[slot].raisedBy?.rule)
    guard let provider = limits.provider else { return grant }
    let model = devices[provider].model
    grant.attributes = limits.attributes
    grant.provider = model.manifest.device
    if let latency = grant.latency, latency > .zero, model.manifest.fifo > 0 {
      grant.holds.append(Hold(rule: .asAsked, bounds: [.time(latency)]))
    }
    if let awaited = limits.awaited {
      let rule = rules.index.names[rules.index.rank(ofDirective: awaited.directive)]
      grant.holds.append(Hold(rule: rule, bounds: [.time(awaited.wait)]))
    }
    if model.kind == .sensor && model.manifest.fifo == 0 { grant.holds = [] }
    model.clamp(&grant)
    return grant
  }

  /// Returns the holds of the `batch` directives among the limits.
  private func holds(_ rules: inout RuleEngine) -> [Hold] {
    var holds: [Hold] = []
    for number in limits.directives {
      if let hold = rules.hold(by: number) { holds.append(hold) }
    }
    return holds
  }

  /// Returns the names of the rules whose directives are among the limits, sorted and without duplicates.
  private mutating func names(_ rules: inout RuleEngine) -> [RuleID] {
    ranks.removeAll(keepingCapacity: true)
    for number in limits.directives {
      let rank = rules.index.rank(ofDirective: number)
      let place = ranks.firstIndex { $0 >= rank } ?? ranks.count
      if place == ranks.count || ranks[place] != rank { ranks.insert(rank, at: place) }
    }
    return ranks.map { rules.index.names[$0] }
  }
}

extension Grant {
  /// Adds a rule that influenced the grant; nil adds nothing.
  fileprivate mutating func note(_ rule: RuleID?) {
    guard let rule, !rules.contains(rule) else { return }
    rules.insert(rule, at: rules.firstIndex { $0 > rule } ?? rules.count)
  }
}
