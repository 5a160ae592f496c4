import StintModel
import StintUnits

/// The state of every device, its timer, and marks of the devices whose decisions must be repeated.
///
/// The table stores whether any device is marked. So a step that changes nothing does not scan the devices
/// and costs almost no time.
struct DeviceTable: Sendable {
  private var records: ContiguousArray<DeviceRecord>
  private var agenda: DeviceAgenda
  /// For each fact: the device whose odometer or accuracy the fact contains; -1 for other facts.
  private let measuredDevice: [Int]

  /// Creates a table in which every device is in its initial state and no demand exists.
  init(_ vocabulary: Vocabulary) {
    records = ContiguousArray(vocabulary.manifests.map { DeviceRecord(DeviceModel($0, vocabulary)) })
    agenda = DeviceAgenda(devices: records.count)
    var measuredDevice = Array(repeating: -1, count: vocabulary.facts.count)
    for (device, record) in records.enumerated() {
      for fact in [record.model.odometerFact, record.model.accuracyFact] {
        if let fact { measuredDevice[fact] = device }
      }
    }
    self.measuredDevice = measuredDevice
  }

  var count: Int { records.count }
  var indices: Range<Int> { records.indices }

  subscript(device: Int) -> DeviceRecord {
    @inline(__always) _read { yield records[device] }
  }

  /// The devices for which `isDemanded` is true.
  var demanded: [DeviceID] {
    records.indices.filter { records[$0].isDemanded }.map { records[$0].model.manifest.device }
  }

  /// Returns the device whose odometer or accuracy a published fact contains; nil for other facts.
  func watcher(of fact: Int) -> Int? {
    // The facts of families have indexes above those of the table.
    fact < measuredDevice.count && measuredDevice[fact] >= 0 ? measuredDevice[fact] : nil
  }

  /// Returns the odometer of a device in metres; nil without an odometer or while the value is unknown.
  func odometer(of device: Int, _ facts: FactTable) -> Double? {
    guard let fact = records[device].model.odometerFact, case .number(let metres) = facts.value(fact)
    else {
      return nil
    }
    return metres
  }

  /// Returns the device that serves a demand; nil when no suitable device is available.
  ///
  /// When `isAlone` is true or the target has no ladder, only the target can serve the demand; its input
  /// devices must be available too. Otherwise this function tries the available devices of the target's
  /// ladder, from the cheapest up to the target. The target, and devices without `serves`, serve at any
  /// accuracy. Each other device serves only when `accuracy` is not nil and at least its `serves`.
  func provider(for target: Int, accuracy: Double?, isAlone: Bool = false) -> Int? {
    guard !isAlone, let rank = records[target].model.manifest.ladder?.rank else {
      return records[target].isAvailable && hasInputs(target) ? target : nil
    }
    for member in records[target].model.ladder where records[member].isAvailable {
      guard let rung = records[member].model.manifest.ladder, rung.rank <= rank else { continue }
      guard member != target, let serves = rung.serves else { return member }
      if let accuracy, serves <= accuracy { return member }
    }
    return nil
  }

  /// Returns whether all input devices of this device are available.
  private func hasInputs(_ device: Int) -> Bool {
    records[device].model.inputs.allSatisfy { input in input.map { records[$0].isAvailable } ?? false }
  }

  // MARK: Demands

  /// Adds a demand that names a device.
  mutating func ask(_ device: Int, _ slot: DemandSlot) {
    records[device].requested.insertSorted(slot)
    agenda.mark(device, .grants)
  }

  /// Removes a demand that named a device.
  mutating func endAsking(_ device: Int, _ slot: DemandSlot) { records[device].requested.removeSorted(slot) }

  /// Assigns a demand to the device that serves it.
  mutating func serve(_ device: Int, _ slot: DemandSlot) {
    records[device].served.insertSorted(slot)
    records[device].needsNewCause = true
  }

  /// Records that a device no longer serves a demand, and marks the device's setting.
  mutating func endServing(_ device: Int, _ slot: DemandSlot) {
    records[device].served.removeSorted(slot)
    records[device].needsNewCause = true
    agenda.mark(device, .setting)
  }

  /// Returns whether a device is demanded; nil when this has not changed since the last call.
  mutating func changeOfDemand(on device: Int) -> Bool? {
    let isDemanded = records[device].isDemanded
    guard isDemanded != records[device].wasDemanded else { return nil }
    records[device].wasDemanded = isDemanded
    return isDemanded
  }

  // MARK: Reports of devices

  /// Sets whether a device is available. Also marks the grants on all devices of the same ladder, and on the
  /// devices that have this device as an input.
  ///
  /// - Returns: false when nothing changes.
  mutating func set(isAvailable: Bool, of device: Int) -> Bool {
    guard records.indices.contains(device), records[device].isAvailable != isAvailable else {
      return false
    }
    records[device].isAvailable = isAvailable
    for member in records[device].model.ladder { agenda.mark(member, .grants) }
    for other in records.indices where records[other].model.inputs.contains(device) {
      agenda.mark(other, .grants)
    }
    return true
  }

