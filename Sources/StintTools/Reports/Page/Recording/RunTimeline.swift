import StintFormats
import StintModel
import StintSimulation
public import StintUnits

/// What a run's report page shows beyond the figures: lanes, curves, positions and their causes, all bounded.
public struct RunTimeline: Hashable, Sendable {
  /// A device and what it was when.
  struct DeviceLane: Hashable, Sendable {
    var device: DeviceID
    var title: String
    var states: [PowerState]
    var events: [PricedEvent]
    var spans: LaneLog
    /// What it did at a fixed price.
    var done: LaneLog
    /// When what it handed over woke the processor.
    var wakes: LaneLog
    var fixes: ThinnedLog<Fix>

    /// Everything that was booked to it.
    var energy: Energy { spans.energy + done.energy }
  }

  /// A rule and when it was in force; a stretch without length is an act.
  struct RuleLane: Hashable, Sendable {
    var rule: RuleID
    /// The sentence behind its name.
    var note: String
    var log: LaneLog
  }

  /// What had been spent and what was left.
  struct CurvePoint: Hashable, Sendable {
    var instant: Instant
    var spent: Energy
    /// 0 to 1; nil when unknown.
    var battery: Double?
  }

  /// A position that a client was handed.
  struct Fix: Hashable, Sendable {
    var instant: Instant
    var handed: Instant
    var position: Coordinate
    /// Metres: what the device said.
    var radius: Double?
    /// Its number in the vocabulary.
    var device: Int
    /// Metres from the phone's true position; nil when that is unknown.
    var error: Double?
  }

  public let start: Instant
  public let end: Instant
  let timeZone: TimeZoneRules
  let devices: [DeviceLane]
  let rules: [RuleLane]
  let curve: [CurvePoint]
  let causes: CauseTable
  let accounts: [EnergyAccounts.Entry]
  /// By instant.
  private(set) var fixes: [Fix]
  /// The phone's true positions; empty when they are unknown.
  private(set) var way: [Coordinate] = []

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

  /// Compares the positions with where the phone really was, and notes the way that it took.
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
    way = SimplifiedPath(points).simplified(to: limit)
  }
}
