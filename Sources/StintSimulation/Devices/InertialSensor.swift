public import StintModel
public import StintPluginKit
public import StintUnits

/// A gyroscope, a magnetometer, or a motion fusion processor. It samples at a rate, has a FIFO, and publishes
/// no facts. A call of `wake` also computes later samples: those before `horizon` (the next event outside of
/// this device), but at most one minute of samples. Unless deliveries are held, these samples are delivered
/// together.
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
  /// The last state that was read from the world, and the time until which that state is valid.
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

  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) { self.port = port }

  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
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
    port?.setAlarm(at: next)
  }

  public func drain(at instant: Instant, reason: DeliveryReason) {
    log.deliver(to: port, at: instant, reason: reason)
  }

  public func wake(at instant: Instant, horizon: Instant) {
    guard setting.isOn else { return }
    if next <= instant {
      run(to: max(min(horizon, instant + .seconds(60)), next + TimeSpan(nanoseconds: 1)))
    }
    port?.setAlarm(at: next)
  }

  public func close(at instant: Instant) { turnOff(at: instant) }

  /// Takes samples before `limit`. While deliveries are held, stops early when the FIFO is full.
  private func run(to limit: Instant) {
    var last = next
    while next < limit, !log.isFull || !setting.isHolding {
      last = next
      next = last + period
      if dropout.isActive(at: last) { continue }
      let value = quantity.sample(worldState(at: last), noise, at: last)
      log.append(at: last, value.x, value.y, value.z, value.w)
    }
    if !setting.isHolding {
      drain(at: last, reason: .immediate)
    } else if log.isFull {
      drain(at: last, reason: .full)
    }
  }

  private func worldState(at instant: Instant) -> WorldState {
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
    port?.setAlarm(at: nil)
    port?.report(.state(off, period: nil), at: instant)
  }
}

/// The quantity that an inertial sensor measures. Its channels are in the order of the manifest.
enum InertialQuantity: Sendable {
  /// Rotation about each axis, in degrees per second.
  case rotation
  /// Magnetic flux density along each axis, in microtesla.
  case magneticField
  /// Roll, pitch and yaw in degrees, and the acceleration without gravity in metres per second squared.
  case fused

  /// The magnetic field of the Earth at middle latitudes: the horizontal and the downward component, in
  /// microtesla.
  private static let field = (across: 21.0, down: 43.0)

  /// Returns one sample. The random part of the sample comes from `noise`; for `rotation` and `fused`, the
  /// size of this part depends on the activity.
  func sample(_ state: WorldState, _ noise: Noise, at instant: Instant) -> SIMD4<Double> {
    let gait = Gait.of(state.activity)
    func chance(_ salt: UInt64) -> Double { 2 * noise.uniform(instant, salt: salt) - 1 }
    let sway = gait.strength + gait.noise
    switch self {
    case .rotation:
      return SIMD4(8 * sway * chance(1), 5 * sway * chance(2), 3 * sway * chance(3), 0)
    case .magneticField:
      let heading = state.heading ?? 0
      return SIMD4(
        Self.field.across * sine(degrees: heading) + 0.3 * chance(1),
        Self.field.across * sine(degrees: heading + 90) + 0.3 * chance(2),
        -Self.field.down + 0.3 * chance(3), 0)
    case .fused:
      return SIMD4(
        2 * sway * chance(1), 2 * sway * chance(2), (state.heading ?? 0) + sway * chance(3),
        abs(sway * chance(4)))
    }
  }
}
