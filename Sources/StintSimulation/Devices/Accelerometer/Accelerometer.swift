public import StintModel
public import StintPluginKit
public import StintUnits

/// An accelerometer with a FIFO, and with the facts about motion that are computed from the samples.
///
/// Every sample is processed at the instant of its measurement, even while samples wait in the
/// FIFO. The facts are published at the instant of the sample that changed a result, and again every
/// `refresh` while the sensor is on. A call of `wake` also computes the samples before `horizon` (the next
/// event outside of this device), but at most the samples of one minute. Unless deliveries are held, these
/// samples are delivered together, each with its own instant.
public actor Accelerometer: SensorPlugin {
  public nonisolated let manifest: Manifest
  private let off: Int
  private let rates: SamplingRates
  private let fastest: TimeSpan
  private var port: DevicePort?
  private var facts: MotionFacts?
  private var setting = Setting.off
  private var stream: MotionStream

  init(_ setup: DeviceSetup) {
    manifest = setup.manifest
    off = setup.state("off")
    rates = SamplingRates(setup)
    fastest = setup.span("shortest_period")
    stream = MotionStream(setup)
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    self.port = port
    facts = MotionFacts(port)
  }

  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    if self.setting.isHolding && !setting.isHolding { drain(at: instant, reason: .ended) }
    guard setting.isOn else {
      turnOff(at: instant)
      return
    }
    let (period, state) = rates.honouring(max(setting.period ?? .seconds(1), fastest))
    if !self.setting.isOn || period != stream.period { stream.begin(period: period, at: instant) }
    self.setting = setting
    stream.log.keepsNewest = setting.keepsNewest
    port?.report(.state(state, period: period), at: instant)
    port?.setAlarm(at: stream.next)
  }

  public func drain(at instant: Instant, reason: DeliveryReason) {
    if let drain = rates.drain, !stream.log.isEmpty {
      port?.report(.event(drain, count: stream.log.count), at: instant)
    }
    stream.log.deliver(to: port, at: instant, reason: reason)
  }

  public func wake(at instant: Instant, horizon: Instant) {
    guard setting.isOn else { return }
    if stream.next <= instant {
      // The run includes at least the next sample, even if the horizon is earlier, and covers at most a
      // minute.
      let limit = max(min(horizon, instant + .seconds(60)), stream.next + TimeSpan(nanoseconds: 1))
      report(stream.run(to: limit, holding: setting.isHolding))
    }
    port?.setAlarm(at: stream.next)
  }

  public func close(at instant: Instant) { turnOff(at: instant) }

  private func report(_ pause: MotionStream.Pause) {
    if let report = pause.report, let port { facts?.publish(report, through: port, at: pause.instant) }
    if !setting.isHolding {
      drain(at: pause.instant, reason: .immediate)
    } else if pause.isFull {
      drain(at: pause.instant, reason: .full)
    }
  }

  private func turnOff(at instant: Instant) {
    drain(at: instant, reason: .ended)
    setting = .off
    stream.end()
    port?.setAlarm(at: nil)
    port?.report(.state(off, period: nil), at: instant)
  }
}

/// The sampling rates of an accelerometer. Either any rate is possible, or only the rates in the names of its
/// power states (`sampling_50` for 50 Hz).
struct SamplingRates {
  /// The power state in which any rate is possible; nil when the rates are fixed.
  private let any: Int?
  /// The specified rates, slowest first.
  private let fixed: [(period: TimeSpan, state: Int)]
  /// The index of the priced event `drain`, which reads samples from the FIFO; nil when the manifest lacks
  /// this event.
  let drain: Int?

  init(_ setup: DeviceSetup) {
    any = setup.manifest.state(named: "sampling")
    fixed = setup.manifest.states.enumerated().compactMap { index, state in
      guard state.name.hasPrefix("sampling_"), let hertz = Int64(state.name.dropFirst(9)), hertz > 0 else {
        return nil
      }
      return (TimeSpan(nanoseconds: 1_000_000_000 / hertz), index)
    }.sorted { $0.period > $1.period }
    drain = setup.manifest.event(named: "drain")
    precondition(any != nil || !fixed.isEmpty, "an accelerometer needs a sampling state")
  }

  /// Returns the sampling period for a requested period, and its power state.
  ///
  /// When any rate is possible, this is the requested period. When the rates are fixed, this is the longest
  /// fixed period that does not exceed the requested period. When all fixed periods are longer, this is the
  /// shortest fixed period.
  func honouring(_ wanted: TimeSpan) -> (period: TimeSpan, state: Int) {
    if let any { return (wanted, any) }
    return fixed.first { $0.period <= wanted } ?? fixed[fixed.count - 1]
  }
}
