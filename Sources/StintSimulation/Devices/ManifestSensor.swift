import StintModel
import StintPluginKit
import StintUnits

/// A sensor with the behaviour that its manifest describes.
///
/// The sensor samples at the granted rate in the cheapest state that is on. While deliveries are held, it
/// stores samples up to the capacity of the manifest's FIFO. With each sample, it publishes the facts that
/// changed or have a maximum age. Facts with `isAlwaysPublished` are also published while the sensor is off.
actor ManifestSensor: SensorPlugin {
  nonisolated let manifest: Manifest
  private let script: DeviceScript
  private let dropout: DropoutFault
  private let samplingState: Int
  private let longestPeriod: TimeSpan
  private let shortestPeriod: TimeSpan
  private let defaultPeriod: TimeSpan
  private var view: any WorldView
  private var log: SampleLog
  private var port: DevicePort?
  private var setting = Setting.off
  private var state: Int
  private var period = TimeSpan.seconds(1)
  private var next = Instant.distantFuture
  /// The last published value of each fact, by the index of the fact in the manifest.
  private var published: [Int: FactValue] = [:]

  init(_ setup: DeviceSetup, _ script: DeviceScript) {
    manifest = setup.manifest
    self.script = script
    dropout = setup.dropout
    view = setup.view
    log = SampleLog(setup.manifest)
    state = setup.manifest.initial
    samplingState = setup.manifest.cheapestOnState
    let rate = setup.manifest.attribute(named: "rate")
    func period(_ rate: Double?) -> TimeSpan? { rate.flatMap { $0 > 0 ? Quantity($0, .rate).period : nil } }
    shortestPeriod = period(rate?.range?.upperBound) ?? .milliseconds(1)
    longestPeriod = period(rate?.range?.lowerBound) ?? .hours(24)
    var fallback: Double?
    if case .number(let number) = rate?.fallback { fallback = number }
    defaultPeriod = period(fallback) ?? .seconds(1)
  }

  func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    self.port = port
    publishAlways(at: instant)
  }

  func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    if self.setting.isHolding && !setting.isHolding { drain(at: instant, reason: .ended) }
    guard setting.isOn else {
      turnOff(at: instant)
      return
    }
    let period = min(max(setting.period ?? defaultPeriod, shortestPeriod), longestPeriod)
    if !self.setting.isOn || period != self.period {
      self.period = period
      next = instant + period
    }
    self.setting = setting
    log.keepsNewest = setting.keepsNewest
    enter(samplingState, period: period, at: instant)
    setAlarm(after: instant)
  }

  func drain(at instant: Instant, reason: DeliveryReason) {
    log.deliver(to: port, at: instant, reason: reason)
  }

  func wake(at instant: Instant, horizon: Instant) {
    guard setting.isOn else {
      publishAlways(at: instant)
      return
    }
    while next <= instant {
      let due = next
      next = due + period
      if !dropout.isActive(at: due) { sample(at: due) }
    }
    setAlarm(after: instant)
  }

  func close(at instant: Instant) {
    turnOff(at: instant)
    port?.setAlarm(at: nil)
  }

  /// Publishes the facts that the sensor also publishes while it is off.
  private func publishAlways(at instant: Instant) {
    publish(at: instant) { $0.isAlwaysPublished }
    setAlarm(after: instant)
  }

  /// Sets the alarm for the next sample. While the sensor is off, sets it for the next change of a fact that
  /// is always published.
  private func setAlarm(after instant: Instant) {
    guard !setting.isOn else {
      port?.setAlarm(at: next)
      return
    }
    port?.setAlarm(at: script.nextChange(of: script.facts.filter(\.isAlwaysPublished), after: instant))
  }

  private func sample(at instant: Instant) {
    let seen = view.state(at: instant)
    var values = manifest.plainChannels.map { script.number(of: $0, in: seen, at: instant) }
    values += Array(repeating: 0, count: max(Channel.inlineCount - values.count, 0))
    log.append(
      at: instant, values[0], values[1], values[2], values[3], wideValues: values[4...],
      bytes: manifest.byteChannels.map { script.bytes(of: $0, at: instant) })
    publish(at: instant) { _ in true }
    if !setting.isHolding {
      drain(at: instant, reason: .immediate)
    } else if log.isFull {
      drain(at: instant, reason: .full)
    }
  }

  /// Publishes the facts for which the closure returns true.
  private func publish(at instant: Instant, _ isWanted: (FactSchema) -> Bool) {
    let seen = view.state(at: instant)
    for (index, schema) in script.facts.enumerated() where schema.reading == nil && isWanted(schema) {
      let value = script.value(of: schema.path, in: seen, at: instant)
      guard published[index] != value || schema.maxAge != nil else { continue }
      published[index] = value
      port?.publish(schema.path, value, at: instant)
    }
  }

  private func turnOff(at instant: Instant) {
    drain(at: instant, reason: .ended)
    setting = .off
    next = .distantFuture
    setAlarm(after: instant)
    enter(manifest.initial, period: nil, at: instant)
  }

  /// Reports each state on the path from the present state to `target`.
  private func enter(_ target: Int, period: TimeSpan?, at instant: Instant) {
    for step in manifest.path(from: state, to: target) {
      port?.report(.state(step, period: step == target ? period : nil), at: instant)
    }
    state = target
  }
}
