import StintFormats
public import StintModel
public import StintPluginKit
import StintServices
public import StintUnits

/// The phone that all scenarios share. Its devices are ordinary plugins in a world, with the power figures of
/// a profile.
public struct ReferencePhone: Sendable {
  private let world: any WorldSource
  private let seed: UInt64
  private let start: Instant
  private let faults: [InjectedFault]
  private let changes: [FactChange]
  private let values: [ScriptedValue]
  private let levels: [(at: Instant, level: Double)]
  private let devices: [DeviceID]?
  private let profile: DeviceProfile
  private let beacons: [PlacedBeacon]
  private let meter: EnergyMeter
  private let motion: MotionRecording?
  /// True when no simulation publishes the facts of the scenario, so the devices publish them.
  private var publishesFacts = false

  /// Makes the phone of a scenario, for a simulation that publishes the facts of the scenario.
  ///
  /// - Parameters:
  ///   - world: the world around the phone; nil for the legs of the scenario.
  ///   - seed: determines all random values.
  ///   - profile: the source of the devices' power figures.
  ///   - meter: receives the ledger's total from the driver; the battery reads this total.
  ///   - motion: the recording that the accelerometer measures; nil for synthesized motion.
  public init(
    _ scenario: Scenario, world: (any WorldSource)? = nil, seed: UInt64, meter: EnergyMeter,
    profile: DeviceProfile = .reference, motion: MotionRecording? = nil
  ) {
    self.world = world ?? LegWorld(scenario, seed: seed)
    self.seed = seed
    self.start = scenario.start
    self.faults = scenario.faults
    self.changes = scenario.changes
    self.values = scenario.values
    self.devices = scenario.devices
    self.beacons = scenario.beacons
    self.levels = Self.levels(of: scenario)
    self.meter = meter
    self.motion = motion
    self.profile = profile
  }

  /// Makes the phone of a scenario, for tests of an app.
  ///
  /// - Parameters:
  ///   - name: the name of a built-in scenario, or the path of a scenario file, which ends with `.json`.
  ///   - seed: determines all random values.
  /// - Throws: a problem when no built-in scenario has this name, or a problem of the scenario file.
  public init(scenario name: String, seed: UInt64 = 1) throws(Problem) {
    let scenario =
      name.hasSuffix(".json")
      ? try ScenarioReader.scenario(path: name, requests: .all)
      : try BuiltInScenarios.scenario(named: name)
    self.init(scenario, seed: seed, meter: EnergyMeter())
    publishesFacts = true
  }

  /// The time since 1970 at which the scenario begins, for the virtual clock of a bus.
  public var clockStart: Duration { .nanoseconds(start.nanoseconds) }

  /// The names of optional devices, sorted. The phone has such a device only when the scenario lists it. The
  /// phone also has `radio.ble` when the scenario contains beacons and no list of devices.
  public static let optionalDeviceNames: [DeviceID] = [
    "motion.fused", "motion.gyro", "motion.magnetometer", "radio.ble",
  ]

  /// The names of the default devices, sorted. A scenario that names no devices has these devices.
  public static let deviceNames: [DeviceID] = [
    "host.app", "host.processor", "location.cell", "location.gnss", "location.wifi", "motion.accelerometer",
    "power.battery", "radio.cellular", "radio.wifi",
  ]

  /// Returns the manifests of the default devices, sorted by device.
  ///
  /// - Throws: a problem when a manifest cannot be read. A test reads all shipped files, so they never cause
  ///   this problem.
  public static func manifests() throws(Problem) -> [Manifest] {
    try readManifests.get()
  }

  /// The manifests are read only once, because their texts are part of the program and never change.
  private static let readManifests = Result { () throws(Problem) in try DeviceProfile.reference.manifests() }

  /// Returns the manifest of a default or optional device; nil when the phone has no such device.
  public static func manifest(_ device: DeviceID) -> Manifest? {
    do throws(Problem) { return try BuiltInFiles.manifest(device) } catch { return nil }
  }

  /// Returns the JSON text of a device's manifest; empty when the phone has no such device.
  public static func manifestText(_ device: DeviceID) -> String {
    optionalDeviceNames.contains(device)
      ? String(decoding: BuiltInFiles.manifests[device] ?? [], as: UTF8.self)
      : DeviceProfile.reference.manifestText(device)
  }

  /// Makes plugins for the scenario's devices, sorted by device. Each run needs its own plugins.
  ///
  /// - Throws: a problem when the phone lacks a device of the scenario, or when the world cannot be opened.
  public func plugins() throws(Problem) -> [any DevicePlugin] {
    let wanted = (devices ?? profile.devices + (beacons.isEmpty ? [] : ["radio.ble"])).sorted()
    var plugins: [any DevicePlugin] = []
    for device in wanted {
      guard profile.devices.contains(device) || Self.optionalDeviceNames.contains(device) else {
        throw unknown(device)
      }
      plugins.append(try plugin(for: device))
    }
    return plugins
  }

