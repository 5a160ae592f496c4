public import StintModel
public import StintPluginKit
public import StintUnits

/// A satellite receiver that searches, tracks, and stores its fixes.
///
/// The receiver gives its first fix when the sky has been visible without interruption for the first-fix
/// time. A start is cold when the receiver had no fix before, was off for longer than its figure `memory`, or
/// was off between two fixes. The first-fix time is `cold_fix` after a cold start and `hot_fix` after all
/// other starts. Then one fix follows each period. At periods of at least one second, the periods are counted
/// from a full second, because receivers compute positions at full seconds.
///
/// At periods of `cycling_from` and longer, the receiver is in standby or off between fixes. The search
/// begins `hot_fix` before the next fix when the receiver is in standby, and `cold_fix` before the next fix
/// when the receiver is off. The receiver is off instead of in standby when the time in the state off and the
/// next cold start cost less energy. A tracking receiver that loses the sky searches again.
///
/// The receiver publishes its facts at every fix, even while samples wait in the log. The model assumes that
/// a sensor hub evaluates the conditions of rules, so that only a delivery wakes the processor.
public actor GNSSReceiver: SensorPlugin {
  public nonisolated let manifest: Manifest
  private let noise: Noise
  private let error: PositionError
  private let dropout: DropoutFault
  private let figures: GNSSFigures
  private var view: any WorldView
  private var port: DevicePort?
  private var facts: PositionFacts?

  private var phase = Phase.off
  private var setting = Setting.off
  private var log: SampleLog
  private var odometer = Odometer()
  /// True when the receiver has stored the satellite orbits: it had a fix, and since then it was not
  /// `dormant` and was not off for longer than `ephemerisValidity`.
  private var isWarm = false
  private var offSince: Instant?
  /// The instant since which the current search has seen the sky; nil while the sky is not visible.
  private var visibleSince: Instant?
  /// The instant of the first fix of this acquisition. At periods of at least 1 s, it is rounded down to a
  /// full second. Without a `grid`, later fixes follow at multiples of the period after this instant; with a
  /// `grid`, at steps of the grid.
  private var anchor: Instant?
  private var nextFix = Instant.distantFuture
  private var lastFix: Instant?
  private var coverageEnds: Instant?

  private enum Phase {
    case off, standby, search, track
    /// Off between two fixes, with a cold start before the next fix.
    case dormant
  }

  init(_ setup: DeviceSetup) {
    manifest = setup.manifest
    noise = setup.noise
    error = PositionError(setup.noise)
    dropout = setup.dropout
    view = setup.view
    figures = GNSSFigures(setup)
    log = SampleLog(setup.manifest)
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    self.port = port
    facts = PositionFacts(port)
  }

  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    if self.setting.isHolding && !setting.isHolding { drain(at: instant, reason: .ended) }
    let before = self.setting
    self.setting = setting
    guard setting.isOn else {
      turnOff(at: instant)
      return
    }
    if phase == .off {
      if let offSince, instant - offSince > figures.ephemerisValidity { isWarm = false }
      anchor = nil
      search(at: instant)
    } else {
      if setting.period != before.period { replan(at: instant) }
      report(at: instant)
    }
    setAlarm()
  }

  public func drain(at instant: Instant, reason: DeliveryReason) {
    log.deliver(to: port, at: instant, reason: reason)
  }

  public func wake(at instant: Instant, horizon: Instant) {
    switch phase {
    case .off: return
    case .standby: if instant >= nextFix - figures.hotFix { search(at: instant) }
    case .dormant:
      guard instant >= nextFix - figures.coldFix else { break }
      isWarm = false
      search(at: instant)
    case .search: updateSearch(at: instant)
    case .track: updateTracking(at: instant)
    }
    setAlarm()
  }

  public func close(at instant: Instant) {
    setting = .off
    turnOff(at: instant)
  }

  // MARK: Phases

  private var period: TimeSpan { max(setting.period ?? figures.period, figures.period) }
  private var isCycling: Bool { period >= figures.cyclingFrom }
  private var idlePhase: Phase { figures.choice?.cheapest(over: period) == .off ? .dormant : .standby }

  private func turnOff(at instant: Instant) {
    drain(at: instant, reason: .ended)
    if phase != .off && phase != .dormant { offSince = instant }
    enter(.off, at: instant)
    port?.setAlarm(at: nil)
  }

  private func search(at instant: Instant) {
    enter(.search, at: instant)
    visibleSince = nil
    updateSearch(at: instant)
  }

  /// Continues a search, or ends it with a fix.
  private func updateSearch(at instant: Instant) {
    let world = observe(at: instant)
    guard world.sky != .indoors else {
      visibleSince = nil
      return
    }
    let since = visibleSince ?? instant
    visibleSince = since
    guard instant >= since + firstFix else { return }
    isWarm = true
    if anchor == nil { anchor = period < .seconds(1) ? instant : instant.wholeSecond }
    enter(.track, at: instant)
    fix(world, at: instant)
  }

  /// Continues tracking, takes a fix at the end of a period, or handles the loss of the sky.
  private func updateTracking(at instant: Instant) {
    let world = observe(at: instant)
    if world.sky == .indoors {
      anchor = nil
      enter(.search, at: instant)
      visibleSince = nil
    } else if instant >= nextFix {
      fix(world, at: instant)
    }
  }

  private var firstFix: TimeSpan { isWarm ? figures.hotFix : figures.coldFix }

  private func observe(at instant: Instant) -> WorldState {
    let world = view.state(at: instant)
    if let end = coverageEnds, instant < end { return world }
    coverageEnds = view.nextCoverageChange(after: instant) ?? .distantFuture
    return world
  }

  private func replan(at instant: Instant) {
    guard let anchor, phase == .track || phase == .standby || phase == .dormant else { return }
    nextFix = following(instant, after: anchor)
    let isNear = nextFix - instant <= figures.hotFix
    if phase == .standby && (isNear || !isCycling) { search(at: instant) }
    if phase == .dormant && nextFix - instant <= figures.coldFix { search(at: instant) }
    if phase == .track && isCycling && !isNear {
      phase = idlePhase
      if phase == .dormant { offSince = instant }
    }
  }

  private func following(_ instant: Instant, after anchor: Instant) -> Instant {
    if let grid = figures.grid, let lastFix {
      let wanted = max(lastFix + period, instant)
      let count = (wanted - anchor).nanoseconds / grid.nanoseconds
      let before = anchor + TimeSpan(nanoseconds: count * grid.nanoseconds)
      return before < wanted || before <= lastFix ? before + grid : before
    }
    let count = (instant - anchor).nanoseconds / period.nanoseconds + 1
    return anchor + TimeSpan(nanoseconds: count * period.nanoseconds)
  }

  private func enter(_ phase: Phase, at instant: Instant) {
    if phase == .dormant { offSince = instant }
    self.phase = phase
    report(at: instant)
  }

  private func report(at instant: Instant) {
    let state =
      switch phase {
      case .off, .dormant: figures.off
      case .standby: figures.standby
      case .search: figures.search
      case .track: figures.track
      }
    port?.report(.state(state, period: phase == .off ? nil : period), at: instant)
  }

  private func setAlarm() {
    let change = coverageEnds ?? .distantFuture
    let alarm: Instant
    switch phase {
    case .off: return
    case .standby: alarm = nextFix - figures.hotFix
    case .dormant: alarm = nextFix - figures.coldFix
    case .search: alarm = visibleSince.map { min($0 + firstFix, change) } ?? change
    case .track: alarm = min(nextFix, change)
    }
    port?.setAlarm(at: alarm == .distantFuture ? nil : alarm)
  }

  // MARK: Fixes

  private func fix(_ world: WorldState, at instant: Instant) {
    lastFix = instant
    nextFix = following(instant, after: anchor ?? instant)
    if !dropout.isActive(at: instant) { recordFix(world, at: instant) }
    if isCycling { enter(idlePhase, at: instant) }
  }

  private func recordFix(_ world: WorldState, at instant: Instant) {
    let typical = world.sky == .street ? figures.streetRadius : figures.openRadius
    let radius = typical * (0.8 + 0.4 * noise.uniform(instant, salt: 3))
    let seen = error.seen(world.position, radius: radius, at: instant)
    let speed = measured(world.speed, at: instant)
    odometer.advance(to: seen, speed: speed, at: instant)
    log.append(at: instant, seen.latitude, seen.longitude, radius, speed)
    facts?.publish(seen, accuracy: radius, speed: speed, distance: odometer.metres, at: instant)
    if !setting.isHolding {
      log.deliver(to: port, at: instant, reason: .immediate)
    } else if log.isFull {
      log.deliver(to: port, at: instant, reason: .full)
    }
  }

  /// Returns the speed from the Doppler shift, with a standard error of 0.1 m/s. Returns 0 while the phone is
  /// still, unless the error is unusually large.
  private func measured(_ speed: Double, at instant: Instant) -> Double {
    let seen = speed + 0.1 * noise.gaussian(instant, salt: 4)
    return speed < 0.1 && seen < 0.3 ? 0 : max(seen, 0)
  }
}

