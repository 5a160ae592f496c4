import StintModel
import StintUnits

/// The rates at which an accelerometer can sample: any, or those of the states of its manifest that are named for them
/// (`sampling_50` for 50 Hz).
struct SamplingRates {
  private let any: Int?
  /// Slowest first.
  private let fixed: [(period: TimeSpan, state: Int)]
  /// What fetching a sample costs, where that is known.
  let drain: Int?

  init(_ setup: DeviceSetup) {
    any = setup.manifest.state(named: "sampling")
    fixed = setup.manifest.states.enumerated().compactMap { index, state in
      guard state.name.hasPrefix("sampling_"), let hertz = Int64(state.name.dropFirst(9)), hertz > 0 else {
        return nil
      }
      return (TimeSpan(nanoseconds: 1_000_000_000 / hertz), index)
    }.sorted { $0.period > $1.period }
    drain = setup.manifest.event(named: "drain")
    precondition(any != nil || !fixed.isEmpty, "an accelerometer has a state in which it samples")
  }

  /// The period at which it samples when asked for this one, never longer where it can, and the state it is in then.
  func honouring(_ wanted: TimeSpan) -> (period: TimeSpan, state: Int) {
    if let any { return (wanted, any) }
    return fixed.first { $0.period <= wanted } ?? fixed[fixed.count - 1]
  }
}
