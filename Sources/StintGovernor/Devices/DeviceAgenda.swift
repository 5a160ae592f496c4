import StintUnits

/// Records the devices whose decisions this step must repeat, and the earliest timer of a device.
///
/// One flag for each kind of work states whether any device is marked. So a step that changes nothing does
/// not scan the devices and costs almost no time.
struct DeviceAgenda: Sendable {
  /// The kinds of decisions for a device.
  enum Work: Int, CaseIterable {
    /// The grants of the demands that name the device.
    case grants
    /// The setting of the device, from the demands that it serves.
    case setting
    /// The end of a hold or the start of a transfer. While this mark is not set, the decision can change only
    /// when the timer of the device expires.
    case delivery
  }

  /// The marked devices of one kind of work.
  private struct DirtySet {
    var marks: ContiguousArray<Bool>
    var isEmpty = true
  }

  private var dirtySets: [DirtySet]
  /// For each device: the next end of a hold, deadline or linger.
  private var timers: ContiguousArray<Instant>
  private var earliest = Instant.distantFuture
  /// True when a timer changed after `earliest` was computed.
  private var isEarliestStale = false

  init(devices: Int) {
    let none = DirtySet(marks: ContiguousArray(repeating: false, count: devices))
    dirtySets = Array(repeating: none, count: Work.allCases.count)
    timers = ContiguousArray(repeating: .distantFuture, count: devices)
  }

  // MARK: Marks

  mutating func mark(_ device: Int, _ work: Work) {
    dirtySets[work.rawValue].marks[device] = true
    dirtySets[work.rawValue].isEmpty = false
  }

  mutating func markAll(_ work: Work) { for device in timers.indices { mark(device, work) } }

  /// Begins a round over all devices. Returns false when no device is marked.
  mutating func beginRound(_ work: Work) -> Bool {
    guard !dirtySets[work.rawValue].isEmpty else { return false }
    dirtySets[work.rawValue].isEmpty = true
    return true
  }

  /// Removes the mark of a device. Returns whether the device was marked.
  mutating func removeMark(_ device: Int, _ work: Work) -> Bool {
    guard dirtySets[work.rawValue].marks[device] else { return false }
    dirtySets[work.rawValue].marks[device] = false
    return true
  }

  // MARK: Timers

  /// Sets the timer of a device: the next end of a hold, deadline or linger.
  mutating func setTimer(_ device: Int, to instant: Instant) {
    guard timers[device] != instant else { return }
    timers[device] = instant
    isEarliestStale = true
  }

  /// Returns whether the timer of any device may have expired. False means that no timer has expired.
  func mayHaveExpired(at now: Instant) -> Bool { isEarliestStale || earliest <= now }

  func hasExpired(_ device: Int, at now: Instant) -> Bool { timers[device] <= now }

  /// Returns the earliest timer of all devices.
  mutating func nextTimer() -> Instant {
    if isEarliestStale {
      earliest = timers.reduce(.distantFuture) { min($0, $1) }
      isEarliestStale = false
    }
    return earliest
  }
}