extension Instant {
  /// The start of the second that contains the instant.
  fileprivate var wholeSecond: Instant {
    let rest = nanoseconds % 1_000_000_000
    return Instant(nanoseconds: nanoseconds - (rest < 0 ? rest + 1_000_000_000 : rest))
  }
}

/// The figures of a receiver, from its manifest.
struct GNSSFigures {
  let off: Int
  let standby: Int
  let search: Int
  let track: Int
  let coldFix: TimeSpan
  let hotFix: TimeSpan
  /// The longest time in the state off after which a hot start is still possible.
  let ephemerisValidity: TimeSpan
  let cyclingFrom: TimeSpan
  /// The choice between off and standby between two fixes, from the costs in the manifest; nil when the
  /// manifest lacks these costs.
  let choice: IdleModeChoice?
  /// The shortest time between two fixes, which is also the default.
  let period: TimeSpan
  /// The step of the times at which fixes are possible, counted from the first fix. The next fix is at the
  /// first such time at which the period has elapsed. Nil when fixes are at multiples of the period.
  let grid: TimeSpan?
  let openRadius: Double
  let streetRadius: Double

  init(_ setup: DeviceSetup) {
    off = setup.state("off")
    standby = setup.state("standby")
    search = setup.state("search")
    track = setup.state("track")
    coldFix = setup.span("cold_fix")
    hotFix = setup.span("hot_fix")
    ephemerisValidity = setup.span("memory")
    cyclingFrom = setup.span("cycling_from")
    choice = IdleModeChoice(setup.manifest)
    period = setup.span("fastest_fix")
    grid = setup.manifest.figures["grid"]?.timeSpan
    openRadius = setup.manifest.figures["radius_open"]?.value ?? 5
    streetRadius = setup.manifest.figures["radius_street"]?.value ?? 25
  }
}
