import StintFormats
package import StintJournal
package import StintLanguage
package import StintModel
package import StintPluginHost
package import StintPluginKit
package import StintRuntime
package import StintSimulation
package import StintUnits

/// A scenario with its world and devices, or a site with its plugins, before the run begins.
package struct SimulationStage: Sendable {
  package var scenario: Scenario
  /// The simulated world; nil on real hardware.
  package let world: (any WorldSource)?
  /// The devices of a site; nil for a simulated phone.
  let site: SiteDevices?
  /// The power figures of the simulated devices; nil on a site.
  package let profile: DeviceProfile?
  /// Recorded accelerations for the accelerometer; nil to derive them from the world.
  let motion: MotionRecording?
  package let vocabulary: Vocabulary
  package let journalWorld: JournalWorld
  /// The name of the time zone; nil for the scenario's own.
  let zoneName: String?

  package var end: Instant { scenario.start + scenario.duration }

  /// Finds a scenario by name or path. A track, recorded motion or a time zone replaces the corresponding
  /// part of the scenario.
  ///
  /// The run is as long as the track. Without a track it is as long as the recorded motion, and without both
  /// as long as the scenario.
  package init(
    scenario name: String, trace: String?, motion: String? = nil, timeZone: String?, seed: UInt64,
    profile chosen: String? = nil, openSky: Bool = false,
    changing change: (inout Scenario) throws -> Void = { _ in }
  ) throws {
    var (scenario, text) = try ScenarioFiles.find(name)
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
    site = nil
    zoneName = timeZone
    let manifests: [Manifest]
    let profile: DeviceProfile
    profile = try DeviceProfile(named: chosen ?? scenario.profile ?? DeviceProfile.reference.name)
    let phone = ReferencePhone(scenario, world: world, seed: seed, meter: EnergyMeter(), profile: profile)
    manifests = try phone.plugins().map(\.manifest)
    self.profile = profile
    vocabulary = Vocabulary(manifests: manifests, declared: scenario.declares)
    journalWorld = JournalWorld(
      manifests: manifests.map { profile.manifestText($0.device) }, scenario: text, seed: seed,
      timeZone: scenario.timeZone)
    try Self.check(scenario, vocabulary, place: name)
  }

  /// Creates the devices of a site file; the run's clock starts now. Plugins in separate processes use the
  /// loop.
  package init(site path: String, timeZone: String?, linked: [LinkedPlugin], loop: LoopExecutor) throws {
    let (site, processes) = try SiteFiles.read(path, linked: linked)
    let rules: TimeZoneRules
    let zone = timeZone ?? site.timeZone ?? "host"
    do throws(Problem) {
      rules = try TimeZoneChoice.rules(zone)
    } catch {
      let place = timeZone == nil && site.timeZone != nil ? "\(path): time_zone" : "--time-zone"
      throw Problem(.content, place: place, cause: "“\(zone)”: \(error.cause)", remedy: error.remedy)
    }
    let devices = try SiteDevices(
      site, path: path, linked: linked, processes: processes, loop: loop, timeZone: rules)
    scenario = site.scenario(start: devices.clock.clock.start, timeZone: rules)
    zoneName = zone
    world = nil
    self.site = devices
    profile = nil
    motion = nil
    vocabulary = Vocabulary(manifests: devices.plugins.map(\.manifest), declared: site.declares)
    journalWorld = JournalWorld(
      manifests: devices.manifestTexts, scenario: site.journalText, seed: 0, timeZone: rules)
    try Self.check(scenario, vocabulary, place: path)
  }

  private static func check(
    _ scenario: Scenario, _ vocabulary: Vocabulary, place: String
  ) throws(Problem) {
    let problems = ScenarioSource.problems(of: scenario, vocabulary: vocabulary)
    guard problems.isEmpty else {
      let nextStep =
        if problems.contains(where: { $0.hasPrefix("no device") }) {
          "the devices are \(vocabulary.manifests.map(\.device.path).joined(separator: ", "))"
        } else if problems.contains(where: { $0.hasPrefix("unknown fact") }) {
          "add each fact that clients publish to “declares”"
        } else {
          "correct the file"
        }
      throw Problem(.content, place: place, cause: problems.joined(separator: "; "), remedy: nextStep)
    }
  }

  /// Returns new plugins for one run. On a site, returns the existing plugins.
  package func plugins(
    meter: EnergyMeter, seed: UInt64, onReady: (@Sendable (Int) -> Void)? = nil
  ) throws(Problem) -> PluginSet {
    if let site {
      do { return try PluginSet(site.plugins, onReady: onReady) } catch { throw error.at(site.path) }
    }
    guard let world, let profile else { preconditionFailure("a simulated phone needs a world") }
    let phone = ReferencePhone(
      scenario, world: world, seed: seed, meter: meter, profile: profile, motion: motion)
    return try PluginSet(phone.plugins())
  }

  /// Returns the phone's positions at regular times, in order.
  package func places() throws(Problem) -> [Coordinate] {
    try Self.places(of: scenario, in: world ?? LegWorld(scenario, seed: 1))
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
  /// - Parameter room: the free space of the disk that the run writes to.
  package func faults(_ plugins: PluginSet, seed: UInt64, room: SimulatedDisk) -> FaultFilter? {
    FaultFilter(scenario.faults, manifests: plugins.manifests, start: scenario.start, seed: seed) {
      room.isFull = $0
    }
  }

  /// Reads, checks and compiles policies, or loads an image. An empty list of paths is valid.
  package func load(policies paths: [String]) throws -> PolicyLoader.Loaded {
    if let bytes = try PolicyImages.bytes(paths) {
      do { return try PolicyLoader(vocabulary: vocabulary).load(image: bytes) } catch {
        throw error.at(paths[0])
      }
    }
    return try load(try PolicyFiles.read(paths))
  }

  /// Returns the texts of policies, from policy files or from an image.
  package func sources(of paths: [String]) throws -> [SourceText] {
    try PolicyImages.bytes(paths) == nil ? PolicyFiles.read(paths) : load(policies: paths).sources
  }

  /// Checks and compiles policies. An empty list is valid.
  package func load(_ sources: [SourceText]) throws -> PolicyLoader.Loaded {
    guard !sources.isEmpty else { return .none }
    let loaded = PolicyLoader(vocabulary: vocabulary).load(sources)
    guard loaded.program != nil else {
      throw PolicyRefusal(check: PolicyCheck(sources, vocabulary: vocabulary))
    }
    return loaded
  }
}

extension PolicyLoader.Loaded {
  /// The texts in the form that journals store.
  package var journalPolicies: [JournalPolicy] { sources.map { JournalPolicy(file: $0.file, text: $0.text) } }
}
