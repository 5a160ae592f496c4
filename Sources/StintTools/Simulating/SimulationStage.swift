package import StintDaemon
import StintFormats
package import StintJournal
package import StintLanguage
package import StintModel
package import StintPluginHost
import StintPluginKit
package import StintRuntime
package import StintSimulation
package import StintUnits

/// A scenario with its world and devices, before the run begins.
package struct SimulationStage: Sendable {
  package var scenario: Scenario
  /// The simulated world.
  package let world: any WorldSource
  /// The power figures of the simulated devices.
  package let profile: DeviceProfile
  /// Recorded accelerations for the accelerometer; nil to derive them from the world.
  let motion: MotionRecording?
  package let vocabulary: Vocabulary
  package let journalWorld: JournalWorld

  package var end: Instant { scenario.start + scenario.duration }

  /// Finds a scenario by name or path. A track, recorded motion or a time zone replaces the corresponding
  /// part of the scenario.
  ///
  /// The run is as long as the track. Without a track, the run is as long as the recorded motion. Without a
  /// track and a recording, the run is as long as the scenario.
  ///
  /// - Parameter devices: the devices of a site, of a manifest folder, or of both; nil for the phone alone.
  ///   The devices of a site replace those of the phone, and the clients of the site are added. The devices
  ///   of a folder are added.
  package init(
    scenario name: String, trace: String?, motion: String? = nil, timeZone: String?, seed: UInt64,
    profile chosen: String? = nil, openSky: Bool = false, devices chosenDevices: PolicyDevices? = nil,
    changing change: (inout Scenario) throws -> Void = { _ in }
  ) throws {
    var (scenario, text) = try ScenarioFiles.find(name)
    if let script = chosenDevices?.script {
      scenario.clients += script.clients
      scenario.changes += script.changes
    }
    scenario.declares += chosenDevices?.declared ?? []
    try change(&scenario)
    let recording = try motion.map { path throws(Problem) in try MotionFiles.recording(path) }
    if let recording { scenario.duration = recording.duration }
    if let timeZone { scenario.timeZone = try TimeZoneRules(option: timeZone) }
    if let trace {
      let track = try TraceFiles.world(trace, start: scenario.start, openSky: openSky)
      scenario.duration = track.duration
      world = track
    } else {
      world = LegWorld(scenario, seed: seed)
    }
    self.scenario = scenario
    self.motion = recording
    let profile: DeviceProfile
    profile = try DeviceProfile(named: chosen ?? scenario.profile ?? DeviceProfile.reference.name)
    let phone = ReferencePhone(scenario, world: world, seed: seed, meter: EnergyMeter(), profile: profile)
    var devices = try phone.linkedDevices().map {
      PolicyDevices.Device(manifest: $0.plugin.manifest, text: $0.manifestText)
    }
    if let chosenDevices { devices = chosenDevices.simulated(phone: devices) }
    self.profile = profile
    let manifests = devices.map(\.manifest)
    vocabulary = Vocabulary(manifests: manifests, declared: scenario.declares)
    if let conflict = vocabulary.unitConflict { throw conflict }
    journalWorld = JournalWorld(
      manifests: devices.map(\.text),
      // The text of the scenario lacks the facts of a site, without which a replay cannot read the policies.
      scenario: chosenDevices?.declared.isEmpty ?? true ? text : DeclaredFacts.journalText(scenario.declares),
      seed: seed,
      timeZone: scenario.timeZone)
    // Makes the plugins once, so that invalid scripted values are reported before the run.
    if !scenario.values.isEmpty { _ = try phone.plugins(for: manifests) }
    try ScriptSource.check(
      scenario.script, naming: scenario.faults.filter(\.kind.strikesDevice).map(\.device), vocabulary,
      place: name)
  }

  /// Returns new plugins for one run.
  package func plugins(meter: EnergyMeter, seed: UInt64) throws(Problem) -> PluginSet {
    let phone = ReferencePhone(
      scenario, world: world, seed: seed, meter: meter, profile: profile, motion: motion)
    return try PluginSet(phone.plugins(for: vocabulary.manifests))
  }

  /// Returns 24 positions of the phone at equal intervals, in order of time.
  package func places() throws(Problem) -> [Coordinate] {
    try Self.places(of: scenario, in: world)
  }

  /// Returns `count` positions of a scenario's phone at equal intervals, in `world`. A nil `world` means the
  /// world that the scenario's legs describe.
  package static func places(
    of scenario: Scenario, in world: (any WorldSource)? = nil, _ count: Int = 24
  ) throws(Problem) -> [Coordinate] {
    var view = try (world ?? LegWorld(scenario, seed: 1)).makeView()
    let step = TimeSpan(nanoseconds: scenario.duration.nanoseconds / Int64(count))
    return (0..<count).map { view.state(at: scenario.start + step * Int64($0)).position }
  }

  /// Returns the filter that injects the scenario's faults between plugins and host; nil without faults.
  ///
  /// - Parameter room: the switch that simulates a full disk for the run's writers.
  package func faults(_ plugins: PluginSet, seed: UInt64, room: DiskFullSwitch) -> FaultFilter? {
    FaultFilter(scenario.faults, manifests: plugins.manifests, start: scenario.start, seed: seed) {
      room.isFull = $0
    }
  }

  /// Reads, checks and compiles policies, or loads an image. An empty list of paths is valid.
  package func load(policies paths: [String]) throws -> PolicyLoader.Loaded {
    try PolicyTexts(vocabulary).load(policies: paths)
  }

  /// Checks and compiles policies. An empty list is valid.
  package func load(_ sources: [SourceText]) throws -> PolicyLoader.Loaded {
    try PolicyTexts(vocabulary).load(sources)
  }

  /// Returns the phone as the devices of a daemon.
  ///
  /// - Parameter meter: the meter of the battery; the observer of the run updates it.
  package func setup(meter: EnergyMeter, seed: UInt64) -> DaemonSetup {
    DaemonSetup(
      name: scenario.name, phone: DaemonPhone(stage: self, meter: meter, seed: seed), vocabulary: vocabulary,
      journalWorld: journalWorld, script: scenario.script, declares: scenario.declares,
      timeZone: scenario.timeZone)
  }
}

private struct DaemonPhone: SimulatedDevices {
  let stage: SimulationStage
  let meter: EnergyMeter
  let seed: UInt64

  func plugins() throws(Problem) -> PluginSet { try stage.plugins(meter: meter, seed: seed) }

  func filter(_ plugins: PluginSet, disk: DiskFullSwitch) -> (any PortFilter)? {
    stage.faults(plugins, seed: seed, room: disk)
  }
}
