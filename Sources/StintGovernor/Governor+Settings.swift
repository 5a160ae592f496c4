import StintModel
import StintUnits

extension Governor {
  /// Merges the demands that a sensor serves into one setting. A sensor without a demand begins its linger.
  /// For a radio, sets the timer of its transfers instead.
  mutating func resettle(_ device: Int) {
    devices.mark(device, .delivery)
    guard devices[device].model.kind == .sensor else {
      planTransfers(device)
      return
    }
    guard !devices[device].served.isEmpty else {
      beginLinger(device)
      return
    }
    let setting = joinedSetting(device)
    if devices.consumeCauseChange(of: device) || devices[device].cause?.setting != setting {
      follow(
        Cause(
          device: devices[device].model.manifest.device,
          links: devices[device].served.map { link(of: demands[$0]) }, setting: setting), device)
    }
    devices.linger(device, until: nil)
    if !setting.isHolding { drainOnce(device) }
    change(device, to: setting)
    noteDemand(on: device)
    planHolds(device)
  }

  /// Returns the setting that satisfies the grants of all demands that a device serves.
  private mutating func joinedSetting(_ device: Int) -> Setting {
    var setting = Setting(isOn: true, isHolding: true, keepsNewest: true)
    for slot in devices[device].served {
      setting.period = Self.least(setting.period, demands[slot].grant.period)
    }
    for slot in devices[device].served {
      setting.accuracy = Self.least(setting.accuracy, demands[slot].grant.accuracy)
      if devices[device].model.manifest.fifo == 0 || restEnd(of: slot, sampledEvery: setting.period) == nil {
        if demands[slot].grant.holds.isEmpty { setting.isHolding = false }
        if demands[slot].grant.latency ?? .zero < DemandSettings.newestOnlyLatency {
          setting.keepsNewest = false
        }
      }
      setting.attributes = devices[device].model.manifest.joined(
        setting.attributes, demands[slot].grant.attributes)
      if setting.activity == nil { setting.activity = demands[slot].completed.activity }
    }
    setting.keepsNewest = setting.keepsNewest && setting.isHolding
    return setting
  }

  /// Returns the smaller value, or the value that is not nil; nil when both are nil.
  private static func least<Value: Comparable>(_ left: Value?, _ right: Value?) -> Value? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }

  /// Sets a new cause of a device, after charging the device's energy up to now to the former cause.
  private mutating func follow(_ cause: Cause, _ device: Int) {
    guard cause != devices[device].cause else { return }
    closeInterval(device)
    devices.set(cause, of: device)
  }

  private mutating func change(_ device: Int, to setting: Setting) {
    let wasOn = devices[device].setting.isOn
    // Attributes change the power, and the device does not report this change.
    if devices[device].setting.attributes != setting.attributes { closeInterval(device) }
    guard devices.set(setting, of: device) else { return }
    // Only a change of the setting counts as switching on. A sensor may also enter and leave power states
    // between two samples; these changes do not count.
    if setting.isOn, !wasOn { derived.happened(.turnedOn(device), at: now) }
    effects.append(.set(device: device, setting))
  }

  /// Begins the linger of a device that is no longer needed for a demand.
  private mutating func beginLinger(_ device: Int) {
    guard devices[device].setting.isOn, devices[device].lingerUntil == nil else { return }
    let linger = rules.index.defaults[device]?.linger ?? devices[device].model.linger
    devices.linger(device, until: now + (linger ?? .zero))
    if (linger ?? .zero) == .zero { finishLinger(device) }
    planHolds(device)
  }

  /// Switches off a device whose linger has ended.
  mutating func finishLinger(_ device: Int) {
    guard devices.endLinger(device, at: now) else { return }
    change(device, to: .off)
    noteDemand(on: device)
  }

  /// Keeps the processor awake while a sensor delivers samples at a rate at which sleep would save no energy.
  mutating func resettleProcessor() {
    guard let processor else { return }
    var links: [Cause.Link] = []
    for device in devices.indices where keepsAwake(device) {
      let delivered = devices[device].served.filter { demands[$0].grant.holds.isEmpty }
      // A demand for rarer samples would let the processor sleep, so it does not pay.
      let fast = delivered.filter { demands[$0].grant.period ?? .zero < waking.breakEven }
      for slot in fast.isEmpty ? delivered : fast { links.append(link(of: demands[slot])) }
    }
    links.sort { $0.demand < $1.demand }
    let setting = Setting(isOn: !links.isEmpty)
    if links.isEmpty {
      // Before the processor sleeps, devices deliver held samples that would wake it later.
      if devices[processor].setting.isOn { piggyback(on: devices[processor].cause) }
      change(processor, to: setting)
      return
    }
    follow(
      Cause(device: devices[processor].model.manifest.device, links: links, setting: setting), processor)
    change(processor, to: setting)
  }

  /// Returns whether a sensor keeps the processor awake. This is the case when the sensor is on and holds
  /// no samples, and the period of a demand without a hold is so short that sleep between two of its samples
  /// saves no energy.
  private mutating func keepsAwake(_ device: Int) -> Bool {
    guard devices[device].model.kind == .sensor, devices[device].setting.isOn,
      !devices[device].setting.isHolding
    else { return false }
    return devices[device].served.contains { slot in
      demands[slot].grant.holds.isEmpty
        && demands[slot].grant.period ?? devices[device].setting.period ?? waking.breakEven < waking.breakEven
    }
  }
}
