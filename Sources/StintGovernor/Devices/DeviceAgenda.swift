import StintUnits

/// The device agenda says which devices must be decided again in this step, and when the next device must be by itself.
///
/// It answers "any?" without looking at each device, so that a step which changes nothing costs nothing.
struct DeviceAgenda: Sendable {
  /// What is decided again for a device.
  enum Work: Int, CaseIterable {
    /// The grants of the demands that ask for it.
    case grants
    /// Its setting, by the demands that it serves.
    case setting
    /// Whether a hold ends or a transfer goes; without a mark, only its timer can change that.
    case delivery
  }

  /// A dirty set of devices.
  private struct DirtySet {
    var marks: ContiguousArray<Bool>
    var isEmpty = true
  }

  private var marks: [DirtySet]
  /// By device: when one of its holds, deadlines or lingers ends.
  private var timers: ContiguousArray<Instant>
  private var earliest = Instant.distantFuture
  /// Whether a timer was set since the earliest was found.
  private var hasMoved = false

  init(devices: Int) {
    let none = DirtySet(marks: ContiguousArray(repeating: false, count: devices))
    marks = Array(repeating: none, count: Work.allCases.count)
    timers = ContiguousArray(repeating: .distantFuture, count: devices)
  }

  // MARK: Marks

  /// Marks a device for a kind of work.
  mutating func mark(_ device: Int, _ work: Work) {
    marks[work.rawValue].marks[device] = true
    marks[work.rawValue].isEmpty = false
  }

  /// Marks all devices for a kind of work.
  mutating func markAll(_ work: Work) { for device in timers.indices { mark(device, work) } }

  /// Begins a round over all devices; false where none is marked.
  mutating func beginRound(_ work: Work) -> Bool {
    guard !marks[work.rawValue].isEmpty else { return false }
    marks[work.rawValue].isEmpty = true
    return true
  }

  /// Whether a device is marked; its mark is removed.
  mutating func removeMark(_ device: Int, _ work: Work) -> Bool {
    guard marks[work.rawValue].marks[device] else { return false }
    marks[work.rawValue].marks[device] = false
    return true
  }

  // MARK: Timers

  /// Sets when one of a device's holds, deadlines or lingers ends.
  mutating func setTimer(_ device: Int, to instant: Instant) {
    guard timers[device] != instant else { return }
    timers[device] = instant
    hasMoved = true
  }

  /// Whether the timer of any device may have expired.
  func mayHaveExpired(at now: Instant) -> Bool { hasMoved || earliest <= now }

  /// Whether the timer of a device has expired.
  func hasExpired(_ device: Int, at now: Instant) -> Bool { timers[device] <= now }

  /// The earliest timer of all devices.
  mutating func nextTimer() -> Instant {
    if hasMoved {
      earliest = timers.reduce(.distantFuture) { min($0, $1) }
      hasMoved = false
    }
    return earliest
  }
}
