import StintModel
import StintUnits

/// The device table holds the state of every device, which devices must be decided again, and by when.
///
/// It answers "is any device marked?" without looking at each one, so that a step that changes nothing costs nothing.
struct DeviceTable: Sendable {
  private var records: ContiguousArray<DeviceRecord>
  private var agenda: DeviceAgenda
  /// By fact: the device whose odometer or accuracy it is, else -1.
  private let watched: [Int]

  /// Starts with every device in its initial state and nothing demanded.
  init(_ vocabulary: Vocabulary) {
    records = ContiguousArray(vocabulary.manifests.map { DeviceRecord(DeviceModel($0, vocabulary)) })
    agenda = DeviceAgenda(devices: records.count)
    var watched = Array(repeating: -1, count: vocabulary.facts.count)
    for (device, record) in records.enumerated() {
      for fact in [record.model.odometerFact, record.model.accuracyFact] {
        if let fact { watched[fact] = device }
      }
    }
    self.watched = watched
  }

  var count: Int { records.count }
  var indices: Range<Int> { records.indices }

  subscript(device: Int) -> DeviceRecord {
    @inline(__always) _read { yield records[device] }
  }

  /// The devices that are demanded now.
  var demanded: [DeviceID] {
    records.indices.filter { records[$0].isDemanded }.map { records[$0].model.manifest.device }
  }

  /// The device whose odometer or accuracy a published fact is; nil for other facts.
  func watcher(of fact: Int) -> Int? { watched[fact] >= 0 ? watched[fact] : nil }

  /// The metres on a device's odometer; nil where it has none or it is unknown.
  func odometer(of device: Int, _ facts: FactTable) -> Double? {
    guard let fact = records[device].model.odometerFact, case .number(let metres) = facts.value(fact)
    else {
      return nil
    }
    return metres
  }

  /// The cheapest available device of the target's ladder with this accuracy, never above the target; nil for none.
  func provider(for target: Int, accuracy: Double?) -> Int? {
    guard let rank = records[target].model.manifest.ladder?.rank else {
      return records[target].isAvailable && hasInputs(target) ? target : nil
    }
    for member in records[target].model.ladder where records[member].isAvailable {
      guard let rung = records[member].model.manifest.ladder, rung.rank <= rank else { continue }
      guard member != target, let serves = rung.serves else { return member }
      if let accuracy, serves <= accuracy { return member }
    }
    return nil
  }

  /// Whether every device is available from which this one makes its samples.
  private func hasInputs(_ device: Int) -> Bool {
    records[device].model.inputs.allSatisfy { input in input.map { records[$0].isAvailable } ?? false }
  }

  // MARK: Demands

  /// Adds a demand that asks for a device.
  mutating func ask(_ device: Int, _ slot: DemandSlot) {
    records[device].requested.insertSorted(slot)
    agenda.mark(device, .grants)
  }

  /// Removes a demand that asked for a device.
  mutating func endAsking(_ device: Int, _ slot: DemandSlot) { records[device].requested.removeSorted(slot) }

  /// Has a device serve a demand.
  mutating func serve(_ device: Int, _ slot: DemandSlot) {
    records[device].served.insertSorted(slot)
    records[device].hasNews = true
  }

  /// Ends that a device serves a demand; its setting is decided again.
  mutating func endServing(_ device: Int, _ slot: DemandSlot) {
    records[device].served.removeSorted(slot)
    records[device].hasNews = true
    agenda.mark(device, .setting)
  }

  /// Whether a device is demanded now; nil where that is as it was at the last call.
  mutating func changeOfDemand(on device: Int) -> Bool? {
    let isDemanded = records[device].isDemanded
    guard isDemanded != records[device].wasDemanded else { return nil }
    records[device].wasDemanded = isDemanded
    return isDemanded
  }

  // MARK: Reports of devices

  /// Sets whether a device is available; what it could serve, or could be made of its samples, is granted again.
  ///
  /// - Returns: false where nothing changes.
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

  /// Sets the power state that a device reported, which ends its fault.
  mutating func report(_ device: Int, state: Int, period: TimeSpan?) {
    records[device].hasFault = false
    records[device].state = state
    records[device].period = period
    // The cause of a radio stays: its next transfer adds to it, and the tail of the last one is booked to it.
    if !records[device].isOn, !records[device].setting.isOn, records[device].model.kind != .radio {
      records[device].cause = nil
    }
  }

  /// Counts a fault that a device reported.
  mutating func fail(_ device: Int, _ text: String) {
    records[device].hasFault = true
    records[device].lastFault = text
    records[device].faults = records[device].faults.addingSaturated(1)
  }

  /// Ends the fault of a device that delivers; false where it had none.
  mutating func recover(_ device: Int) -> Bool {
    guard records[device].hasFault else { return false }
    records[device].hasFault = false
    return true
  }

  // MARK: Settings

  /// Sets the command that a device gets; false where it has that setting.
  mutating func set(_ setting: Setting, of device: Int) -> Bool {
    guard records[device].setting != setting else { return false }
    records[device].setting = setting
    return true
  }

  /// What a device grants changed, so that its cause is made again.
  mutating func grantsChanged(on device: Int) { records[device].hasNews = true }

  /// Whether the cause of a device is made again; asked once for each change.
  mutating func consumeCauseChange(of device: Int) -> Bool {
    guard records[device].hasNews || records[device].cause == nil else { return false }
    records[device].hasNews = false
    return true
  }

  /// Sets why a device is on; the caller has closed the interval of the former cause.
  mutating func set(_ cause: Cause, of device: Int) { records[device].cause = cause }

  /// Lets a device that serves no demand go off at an instant; nil when it serves one again.
  mutating func linger(_ device: Int, until end: Instant?) { records[device].lingerUntil = end }

  /// Ends the linger of a device; false while it lasts, and where there is none.
  mutating func endLinger(_ device: Int, at now: Instant) -> Bool {
    guard let end = records[device].lingerUntil, now >= end else { return false }
    records[device].lingerUntil = nil
    agenda.setTimer(device, to: .distantFuture)
    return true
  }

  /// Notes that a device delivered while the processor was awake for another cause.
  mutating func piggyback(_ device: Int, on cause: Cause?, at now: Instant) {
    records[device].lastPiggyback = PiggybackRecord(at: now, with: cause)
  }

  // MARK: Marks and timers

  mutating func mark(_ device: Int, _ work: DeviceAgenda.Work) { agenda.mark(device, work) }
  mutating func markAll(_ work: DeviceAgenda.Work) { agenda.markAll(work) }

  /// Begins a round over all devices; false where none is marked.
  mutating func beginRound(_ work: DeviceAgenda.Work) -> Bool { agenda.beginRound(work) }

  /// Whether a device is marked; its mark is removed.
  mutating func removeMark(_ device: Int, _ work: DeviceAgenda.Work) -> Bool {
    agenda.removeMark(device, work)
  }

  /// Sets when one of a device's holds, deadlines or lingers ends.
  mutating func setTimer(_ device: Int, to instant: Instant) {
    agenda.setTimer(device, to: instant)
  }

  /// Whether the timer of any device may have expired, and whether that of one has.
  func mayHaveExpired(at now: Instant) -> Bool { agenda.mayHaveExpired(at: now) }
  func hasExpired(_ device: Int, at now: Instant) -> Bool { agenda.hasExpired(device, at: now) }

  /// The earliest timer of all devices.
  mutating func nextTimer() -> Instant { agenda.nextTimer() }
}
