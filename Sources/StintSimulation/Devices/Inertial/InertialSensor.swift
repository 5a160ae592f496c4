public import StintModel
public import StintPluginKit
public import StintUnits

/// A gyroscope, a magnetometer, or the processor that fuses motion: samples at a rate, with a FIFO, and says nothing
/// else. Samples that are not held back are made ahead of time, up to the host's horizon, and handed over together.
public actor InertialSensor: SensorPlugin {
  public nonisolated let manifest: Manifest
  private let quantity: InertialQuantity
  private let off: Int
  private let sampling: Int
  private let fastest: TimeSpan
  private let noise: Noise
  private let dropout: DropoutFault
  private var view: any WorldView
  private var log: SampleLog
  private var port: DevicePort?
  private var setting = Setting.off
  private var period = TimeSpan.seconds(1)
  private var next = Instant.distantFuture
  /// The world as it was looked at last, until then.
  private var state: WorldState?
  private var stateEnds = Instant(nanoseconds: .min)

  init(_ setup: DeviceSetup, _ quantity: InertialQuantity) {
    manifest = setup.manifest
    self.quantity = quantity
    off = setup.state("off")
    sampling = setup.state("sampling")
    fastest = setup.span("shortest_period")
    noise = setup.noise
    dropout = setup.dropout
    view = setup.view
    log = SampleLog(setup.manifest)
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(PluginError) { self.port = port }

  public func apply(_ setting: Setting, at instant: Instant) throws(PluginError) {
    if self.setting.isHolding && !setting.isHolding { drain(at: instant, reason: .ended) }
    guard setting.isOn else {
      turnOff(at: instant)
      return
    }
    let period = max(setting.period ?? .seconds(1), fastest)
    if !self.setting.isOn || period != self.period {
      self.period = period
      next = instant + period
    }
    self.setting = setting
    log.keepsNewest = setting.keepsNewest
    port?.report(.state(sampling, period: period), at: instant)
    port?.call(at: next)
  }

  public func drain(at instant: Instant, reason: HandOver) {
    log.deliver(to: port, at: instant, reason: reason)
  }

  public func wake(at instant: Instant, horizon: Instant) {
    guard setting.isOn else { return }
    if next <= instant {
      run(to: max(min(horizon, instant + .seconds(60)), next + TimeSpan(nanoseconds: 1)))
    }
    port?.call(at: next)
  }

  public func close(at instant: Instant) { turnOff(at: instant) }

  /// Samples up to a limit, not included, or until the FIFO is full.
  private func run(to limit: Instant) {
    var last = next
    while next < limit, !log.isFull || !setting.isHolding {
      last = next
      next = last + period
      if dropout.isActive(at: last) { continue }
      let value = quantity.sample(look(at: last), noise, at: last)
      log.append(at: last, value.x, value.y, value.z, value.w)
    }
    if !setting.isHolding {
      drain(at: last, reason: .immediate)
    } else if log.isFull {
      drain(at: last, reason: .full)
    }
  }

  private func look(at instant: Instant) -> WorldState {
    if let state, instant < stateEnds { return state }
    let seen = view.state(at: instant)
    state = seen
    stateEnds = view.nextCoverageChange(after: instant) ?? .distantFuture
    return seen
  }

  private func turnOff(at instant: Instant) {
    drain(at: instant, reason: .ended)
    setting = .off
    next = .distantFuture
    port?.call(at: nil)
    port?.report(.state(off, period: nil), at: instant)
  }
}
