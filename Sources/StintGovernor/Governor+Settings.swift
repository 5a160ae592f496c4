import StintModel
import StintUnits

extension Governor {
  /// Merges the demands that a device serves into its one setting.
  mutating func resettle(_ device: Int) {
    devices.mark(device, .delivery)
    let record = devices[device]
    guard record.manifest.kind == .sensor else {
      planTransfers(device)
      return
    }
    let grants = record.served.compactMap { demands[$0] }
    guard !grants.isEmpty else {
      beginLinger(device)
      return
    }
    var setting = Setting(isOn: true)
    setting.accuracy = grants.compactMap(\.grant.accuracy).min()
    setting.period = grants.compactMap(\.grant.period).min()
    setting.isHolding = grants.allSatisfy { !$0.grant.holds.isEmpty }
    setting.keepsNewest =
      setting.isHolding && grants.allSatisfy { ($0.grant.latency ?? .zero) >= Wants.nobodyWaits }
    setting.activity = grants.compactMap { completedActivity($0) }.first
    let cause = Cause(
      device: record.manifest.device, links: grants.map { link(of: $0) }, setting: setting)
    if cause != record.cause {
      closeInterval(device)
      devices.set(cause, of: device)
    }
    devices.linger(device, until: nil)
    if !setting.isHolding { drainOnce(device) }
    change(device, to: setting)
    noteDemand(on: device)
    planHolds(device)
  }

  private func completedActivity(_ record: DemandRecord) -> String? {
    record.demand.wants.activity ?? completedWants(record).activity
  }

  private mutating func change(_ device: Int, to setting: Setting) {
    let wasOn = devices[device].setting.isOn
    guard devices.set(setting, of: device) else { return }
    // What a sensor does by itself between two samples is its own business.
    if setting.isOn, !wasOn { derived.wokeUp(device, at: now) }
    effects.append(.set(device: device, setting))
  }

  /// Nobody needs the device: it goes off after its linger.
  private mutating func beginLinger(_ device: Int) {
    guard devices[device].setting.isOn, devices[device].lingerUntil == nil else { return }
    let name = devices[device].manifest.device
    var linger = rules.program?.defaults.first { $0.device == name }?.linger
    if linger == nil,
      case .number(let seconds)? = devices[device].manifest.attribute(named: "linger")?.fallback
    {
      linger = TimeSpan(seconds: seconds)
    }
    devices.linger(device, until: now + (linger ?? .zero))
    if (linger ?? .zero) == .zero { finishLinger(device) }
    planHolds(device)
  }

  /// Switches a device off whose linger is over.
  mutating func finishLinger(_ device: Int) {
    guard devices.endLinger(device, at: now) else { return }
    change(device, to: .off)
    noteDemand(on: device)
  }

  /// Keeps the processor awake exactly while a stream is too fast to sleep between its samples.
  mutating func resettleProcessor() {
    guard let processor else { return }
    var links: [Cause.Link] = []
    for device in devices.indices where devices[device].manifest.kind == .sensor {
      let setting = devices[device].setting
      guard setting.isOn, !setting.isHolding, let period = setting.period, period < waking.breakEven
      else {
        continue
      }
      links += devices[device].served.compactMap { demands[$0] }.filter { $0.grant.holds.isEmpty }
        .map {
          link(of: $0)
        }
    }
    links.sort { $0.demand < $1.demand }
    let setting = Setting(isOn: !links.isEmpty)
    if links.isEmpty {
      // Before it goes to sleep, what would wake it later is delivered.
      if devices[processor].setting.isOn { piggyback(on: devices[processor].cause) }
      change(processor, to: setting)
      return
    }
    let cause = Cause(device: devices[processor].manifest.device, links: links, setting: setting)
    if cause != devices[processor].cause {
      closeInterval(processor)
      devices.set(cause, of: processor)
    }
    change(processor, to: setting)
  }
}
