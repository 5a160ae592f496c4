import StintGovernor
import StintModel
import StintRuntime
import StintUnits

/// The behaviour of a device, derived from its manifest and a journal. A what-if analysis uses it to simulate
/// the device.
struct DeviceBehavior {
  let manifest: Manifest
  /// The working state: the on-state with the longest total time. Before the first report, the on-state with
  /// the lowest power.
  private(set) var working: Int
  /// The resting state: the off-state that the device entered last.
  private(set) var resting: Int
  /// The states between rest and work, each with its duration, as last observed in the journal.
  private(set) var starting: [(state: Int, length: TimeSpan)] = []

  private var since: Instant?
  private var state: Int
  /// The on-states since the device was off, each with its duration.
  private var path: [(state: Int, length: TimeSpan)] = []
  /// The total time in each state.
  private var spent: [TimeSpan]

  init(_ manifest: Manifest) {
    self.manifest = manifest
    let on = manifest.states.indices.filter { manifest.states[$0].isOn }
    working = on.min { manifest.states[$0].power < manifest.states[$1].power } ?? manifest.initial
    resting = manifest.initial
    state = manifest.initial
    spent = Array(repeating: .zero, count: manifest.states.count)
  }

  /// Updates the behaviour from a report of the device.
  mutating func learn(_ outcome: Outcome, at instant: Instant) {
    guard case .state(let next, _) = outcome, manifest.states.indices.contains(next) else { return }
    let length = since.map { instant - $0 } ?? .zero
    spent[state] = spent[state] + length
    if manifest.states[state].isOn { path.append((state, length)) }
    if manifest.states[next].isOn {
      if !manifest.states[state].isOn { path.removeAll() }
      let on = manifest.states.indices.filter { manifest.states[$0].isOn }
      working = on.max { spent[$0] < spent[$1] } ?? working
      if next == working, !path.isEmpty { starting = path }
    } else {
      resting = next
    }
    state = next
    since = instant
  }

  /// Returns a duration from the figures of the manifest. Returns zero when the manifest does not contain
  /// the figure.
  func figure(_ name: String) -> TimeSpan {
    manifest.figures[name].flatMap { TimeSpan(seconds: $0.value) } ?? .zero
  }

  /// Returns the time in which a radio transfers this number of bytes.
  func transferTime(_ bytes: Int64) -> TimeSpan {
    guard let rate = manifest.figures["link_rate"]?.value, rate > 0 else { return .zero }
    return TimeSpan(seconds: Double(bytes) / rate) ?? .zero
  }
}
