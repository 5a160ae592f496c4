import StintFormats
import StintModel
import StintSimulation
public import StintUnits

/// The lanes, curves, positions and causes of a report page, all bounded in size.
public struct RunTimeline: Hashable, Sendable {
  /// A device with its states, events and fixes over time.
  struct DeviceLane: Hashable, Sendable {
    var device: DeviceID
    var title: String
    var states: [PowerState]
    var events: [PricedEvent]
    var spans: LaneLog
    /// The occurrences of the device's priced events. A priced event has an energy in the manifest.
    var occurrences: LaneLog
    /// The wake-ups of the processor that the device's deliveries caused.
    var wakes: LaneLog
    var fixes: ThinnedLog<Fix>

    /// The total energy of the device.
    var energy: Energy { spans.energy + occurrences.energy }
  }

  /// A rule and the periods in which it was in force; a span of zero length is an act.
  struct RuleLane: Hashable, Sendable {
    var rule: RuleID
    /// The description that follows the rule's name in the policy.
    var note: String
    var log: LaneLog
  }

  /// The spent energy and the battery level at an instant.
  struct CurvePoint: Hashable, Sendable {
    var instant: Instant
    var spent: Energy
    /// The battery level, 0 to 1; nil when unknown.
    var battery: Double?
  }

  /// A position that a client received.
  struct Fix: Hashable, Sendable {
    /// The instant of the measurement.
    var instant: Instant
    /// The instant of the delivery.
    var delivered: Instant
    var position: Coordinate
    /// The accuracy that the device reported, in metres; nil when it reported no accuracy.
    var radius: Double?
    /// The device's index in the vocabulary.
    var device: Int
    /// The distance from the phone's true position in metres; nil when unknown.
    var error: Double?
  }

  /// The start of the run.
  public let start: Instant
  /// The end of the run.
  public let end: Instant
  let timeZone: TimeZoneRules
  let devices: [DeviceLane]
  let rules: [RuleLane]
  let curve: [CurvePoint]
  let causes: CauseTable
  let accounts: [EnergyAccounts.Entry]
  /// The delivered positions of all devices, sorted by instant.
  private(set) var fixes: [Fix]
  /// The phone's true path; empty when unknown.
  private(set) var truePath: [Coordinate] = []

  init(
    start: Instant, end: Instant, timeZone: TimeZoneRules, devices: [DeviceLane], rules: [RuleLane],
    curve: [CurvePoint], causes: CauseTable, accounts: [EnergyAccounts.Entry]
  ) {
    self.start = start
    self.end = end
    self.timeZone = timeZone
    self.devices = devices
    self.rules = rules
    self.curve = curve
    self.causes = causes
    self.accounts = accounts
    fixes = devices.flatMap(\.fixes.values).sorted { ($0.instant, $0.device) < ($1.instant, $1.device) }
  }

  var length: TimeSpan { end - start }

  /// Computes the errors of the fixes against the true positions, and records the true path with at most
  /// `limit` points. Does nothing without a world.
  mutating func comparePositions(_ world: (any WorldSource)?, limit: Int) throws(Problem) {
    guard let world else { return }
    var view = try world.makeView()
    for index in fixes.indices where fixes[index].instant >= start && fixes[index].instant <= end {
      let truth = view.state(at: fixes[index].instant).position
      fixes[index].error = fixes[index].position.distance(to: truth)
    }
    view = try world.makeView()
    let step = max(TimeSpan.seconds(1), TimeSpan(nanoseconds: length.nanoseconds / 50_000))
    var points: [Coordinate] = []
    var instant = start
    while instant <= end {
      let position = view.state(at: instant).position
      if position != points.last { points.append(position) }
      instant = instant + step
    }
    truePath = SimplifiedPath(points).simplified(to: limit)
  }
}
