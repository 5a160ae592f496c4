import StintGovernor
import StintModel
import StintUnits

/// The recording of one device: its current draw, and its earlier spans and events.
struct DeviceTrace {
  /// A priced event whose cause the governor has not determined yet.
  struct Waiting {
    var event: Int
    var count: Int
  }

  let manifest: Manifest
  /// The current state and power of the device, with their cause. Nil before the first call of
  /// `PageRecorder.becameIdle`.
  var draw: DeviceDraw?
  /// The unserved demands on the device, as a `Cause` whose links contain their grants. Nil when the device
  /// has no unserved demand.
  var refusal: Cause?
  /// The index of the cause of the current draw.
  var cause = CauseTable.floor
  var waiting: [Waiting] = []
  var wakes: LaneLog
  private var since: Instant
  private var remainder: Int64 = 0
  private var spans: LaneLog
  private var events: LaneLog
  private var fixes: ThinnedLog<RunTimeline.Fix>
  private var latestFix: Instant?
  private let place: Int
  private let accuracyChannel: Int?

  var id: DeviceID { manifest.device }

  init(_ manifest: Manifest, place: Int, at instant: Instant, limits: PageLimits) {
    self.manifest = manifest
    self.place = place
    since = instant
    wakes = LaneLog(limit: limits.spans)
    spans = LaneLog(limit: limits.spans, ranks: manifest.states.map { Int128($0.power.nanowatts) })
    events = LaneLog(limit: limits.spans, ranks: manifest.events.map(\.energy.nanojoules))
    fixes = ThinnedLog(limit: limits.fixes)
    accuracyChannel = manifest.channels.firstIndex { $0.name == "accuracy" }
  }

  /// Ends the current span and adds its energy to the accounts.
  mutating func close(at instant: Instant, _ accounts: inout EnergyAccounts, _ causes: CauseTable) {
    defer { since = instant }
    guard instant > since, let draw, manifest.states.indices.contains(draw.state) else { return }
    let energy: Energy
    (energy, remainder) = draw.power.energy(over: instant - since, carrying: remainder)
    spans.append(LaneSpan(start: since, end: instant, kind: draw.state, cause: cause, energy: energy))
    accounts.add(
      EnergyAccounts.Key(device: place, kind: draw.state, shape: causes.shapes[cause]), times: 1,
      length: instant - since, energy: energy)
  }

  /// Adds the waiting priced events, with their cause, to the lane and to the accounts.
  mutating func flush(at instant: Instant, cause: Int, _ accounts: inout EnergyAccounts, _ causes: CauseTable)
  {
    for done in waiting {
      let energy = manifest.events[done.event].energy * Int64(done.count)
      events.append(
        LaneSpan(
          start: instant, end: instant, kind: done.event, cause: cause, energy: energy, count: done.count))
      accounts.add(
        EnergyAccounts.Key(device: place, kind: -1 - done.event, shape: causes.shapes[cause]),
        times: done.count, length: .zero, energy: energy)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Records delivered positions. A position that is not newer than the last recorded position is skipped,
  /// for example because another client received it before.
  mutating func ingest(_ batch: Batch, at instant: Instant) {
    for sample in batch.samples where latestFix.map({ sample.instant > $0 }) ?? true {
      latestFix = sample.instant
      guard let position = Coordinate(latitude: sample.first, longitude: sample.second) else { continue }
      let radius: Double? =
        switch accuracyChannel {
        case 2: sample.third
        case 3: sample.fourth
        default: nil
        }
      fixes.append(
        RunTimeline.Fix(
          instant: sample.instant, delivered: instant, position: position,
          radius: radius.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }, device: place))
    }
  }

  func lane() -> RunTimeline.DeviceLane {
    RunTimeline.DeviceLane(
      device: id, title: manifest.title, states: manifest.states, events: manifest.events,
      spans: spans.finished, occurrences: events.finished, wakes: wakes.finished, fixes: fixes)
  }
}
