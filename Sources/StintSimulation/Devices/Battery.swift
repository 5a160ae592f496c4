public import StintModel
public import StintPluginKit
public import StintUnits
import Synchronization

/// The battery gauge: the initial charge minus the energy that the meter has counted, in whole percent.
///
/// The gauge reads the meter every `refresh` and publishes the percentage when it has changed. When the
/// scenario sets a level, the gauge publishes that level at once and continues from it.
public actor Battery: DevicePlugin, EnergyObserver {
  public nonisolated let manifest: Manifest
  private let meter: EnergyMeter
  private let capacity: Energy
  private let refresh: TimeSpan
  /// Levels from the scenario, in ascending order of time.
  private var levels: ArraySlice<(at: Instant, level: Double)>
  private var facts: ScenarioFacts
  private var port: DevicePort?
  /// The charge at the last known level.
  private var charge = Energy.zero
  /// The total of the meter at the instant of the last known level.
  private var meterAtLevel = Energy.zero
  private var nextReading = Instant.distantFuture
  private var percent: Int64?

  init(_ setup: DeviceSetup, meter: EnergyMeter, levels: [(at: Instant, level: Double)], facts: ScenarioFacts)
  {
    manifest = setup.manifest
    self.facts = facts
    self.meter = meter
    self.levels = levels[...]
    capacity = setup.manifest.figures["capacity"]?.energy ?? Energy(nanojoules: 1)
    refresh = setup.span("refresh")
    charge = capacity
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    self.port = port
    meterAtLevel = meter.total
    _ = applyLevels(until: instant)
    port.publish("power.source", .symbol(0), at: instant)
    facts.publish(to: port, at: instant)
    read(at: instant)
    nextReading = instant + refresh
    setAlarm()
  }

  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {}

  package nonisolated func note(spent: Energy) { meter.total = spent }

  public func wake(at instant: Instant, horizon: Instant) {
    if applyLevels(until: instant) { read(at: instant) }
    if let port { facts.publish(to: port, at: instant) }
    if instant >= nextReading {
      read(at: instant)
      nextReading = instant + refresh
    }
    setAlarm()
  }

  public func close(at instant: Instant) { port?.setAlarm(at: nil) }

  /// Applies the levels of the scenario whose time is `instant` or earlier. Returns true when a level was
  /// applied.
  private func applyLevels(until instant: Instant) -> Bool {
    var hasLevel = false
    while let first = levels.first, first.at <= instant {
      levels.removeFirst()
      charge = Energy(joules: first.level * capacity.joules) ?? capacity
      meterAtLevel = meter.total
      hasLevel = true
    }
    return hasLevel
  }

  private func read(at instant: Instant) {
    let now = percentOfCharge()
    guard now != percent else { return }
    percent = now
    port?.publish("battery.level", .number(Double(now) / 100), at: instant)
  }

  /// Returns the charge, rounded to the nearest whole percent.
  private func percentOfCharge() -> Int64 {
    let left = max(0, (charge - (meter.total - meterAtLevel)).nanojoules)
    let whole = max(capacity.nanojoules, 1)
    return Int64((left * 200 + whole) / (2 * whole))
  }

  private func setAlarm() {
    port?.setAlarm(at: min(nextReading, levels.first?.at ?? .distantFuture, facts.next ?? .distantFuture))
  }
}

/// The energy that the phone has drawn. A simulation or a bus stores the total; the battery reads it.
public final class EnergyMeter: Sendable {
  private let nanojoules = Atomic<Int64>(0)

  /// Makes a meter that reads zero.
  public init() {}

  /// The total of the energy ledger.
  public var total: Energy {
    get { Energy(nanojoules: nanojoules.load(ordering: .relaxed)) }
    // 64 bits can count more nanojoules than any battery holds.
    set { nanojoules.store(Int64(clamping: newValue.nanojoules), ordering: .relaxed) }
  }
}
