import StintFormats
import StintModel
import StintPluginKit
import StintUnits

/// The device model: turns the reports of a session into power states, facts and batches.
///
/// Samples and facts have the instant at which their report arrived. A receiver's own date may be wrong by
/// 1,024 weeks, so its time only distinguishes reports and gives the age of stored positions.
struct GpsdReceiver {
  private enum Phase {
    case off, released, search, track
  }

  /// Metres of error per unit of horizontal dilution, for reports without an estimated error.
  private static let metresPerDilution = 15.0
  /// The accuracy, in metres, of positions without a known error.
  private static let worstRadius = 10_000.0

  private let port: DevicePort
  private let states: (off: Int, released: Int, search: Int, track: Int)
  private let facts: (accuracy: FactHandle, speed: FactHandle, distance: FactHandle)
  private let placeFacts: (latitude: FactHandle, longitude: FactHandle)
  private let release: TimeSpan

  private(set) var setting = Setting.off
  private var phase = Phase.off
  private var log: PositionBuffer
  private var odometer = GpsdOdometer()
  private var cycle: TimeSpan?
  private var dilution: Double?
  /// The last accepted fix: the receiver's time, whether its error is known, and the instant of its arrival.
  private var last: (time: String?, hasRadius: Bool, at: Instant)?
  /// The stuck time that the receiver repeats; nil while the receiver's time advances.
  private var frozen: String?
  private var badPositions = 0
  private var releasedUntil: Instant?
  /// The latest instant until now. No later report gets an earlier instant.
  private var latest = Instant(nanoseconds: .min)

  init(_ port: DevicePort, release: TimeSpan) {
    self.port = port
    self.release = release
    let names = port.manifest.states.map(\.name)
    let state = { (name: String) in names.firstIndex(of: name) ?? 0 }
    states = (state("off"), state("released"), state("search"), state("track"))
    facts = (port.handle("accuracy"), port.handle("speed"), port.handle("distance"))
    placeFacts = (port.handle("latitude"), port.handle("longitude"))
    log = PositionBuffer(device: port.manifest.device, capacity: port.manifest.fifo)
  }

  // MARK: Calls from the host

  /// Applies a setting. `wasWatching` is true when this plugin watched gpsd before the setting. Only then
  /// does gpsd keep the receiver on after the device turns off.
  mutating func apply(_ setting: Setting, wasWatching: Bool, isAvailable: Bool, at instant: Instant) {
    let now = moved(to: instant)
    if self.setting.isHolding && !setting.isHolding { log.deliver(to: port, at: now, reason: .ended) }
    self.setting = setting
    guard setting.isOn else {
      turnOff(wasWatching: wasWatching, at: now)
      return
    }
    releasedUntil = nil
    port.setAlarm(at: nil)
    if phase == .off || phase == .released {
      last = nil
      enter(isAvailable ? .search : .off, at: now)
    } else {
      report(at: now)
    }
  }

  mutating func drain(at instant: Instant, reason: DeliveryReason) {
    log.deliver(to: port, at: moved(to: instant), reason: reason)
  }

  /// Ends the state `released` when the time has passed for which gpsd keeps the receiver on.
  mutating func wake(at instant: Instant) {
    guard let releasedUntil, instant >= releasedUntil, phase == .released else { return }
    self.releasedUntil = nil
    enter(.off, at: moved(to: instant))
  }

  /// Delivers the held positions for the last time and turns the device off.
  mutating func close(at instant: Instant) {
    let now = moved(to: instant)
    log.deliver(to: port, at: now, reason: .ended)
    setting = .off
    releasedUntil = nil
    port.setAlarm(at: nil)
    if phase != .off { enter(.off, at: now) }
  }

  // MARK: Reports from the session

  mutating func ingest(_ report: GpsdSession.Report, at instant: Instant) {
    let now = moved(to: instant)
    switch report {
    case .available(let isThere):
      // A missing device counts as off.
      if !isThere { enter(.off, at: now) }
      port.available(isThere, at: now)
      if isThere, setting.isOn { enter(.search, at: now) }
    case .fault(let text): port.report(.fault(text), at: now)
    case .sky(let dilution): self.dilution = dilution
    case .cycle(let cycle):
      guard self.cycle != cycle else { return }
      self.cycle = cycle
      if setting.isOn, phase == .track { self.report(at: now) }
    case .lost: lose(at: now)
    case .position(let position): ingest(position, at: now)
    case .stored(let position): store(position, at: now)
    }
  }

  /// Delivers the held positions after all lines of one read were processed, so that they form one batch.
  /// While the setting holds deliveries, delivers only when the log is full.
  mutating func deliverHeld(at instant: Instant) {
    let now = moved(to: instant)
    if log.isFull {
      log.deliver(to: port, at: now, reason: .full)
    } else if !setting.isHolding {
      log.deliver(to: port, at: now, reason: .immediate)
    }
  }

  // MARK: Implementation

  /// Returns the instant, or the latest instant until now if that is later.
  private mutating func moved(to instant: Instant) -> Instant {
    latest = max(latest, instant)
    return latest
  }

