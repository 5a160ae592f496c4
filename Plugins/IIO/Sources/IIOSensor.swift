import StintModel
import StintPluginKit
import StintUnits

/// The device model: applies settings to the kernel's files, and turns values into power states, facts and
/// batches.
struct IIOSensor {
  enum Mode {
    case off
    /// The sensor is not in use, but the kernel keeps it on until this instant.
    case released(until: Instant)
    /// Values are read one by one; `next` is the instant of the next reading.
    case single(period: TimeSpan, next: Instant)
    case stream(IIOStream)
    /// The sensor could not be turned off; the next attempt is at this instant.
    case stuck(until: Instant)
  }

  /// The shortest period of single readings. The limit exists because each reading reads three files and
  /// wakes the sensor.
  static let shortestSingle = TimeSpan.milliseconds(100)

  let settings: IIOSettings
  let port: DevicePort
  let states: (off: Int, released: Int, sampling: Int, single: Int)
  private(set) var setting = Setting.off
  var device: IIODevice?
  var mode = Mode.off
  var log: SampleBuffer
  var motion: IIOMotion?
  var retry: RetryDelay
  /// The instant of the next search for a missing device; nil while the device is present.
  var retryAt: Instant?
  var badReadings = ComplaintCount()
  /// The last reported deviation from a request. It is stored so that it is not reported at every start.
  var lastNote = ""
  /// The number of buffers that were turned on.
  var streams = 0
  /// The latest instant of all calls and deliveries until now. No later report has an earlier instant.
  private var latest = Instant(nanoseconds: .min)

  init(_ settings: IIOSettings, port: DevicePort) {
    self.settings = settings
    self.port = port
    let names = port.manifest.states.map(\.name)
    let state = { (name: String) in names.firstIndex(of: name) ?? 0 }
    states = (state("off"), state("released"), state("sampling"), state("single"))
    log = SampleBuffer(device: port.manifest.device, capacity: port.manifest.fifo)
    if settings.kind == .accelerometer { motion = IIOMotion(port) }
    retry = RetryDelay(limit: settings.retry)
  }

  /// The active buffer; nil when the sensor does not stream.
  var stream: IIOStream? { if case .stream(let stream) = mode { stream } else { nil } }

  // MARK: Calls from the host

  mutating func open(at instant: Instant) {
    findDevice(at: moved(to: instant))
    setAlarm()
  }

  mutating func apply(_ setting: Setting, at instant: Instant) {
    let now = moved(to: instant)
    if self.setting.isHolding && !setting.isHolding { deliver(at: now, reason: .ended) }
    self.setting = setting
    if setting.isOn { turnOn(at: now) } else { turnOff(at: now) }
    setAlarm()
  }

  mutating func drain(at instant: Instant, reason: DeliveryReason) {
    deliver(at: moved(to: instant), reason: reason)
  }

  mutating func wake(at instant: Instant) {
    let now = moved(to: instant)
    if let retryAt, now >= retryAt { findDevice(at: now) }
    switch mode {
    case .released(let until) where now >= until:
      mode = .off
      report(at: now)
    case .stuck(let until) where now >= until: turnOff(at: now)
    case .single(let period, let next) where now >= next:
      // Missed readings are skipped. After a late reading, the next reading follows at least half a period
      // later.
      mode = .single(period: period, next: max(next + period, now + half(of: period)))
      readOnce(at: now)
    default: break
    }
    setAlarm()
  }

  /// Turns the sensor off and delivers the held samples, for the last time.
  mutating func close(at instant: Instant) {
    let now = moved(to: instant)
    setting = .off
    retryAt = nil
    turnOff(at: now)
    if case .stuck = mode { return }
    if case .off = mode {
    } else {
      mode = .off
      report(at: now)
    }
    port.setAlarm(at: nil)
  }

  // MARK: Implementation

  /// Returns the instant, or the latest instant until now if that is later.
  mutating func moved(to instant: Instant) -> Instant {
    latest = max(latest, instant)
    return latest
  }

  mutating func deliver(at now: Instant, reason: DeliveryReason) {
    latest = max(latest, log.deliver(to: port, at: now, reason: reason))
  }

  func reportFault(_ sentence: String, at now: Instant) { port.report(.fault(sentence), at: now) }

  /// Reports the current power state.
  mutating func report(at now: Instant) {
    let now = moved(to: now)
    let (state, period): (Int, TimeSpan?) =
      switch mode {
      case .off: (states.off, nil)
      case .released: (states.released, nil)
      case .single(let period, _): (states.single, period)
      case .stream(let stream): (states.sampling, stream.period)
      case .stuck: (states.sampling, nil)
      }
    port.report(.state(state, period: period), at: now)
  }

  /// Sets the alarm to the earliest instant at which the sensor has work.
  func setAlarm() {
    var next: Instant?
    switch mode {
    case .released(let until), .stuck(let until): next = until
    case .single(_, let due): next = due
    case .off, .stream: break
    }
    if let retryAt { next = min(next ?? retryAt, retryAt) }
    port.setAlarm(at: next)
  }

  private func half(of period: TimeSpan) -> TimeSpan { TimeSpan(nanoseconds: period.nanoseconds / 2) }
}