  /// Makes one plugin for each manifest. For a manifest that equals a manifest of the phone, this is the
  /// plugin of the phone. For any other manifest, and for a device with `values` in the scenario, the plugin
  /// simulates the behaviour that the manifest describes. Each run needs its own plugins.
  ///
  /// - Throws: a problem when the world cannot be opened or a file of `values` cannot be read. The function
  ///   also throws when a name in `values` is not that of a fact or channel of a sensor or source, or when a
  ///   value does not fit its fact or channel.
  public func plugins(for manifests: [Manifest]) throws(Problem) -> [any DevicePlugin] {
    let values = try values(by: manifests)
    var plugins: [any DevicePlugin] = []
    for manifest in manifests {
      let device = manifest.device
      let isOwn = profile.devices.contains(device) || Self.optionalDeviceNames.contains(device)
      if isOwn, values[device] == nil {
        // The manifest of a scanner contains the facts of the scenario's beacons.
        let own = try plugin(for: device)
        if own.manifest == manifest {
          plugins.append(own)
          continue
        }
      }
      let setup = DeviceSetup(
        manifest: manifest, view: try view(), noise: Noise(seed: seed, device: device),
        dropout: DropoutFault(faults, device: device, start: start))
      let script = try DeviceScript(
        manifest, start: start, changes: changes, values: values[device] ?? [], seed: seed)
      switch manifest.kind {
      case .sensor: plugins.append(ManifestSensor(setup, script))
      case .radio: plugins.append(CellularRadio(setup))
      case .processor where Processor.supports(manifest): plugins.append(Processor(setup))
      case .processor, .source: plugins.append(ManifestSource(setup, script))
      }
    }
    return plugins
  }

  /// Returns the values of the scenario by device.
  private func values(by manifests: [Manifest]) throws(Problem) -> [DeviceID: [ScriptedValue]] {
    let measuring = manifests.filter { $0.kind == .sensor || $0.kind == .source }
    var byDevice: [DeviceID: [ScriptedValue]] = [:]
    for value in values {
      // Several devices may publish one fact, such as two batteries; the values apply to all of them.
      let owners = measuring.filter { DeviceScript.hasValue(value.path, $0) }
      guard !owners.isEmpty else {
        throw Problem(
          .unknownName, place: Problem.Place("scenario", part: "values"),
          cause: "“\(value.path)” is not a fact or channel of a simulated sensor or source",
          remedy: "write the path of a fact, or DEVICE.CHANNEL; the devices are "
            + measuring.map(\.device.path).joined(separator: ", "))
      }
      for owner in owners { byDevice[owner.device, default: []].append(value) }
    }
    return byDevice
  }

  private func ownManifest(_ device: DeviceID) throws(Problem) -> Manifest {
    try Self.optionalDeviceNames.contains(device)
      ? BuiltInFiles.manifest(device) : profile.manifest(device)
  }

  /// Makes plugins as `plugins()` does, each with the text of its manifest. A bus with a journal or a state
  /// file needs these texts.
  ///
  /// - Throws: the problem of `plugins()`.
  public func linkedDevices() throws(Problem) -> [LinkedPlugin.Device] {
    var linked: [LinkedPlugin.Device] = []
    for plugin in try plugins() {
      let device = plugin.manifest.device
      var text = manifestText(of: device)
      if device == "radio.ble" { text = try BeaconScanner.manifestText(text, beacons) }
      linked.append(LinkedPlugin.Device(plugin, manifestText: text))
    }
    return linked
  }

  private func manifestText(of device: DeviceID) -> String {
    Self.optionalDeviceNames.contains(device) ? Self.manifestText(device) : profile.manifestText(device)
  }

  private func plugin(for device: DeviceID) throws(Problem) -> any DevicePlugin {
    var setup = DeviceSetup(
      manifest: try ownManifest(device),
      view: try view(),
      noise: Noise(seed: seed, device: device),
      dropout: DropoutFault(faults, device: device, start: start))
    switch device {
    case "location.gnss": return GNSSReceiver(setup)
    case "location.wifi": return LookupPositioning(setup, lookup: "scan")
    case "location.cell": return LookupPositioning(setup, lookup: "lookup")
    case "motion.accelerometer":
      setup.recorded = try recordedMotion()
      return Accelerometer(setup)
    case "radio.ble": return BeaconScanner(setup, beacons: beacons)
    case "motion.gyro": return InertialSensor(setup, .rotation)
    case "motion.magnetometer": return InertialSensor(setup, .magneticField)
    case "motion.fused": return InertialSensor(setup, .fused)
    case "radio.cellular": return CellularRadio(setup)
    case "radio.wifi": return WiFiRadio(setup)
    case "host.processor": return Processor(setup)
    case "power.battery":
      return Battery(
        setup, meter: meter, levels: levels, facts: facts(of: setup.manifest, except: "battery.level"))
    default: return HostApp(setup, facts(of: setup.manifest, except: "app.state"))
    }
  }

  /// Returns the facts of the scenario that a device publishes itself, without the fact `path`.
  private func facts(of manifest: Manifest, except path: String) -> ScenarioFacts {
    guard publishesFacts else { return ScenarioFacts(manifest, start: start, changes: []) }
    var manifest = manifest
    manifest.facts.removeAll { $0.path == path }
    return ScenarioFacts(manifest, start: start, changes: changes)
  }

  private func view() throws(Problem) -> any WorldView {
    try world.makeView()
  }

  private func recordedMotion() throws(Problem) -> RecordedMotion? {
    guard let motion else { return nil }
    return try RecordedMotion(motion, start: start)
  }

  private func unknown(_ device: DeviceID) -> Problem {
    Problem(
      .unknownName, place: Problem.Place("scenario", part: "devices"),
      cause: "the phone has no device “\(device)”",
      remedy:
        "use one of: \((profile.devices + Self.optionalDeviceNames).map(\.path).joined(separator: ", "))")
  }

  private static func levels(of scenario: Scenario) -> [(at: Instant, level: Double)] {
    let schema = FactSchema(path: "battery.level", type: .quantity(.ratio))
    let assignments = scenario.changes.flatMap { change in
      change.values.filter { $0.path == schema.path }.map { (at: change.at, text: $0.text) }
    }
    return assignments.compactMap { entry in
      guard case .number(let level)? = schema.value(from: entry.text) else { return nil }
      return (scenario.start + entry.at, level)
    }.sorted { $0.at < $1.at }
  }
}
