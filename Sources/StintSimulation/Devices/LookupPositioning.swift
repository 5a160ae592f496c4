public import StintModel
public import StintPluginKit
public import StintUnits

/// Positions from the Wi-Fi networks or cells in range. Each lookup costs a fixed energy; idle time costs
/// nothing.
///
/// When the device is turned on, it looks up its position at once. It waits first when the last lookup was
/// less than the shortest period ago. Then one lookup follows in each period. The device stores no samples.
public actor LookupPositioning: SensorPlugin {
  public nonisolated let manifest: Manifest
  private let noise: Noise
  private let error: PositionError
  private let dropout: DropoutFault
  private let off: Int
  private let ready: Int
  private let lookup: Int
  private let shortestPeriod: TimeSpan
  private let radii: ClosedRange<Double>
  private var view: any WorldView
  private var port: DevicePort?
  private var facts: PositionFacts?
  private var setting = Setting.off
  private var log: SampleLog
  private var odometer = Odometer()
  private var last: Instant?
  private var next: Instant?

  init(_ setup: DeviceSetup, lookup name: String) {
    manifest = setup.manifest
    noise = setup.noise
    error = PositionError(setup.noise)
    dropout = setup.dropout
    view = setup.view
    off = setup.state("off")
    ready = setup.state("ready")
    lookup = setup.event(name)
    shortestPeriod = setup.span("shortest_period")
    let finest = setup.manifest.figures["radius_best"]?.value ?? 0
    radii = finest...max(finest, setup.manifest.figures["radius_worst"]?.value ?? 0)
    log = SampleLog(setup.manifest)
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    self.port = port
    facts = PositionFacts(port)
  }

  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    let before = self.setting
    self.setting = setting
    guard setting.isOn else {
      turnOff(at: instant)
      return
    }
    port?.report(.state(ready, period: period), at: instant)
    if !before.isOn {
      next = max(instant, last.map { $0 + shortestPeriod } ?? instant)
    } else if let last, setting.period != before.period {
      next = max(instant, last + period)
    }
    if let next, next <= instant { lookUp(at: instant) }
    port?.setAlarm(at: next)
  }

  public func drain(at instant: Instant, reason: DeliveryReason) {
    log.deliver(to: port, at: instant, reason: reason)
  }

  public func wake(at instant: Instant, horizon: Instant) {
    guard let due = next, instant >= due else { return }
    lookUp(at: instant)
    port?.setAlarm(at: next)
  }

  public func close(at instant: Instant) { turnOff(at: instant) }

  private var period: TimeSpan { max(setting.period ?? shortestPeriod, shortestPeriod) }

  private func turnOff(at instant: Instant) {
    setting = .off
    next = nil
    port?.setAlarm(at: nil)
    port?.report(.state(off, period: nil), at: instant)
  }

  private func lookUp(at instant: Instant) {
    last = instant
    next = instant + period
    port?.report(.event(lookup, count: 1), at: instant)
    guard !dropout.isActive(at: instant) else { return }
    let world = view.state(at: instant)
    let share = noise.uniform(instant, salt: 3)
    let radius = radii.lowerBound + (radii.upperBound - radii.lowerBound) * share
    let seen = error.seen(world.position, radius: radius, at: instant)
    let speed = odometer.advance(to: seen, radius: radius, at: instant)
    log.append(at: instant, seen.latitude, seen.longitude, radius, speed)
    facts?.publish(seen, accuracy: radius, speed: speed, distance: odometer.metres, at: instant)
    log.deliver(to: port, at: instant, reason: .immediate)
  }
}

/// The error of positions. Its distribution is the same in all directions, and 95 of 100 errors are within a
/// given radius.
struct PositionError {
  /// The radius that contains 95 % of the errors, in standard deviations of one axis. The errors have the
  /// approximately normal distribution of `Noise.gaussian`.
  private static let radiusInDeviations = 2.42

  private let noise: Noise

  init(_ noise: Noise) { self.noise = noise }

  /// Returns the position that a device with this 95 % radius measures.
  func seen(_ truth: Coordinate, radius: Double, at instant: Instant) -> Coordinate {
    let deviation = radius / Self.radiusInDeviations
    return truth.moved(
      north: deviation * noise.gaussian(instant, salt: 1), east: deviation * noise.gaussian(instant, salt: 2))
  }
}
