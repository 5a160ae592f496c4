import StintModel
import StintUnits

/// The figures of a receiver, as its manifest gives them.
struct GNSSFigures {
  let off: Int
  let standby: Int
  let search: Int
  let track: Int
  let coldFix: TimeSpan
  let hotFix: TimeSpan
  /// How long it can be off and still find its position fast.
  let memory: TimeSpan
  let cyclingFrom: TimeSpan
  /// Whether it rests off or in standby between two fixes; by what its manifest says they cost.
  let choice: RestChoice?
  /// The shortest time between two fixes, which is also the default.
  let period: TimeSpan
  /// Fixes come at whole multiples of this after the first, as soon as a period has passed since the last; nil where
  /// they come at whole periods after the first.
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
    memory = setup.span("memory")
    cyclingFrom = setup.span("cycling_from")
    choice = RestChoice(setup.manifest)
    period = setup.span("fastest_fix")
    grid = setup.manifest.figures["grid"]?.timeSpan
    openRadius = setup.manifest.figures["radius_open"]?.value ?? 5
    streetRadius = setup.manifest.figures["radius_street"]?.value ?? 25
  }
}
