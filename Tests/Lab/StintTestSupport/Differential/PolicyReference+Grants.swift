import StintModel
import StintUnits

/// Computes the grants of demands and the settings of devices.
extension PolicyReference {
  /// Ends each linger and each request for one fix whose time has expired.
  mutating func finish() {
    for device in PlanWorld.Device.allCases {
      if let end = lingers[device.rawValue], end <= page.time {
        lingers[device.rawValue] = nil
        set(device.rawValue, to: .off)
      }
      let late = demands.filter { $0.target == device && $0.expires.map { $0 <= page.time } ?? false }
      for demand in late { release(demand.id) }
    }
  }

  /// Computes every grant, logs the changed grants, and computes the setting of each device.
  mutating func arbitrate() {
    for device in PlanWorld.Device.allCases {
      for place in demands.indices where demands[place].target == device {
        let grant = self.grant(for: demands[place])
        if grant != demands[place].grant {
          tell(
            "grant \(demands[place].client) \(DemandID(demands[place].id)) \(device.id) \(Self.text(of: grant))"
          )
        }
        demands[place].grant = grant
      }
    }
    for device in PlanWorld.Device.allCases { command(device) }
  }

  private func grant(for demand: ReferenceDemand) -> Grant {
    let device = demand.target
    var (accuracy, period, background, mayPause) = wants(of: demand)
    var statuses: [Grant.Status] = []
    var holds: [Hold] = []
    var reasons = demand.rule.map { [$0] } ?? []
    for rule in rules where rule.directives.contains(where: \.isInForce) && !isOverridden(rule, on: device) {
      for directive in rule.directives where directive.isInForce && directive.targets.contains(device) {
        switch directive.action {
        case .start: continue
        case .stop(let exceptions):
          if exceptions.contains(demand.client) { continue }
          statuses.append(.stopped)
        case .pause:
          if mayPause == false { continue }
          statuses.append(.paused)
        case .limitAccuracy(let metres):
          if Double(metres) <= accuracy ?? 0 { continue }
          accuracy = Double(metres)
        case .slow(let count):
          if world.span(count) <= period ?? .zero { continue }
          period = world.span(count)
        case .batch(let bounds): holds.append(Hold(rule: rule.id, bounds: bounds.map(bound)))
        case .deferred(_, let deadline):
          if page.time >= demand.raised + world.span(deadline).nanoseconds { continue }
          statuses.append(.deferred)
        }
        if !reasons.contains(rule.id) { reasons.append(rule.id) }
      }
    }
    var grant = Grant(status: .served, accuracy: accuracy, period: period, latency: demand.wants.latency)
    grant.holds = holds
    grant.rules = reasons.sorted()
    let isBackgroundDenied = background == false && last(.app) == .symbol(1)
    if isBackgroundDenied { statuses.append(.background) }
    if let strongest = Self.strongestFirst.first(where: statuses.contains) {
      grant.status = strongest
      return grant
    }
    guard page.isAvailable[device.rawValue] else {
      grant.status = .unavailable
      return grant
    }
    grant.provider = device.id
    if let latency = grant.latency, latency > .zero, device == .fast {
      grant.holds.append(Hold(rule: .asAsked, bounds: [.time(latency)]))
    }
    if device == .slow { grant.holds = [] }
    let fastest = TimeSpan(nanoseconds: 20_000_000)
    grant.period = max(grant.period ?? fastest, fastest)
    if device == .fast { grant.accuracy = grant.accuracy.map { max($0, 5) } }
    return grant
  }

  private static let strongestFirst: [Grant.Status] = [.background, .stopped, .paused, .deferred]

  private func bound(_ bound: PlanPolicy.Bound) -> HoldBound {
    switch bound {
    case .time(let count): .time(world.span(count))
    case .items(let count): .items(count)
    case .metres(let count): .distance(Double(count))
    }
  }

  /// Whether an active rule that affects this device overrides `rule`.
  private func isOverridden(_ rule: ReferenceRule, on device: PlanWorld.Device) -> Bool {
    rule.rivals.contains { rules[$0].isActive && rules[$0].reaches(device) }
  }

  /// Returns the requested settings of a demand. For a missing setting, the cheapest default of all policies
  /// applies. Without a default, the period is 1 s and the other settings stay nil.
  private func wants(of demand: ReferenceDemand) -> (Double?, TimeSpan?, background: Bool?, pausing: Bool?) {
    let defaults = policies.flatMap(\.defaults).filter { $0.device == demand.target }
    let accuracy = demand.wants.accuracy ?? defaults.compactMap(\.accuracy).max().map(Double.init)
    let period =
      demand.wants.period ?? defaults.compactMap(\.period).max().map { world.span($0) } ?? .seconds(1)
    let background = defaults.compactMap(\.isInBackground)
    let pausing = defaults.compactMap(\.mayPause)
    return (
      accuracy, period,
      demand.wants.background ?? (background.isEmpty ? nil : background.allSatisfy { $0 }),
      demand.wants.pausing ?? (pausing.isEmpty ? nil : pausing.contains(true))
    )
  }

  /// Merges the served grants of a device into its setting. Without a served grant, starts the linger of a
  /// device that is on.
  private mutating func command(_ device: PlanWorld.Device) {
    let number = device.rawValue
    let served = demands.filter { $0.target == device && $0.grant.status == .served }
    guard !served.isEmpty else {
      guard settings[number].isOn, lingers[number] == nil else { return }
      let linger = policies.flatMap(\.defaults).filter { $0.device == device }.compactMap(\.linger).min()
      lingers[number] = page.time + world.span(linger ?? 1).nanoseconds
      return
    }
    lingers[number] = nil
    causes[number] = served
    var setting = Setting(isOn: true)
    setting.accuracy = served.compactMap(\.grant.accuracy).min()
    setting.period = served.compactMap(\.grant.period).min()
    setting.isHolding = served.allSatisfy { !$0.grant.holds.isEmpty }
    setting.keepsNewest =
      setting.isHolding && served.allSatisfy { ($0.grant.latency ?? .zero) >= .hours(24) }
    set(number, to: setting)
  }

  /// Returns a text with the demands for which a device is on, and the rules that limited their grants.
  func cause(of device: Int) -> String {
    if causes[device].isEmpty { return "nobody" }
    return causes[device].map { demand in
      let reasons = demand.grant.rules.map(\.description).joined(separator: " ")
      return "\(demand.client) \(DemandID(demand.id)) [\(reasons.isEmpty ? "as asked" : reasons)] served"
    }.joined(separator: ", ")
  }

  private static func text(of grant: Grant) -> String {
    var parts = [grant.status.rawValue]
    if let provider = grant.provider { parts.append("by \(provider)") }
    if let accuracy = grant.accuracy { parts.append("accuracy \(Quantity(accuracy, .length))") }
    if let period = grant.period { parts.append("every \(period)") }
    for hold in grant.holds {
      parts.append("held until \(hold.bounds.map(\.description).joined(separator: " or ")) by \(hold.rule)")
    }
    if !grant.rules.isEmpty { parts.append("[\(grant.rules.map(\.description).joined(separator: " "))]") }
    return parts.joined(separator: ", ")
  }
}
