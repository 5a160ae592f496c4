import StintModel
import StintPluginKit
import StintUnits

/// Finds sensors that are on and send nothing for longer than their `SilenceLimit`.
///
/// Each sample or fact of a sensor moves the deadline of that sensor. A deadline therefore expires only when
/// a sensor is silent, and a sensor that works causes no wake-up.
struct SilenceWatch {
  fileprivate struct Record {
    let limit: SilenceLimit
    /// By state index: whether the device is on in the state.
    let isOnState: [Bool]
    var setting = Setting.off
    var state: Int
    /// The period that the device reported last.
    var period: TimeSpan?
    var isAvailable = true
    /// The state in which the device delivered last; nil before the first delivery.
    var deliveringState: Int?
    /// True when the device has delivered since it was last switched on or last reported its availability.
    var hasDelivered = false
    /// True when the device must deliver the samples that it holds.
    var isDraining = false
    /// True when the present silence was already reported.
    var isReported = false
    /// The beginning of the present silence.
    var since = Instant(nanoseconds: .min)
  }

  /// By device index; nil for a device without a limit.
  private var records: [Record?]
  /// By device index: the instant at which the device counts as silent; the distant future for never.
  private var deadlines: [Instant]

  init(_ manifests: [Manifest]) {
    records = manifests.map { manifest in
      SilenceLimit(manifest).map { limit in
        Record(limit: limit, isOnState: manifest.states.map(\.isOn), state: manifest.initial)
      }
    }
    deadlines = Array(repeating: .distantFuture, count: manifests.count)
  }

  /// The earliest deadline; the distant future when no device has a deadline.
  var nextDeadline: Instant {
    var next = Instant.distantFuture
    for deadline in deadlines where deadline < next { next = deadline }
    return next
  }

  /// Returns the devices whose deadline is at or before an instant.
  func due(at instant: Instant) -> [Int] { deadlines.indices.filter { deadlines[$0] <= instant } }

  // MARK: Events

  /// Records that a device received a setting.
  mutating func apply(_ setting: Setting, to device: Int, at instant: Instant) {
    change(device) { record in
      if setting.isOn, !record.setting.isOn { record.hasDelivered = false }
      record.setting = setting
      record.begin(at: instant)
    }
  }

  /// Records that the host requested the held samples of a device.
  mutating func drain(_ device: Int, at instant: Instant) {
    change(device) { record in
      guard !record.isDraining else { return }
      record.isDraining = true
      record.since = max(record.since, instant)
    }
  }

  mutating func note(_ event: PortEvent, of device: Int) {
    switch event {
    case .batch(_, let instant): noteDelivery(of: device, at: instant)
    case .fact(_, let value, let instant), .keyed(_, _, let value, let instant):
      guard value != .unknown else { return }
      change(device) { $0.since = max($0.since, instant) }
    case .outcome(.state(let state, let period), let instant):
      change(device) { record in
        guard record.state != state || record.period != period else { return }
        (record.state, record.period) = (state, period)
        record.since = max(record.since, instant)
      }
    case .available(let isAvailable, let instant):
      change(device) { record in
        record.isAvailable = isAvailable
        record.hasDelivered = false
        record.begin(at: instant)
      }
    case .rejectedBatch, .outcome, .carried, .transferred: break
    }
  }

  /// Records that a device delivered a batch.
  mutating func noteDelivery(of device: Int, at instant: Instant) {
    change(device) { record in
      record.hasDelivered = true
      record.deliveringState = record.state
      record.begin(at: instant)
    }
  }

  /// Restarts the silence timers of all devices, because they and the host were stopped until this instant.
  mutating func restart(at instant: Instant) {
    for device in records.indices { change(device) { $0.since = max($0.since, instant) } }
  }

  /// Records that the silence of a device was reported. Its next samples, its next setting or a change of its
  /// availability restarts the silence timer.
  ///
  /// - Returns: the time for which the device was silent.
  mutating func report(_ device: Int, at instant: Instant) -> TimeSpan {
    let since = records[device]?.since ?? instant
    change(device) { $0.isReported = true }
    return instant - since
  }

  private mutating func change(_ device: Int, _ body: (inout Record) -> Void) {
    guard records[device] != nil else { return }
    body(&records[device]!)
    deadlines[device] = records[device]!.deadline
  }
}

extension SilenceWatch.Record {
  /// Restarts the silence timer, and permits the next report.
  fileprivate mutating func begin(at instant: Instant) {
    since = max(since, instant)
    isDraining = false
    isReported = false
  }

  /// The instant at which the device counts as silent; the distant future for never.
  fileprivate var deadline: Instant {
    guard setting.isOn, isAvailable, !isReported else { return .distantFuture }
    // A device that holds samples sends nothing until it is drained.
    guard !setting.isHolding || isDraining else { return .distantFuture }
    if limit.isOnlyInDeliveringState {
      guard state == deliveringState, isOnState.indices.contains(state), isOnState[state] else {
        return .distantFuture
      }
    }
    var period = setting.period
    if let reported = self.period { period = max(period ?? reported, reported) }
    guard let span = limit.span(period: period, isFirst: !hasDelivered) else { return .distantFuture }
    return since + span
  }
}