  private mutating func turnOff(wasWatching: Bool, at now: Instant) {
    log.deliver(to: port, at: now, reason: .ended)
    dilution = nil
    cycle = nil
    if phase == .released { return }
    if wasWatching, release > .zero {
      let end = now + release
      releasedUntil = end
      enter(.released, at: now)
      port.setAlarm(at: end)
    } else {
      enter(.off, at: now)
    }
  }

  /// Makes the facts unknown, because the last reports are no longer valid.
  private mutating func lose(at now: Instant) {
    last = nil
    dilution = nil
    for fact in [facts.accuracy, facts.speed, placeFacts.latitude, placeFacts.longitude] {
      port.publish(fact, .unknown, at: now)
    }
    if phase == .track { enter(.search, at: now) }
  }

  private mutating func ingest(_ position: GpsdPosition, at now: Instant) {
    guard setting.isOn, phase == .search || phase == .track else { return }
    guard position.mode >= 2, let latitude = position.latitude, let longitude = position.longitude else {
      // A report without a fix that comes soon after a fix usually belongs to the cycle of that fix. Only a
      // later report without a fix shows that the fix was lost.
      let isOld = last.map { now - $0.at > max(period, .seconds(1)).times(2, capped: .unlimited) } ?? true
      if phase == .track, isOld { enter(.search, at: now) }
      return
    }
    guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
      badPositions += 1
      if badPositions & (badPositions - 1) == 0 {
        let text = "invalid position: latitude \(latitude), longitude \(longitude); skipped"
        port.report(.fault(text), at: now)
      }
      return
    }
    let radius = (position.radius ?? dilution.map { $0 * Self.metresPerDilution }).map {
      min(max($0, 0), Self.worstRadius)
    }
    if let time = position.time, time == frozen { return }
    if let last, let time = last.time, time == position.time {
      if now - last.at >= longestStandstill {
        freeze(time, since: last.at, at: now)
      } else {
        refine(last, radius, at: now)
      }
      return
    }
    frozen = nil
    // A receiver may be faster than requested: reports that come too early are ignored.
    if let last, now - last.at < TimeSpan(nanoseconds: period.nanoseconds / 10 * 8) { return }
    last = (position.time, radius != nil, now)
    if phase == .search { enter(.track, at: now) }
    let speed = position.speed.flatMap { $0 >= 0 && $0 <= 1000 ? $0 : nil }
    odometer.advance(to: place, speed: speed, at: now)
    publish(place, radius, speed, at: now)
    log.append(
      at: now, time: position.time,
      values: (place.latitude, place.longitude, radius ?? Self.worstRadius, speed ?? 0))
  }

  /// The maximum time for which the receiver's time may stay unchanged. It is ten seconds, or three cycles of
  /// the receiver if they are longer.
  private var longestStandstill: TimeSpan {
    max(.seconds(10), (cycle ?? .seconds(1)).times(3, capped: .unlimited))
  }

  /// Rejects the positions of a receiver whose time no longer changes, because such a receiver repeats an old
  /// fix.
  private mutating func freeze(_ time: String, since: Instant, at now: Instant) {
    frozen = time
    let text = "the receiver's time is stuck at \(AttributeFolder.excerpt(time)) for \(now - since)"
    port.report(.fault("\(text); its positions are ignored"), at: now)
    lose(at: now)
  }

  /// Publishes the accuracy from a later report with the same time, when the first report had no accuracy.
  private mutating func refine(
    _ first: (time: String?, hasRadius: Bool, at: Instant), _ radius: Double?, at now: Instant
  ) {
    guard !first.hasRadius, let radius else { return }
    last = (first.time, true, first.at)
    port.publish(facts.accuracy, .number(radius), at: now)
  }

  private func publish(_ place: Coordinate, _ radius: Double?, _ speed: Double?, at now: Instant) {
    port.publish(placeFacts.latitude, .number(place.latitude), at: now)
    port.publish(placeFacts.longitude, .number(place.longitude), at: now)
    port.publish(facts.accuracy, radius.map { .number($0) } ?? .unknown, at: now)
    port.publish(facts.speed, speed.map { .number($0) } ?? .unknown, at: now)
    port.publish(facts.distance, .number(odometer.metres), at: now)
  }

  /// Handles a position from the receiver's memory: it becomes a sample but does not change facts.
  private mutating func store(_ position: GpsdPosition, at now: Instant) {
    guard setting.isOn, position.mode >= 2, let latitude = position.latitude,
      let longitude = position.longitude,
      let place = Coordinate(latitude: latitude, longitude: longitude)
    else { return }
    let radius = min(max(position.radius ?? Self.worstRadius, 0), Self.worstRadius)
    log.appendStored(
      at: now, time: position.time, values: (place.latitude, place.longitude, radius, position.speed ?? 0))
  }

  private var period: TimeSpan { setting.period ?? .seconds(1) }

  private mutating func enter(_ phase: Phase, at now: Instant) {
    guard self.phase != phase || phase == .off else { return }
    self.phase = phase
    report(at: now)
  }

  private func report(at now: Instant) {
    let state =
      switch phase {
      case .off: states.off
      case .released: states.released
      case .search: states.search
      case .track: states.track
      }
    let isOn = phase == .search || phase == .track
    port.report(.state(state, period: isOn ? max(cycle ?? period, period) : nil), at: now)
  }
}