  /// Sets the power state that a device reported. The report ends a fault.
  mutating func report(_ device: Int, state: Int, period: TimeSpan?) {
    records[device].hasFault = false
    records[device].state = state
    records[device].period = period
    // A radio that is off keeps the cause of its last transfers. The next transfer replaces this cause.
    if !records[device].isOn, !records[device].setting.isOn, records[device].model.kind != .radio {
      records[device].cause = nil
    }
  }

  /// Records a fault that a device reported.
  mutating func fail(_ device: Int, _ text: String, at now: Instant) {
    records[device].hasFault = true
    records[device].faults.add(text, at: now)
  }

  /// Records an event that contradicts the assumptions of a device's wake-up bound.
  ///
  /// Three kinds of events contradict these assumptions. A client raises or releases a demand. The presence
  /// of a client or `app.state` is set. The device becomes available or unavailable.
  ///
  /// Several events at one instant count once, because the processor wakes once for all of them.
  mutating func breakAssumption(of device: Int, at now: Instant) {
    guard records[device].assumptionsBroken < now else { return }
    records[device].assumptionsBroken = now
    records[device].brokenAssumptions = records[device].brokenAssumptions.addingSaturated(1)
  }

  /// Records that the assumptions of the first policies begin now. Events at this instant do not count: the
  /// clients of a site or scenario begin together with the policies.
  mutating func beginAssumptions(at now: Instant) {
    for device in records.indices { records[device].assumptionsBroken = now }
  }

  /// Ends the fault of a device that delivers. Returns false when it had no fault.
  mutating func recover(_ device: Int) -> Bool {
    guard records[device].hasFault else { return false }
    records[device].hasFault = false
    return true
  }

  // MARK: Settings

  /// Sets the commanded setting of a device. Returns false when it already has that setting.
  mutating func set(_ setting: Setting, of device: Int) -> Bool {
    guard records[device].setting != setting else { return false }
    records[device].setting = setting
    return true
  }

  /// Records that the grants on a device changed, so that its cause is computed again.
  mutating func grantsChanged(on device: Int) { records[device].needsNewCause = true }

  /// Returns whether the cause of a device must be computed again, and resets that flag.
  mutating func consumeCauseChange(of device: Int) -> Bool {
    guard records[device].needsNewCause || records[device].cause == nil else { return false }
    records[device].needsNewCause = false
    return true
  }

  /// Sets the cause of a device. The caller has closed the interval of the former cause.
  mutating func set(_ cause: Cause, of device: Int) {
    records[device].cause = cause
    let model = records[device].model
    records[device].division.update(for: cause, of: model.manifest, idle: model.idle)
  }

  /// Sets the instant at which a device without demands is switched off; nil when it serves a demand again.
  mutating func linger(_ device: Int, until end: Instant?) { records[device].lingerUntil = end }

  /// Ends an expired linger of a device. Returns false when the device has no expired linger.
  mutating func endLinger(_ device: Int, at now: Instant) -> Bool {
    guard let end = records[device].lingerUntil, now >= end else { return false }
    records[device].lingerUntil = nil
    agenda.setTimer(device, to: .distantFuture)
    return true
  }

  /// Records a delivery of a device while the processor was awake for another cause.
  mutating func piggyback(_ device: Int, on cause: Cause?, at now: Instant) {
    records[device].lastPiggyback = PiggybackRecord(at: now, with: cause)
  }

  /// Records that a device must deliver its held samples, because a demand or a hold ended.
  ///
  /// - Parameter links: the demands for which the device holds the samples.
  mutating func drains(_ device: Int, for links: [Cause.Link]) { records[device].drained = links }

  /// Ends the record of `drains` when a device has delivered. Returns the demands of the samples; empty when
  /// the device delivered by itself.
  mutating func endDrain(_ device: Int) -> [Cause.Link] {
    guard !records[device].drained.isEmpty else { return [] }
    defer { records[device].drained = [] }
    return records[device].drained
  }

  // MARK: Marks and timers

  mutating func mark(_ device: Int, _ work: DeviceAgenda.Work) { agenda.mark(device, work) }
  mutating func markAll(_ work: DeviceAgenda.Work) { agenda.markAll(work) }

  /// Begins a round over all devices. Returns false when no device is marked.
  mutating func beginRound(_ work: DeviceAgenda.Work) -> Bool { agenda.beginRound(work) }

  /// Removes the mark of a device. Returns whether the device was marked.
  mutating func removeMark(_ device: Int, _ work: DeviceAgenda.Work) -> Bool {
    agenda.removeMark(device, work)
  }

  /// Sets the timer of a device: the next end of a hold, deadline or linger.
  mutating func setTimer(_ device: Int, to instant: Instant) {
    agenda.setTimer(device, to: instant)
  }

  /// Returns whether the timer of any device may have expired. False means that no timer has expired.
  func mayHaveExpired(at now: Instant) -> Bool { agenda.mayHaveExpired(at: now) }
  func hasExpired(_ device: Int, at now: Instant) -> Bool { agenda.hasExpired(device, at: now) }

  /// Returns the earliest timer of all devices.
  mutating func nextTimer() -> Instant { agenda.nextTimer() }
}
