import StintModel
import StintUnits

/// What the governor keeps of one device.
struct DeviceRecord: Sendable {
  let manifest: Manifest
  /// Numbers of the facts that the governor itself keeps; nil for a source.
  let onFact: Int?
  let stateFact: Int?
  let availableFact: Int?
  /// Facts of the device that the governor reads: its odometer and the accuracy of its last fix.
  let odometerFact: Int?
  let accuracyFact: Int?
  /// Devices of its ladder, itself included, cheapest first.
  let ladder: [Int]

  var isAvailable: Bool
  /// Demands that ask for this device, by id.
  var asked: [DemandID] = []
  /// Demands that this device serves, by id.
  var served: [DemandID] = []
  var setting = Setting.off
  /// Why it is on; kept through linger and tail, nil at floor power.
  var cause: Cause?
  /// Whether the machine was told last that it is demanded.
  var wasDemanded = false
  /// Whether the last that it said of itself is that it cannot do as told.
  var hasFault = false
  /// What it said last that it could not do, and how often it said such a thing; kept after it works again.
  var lastFault: String?
  var faults = 0
  /// When it goes off because nobody needs it.
  var lingerUntil: Instant?

  /// The power state it reported last.
  var state: Int
  var period: TimeSpan?
  /// When it rode along last.
  var ride: Ride?

  init(manifest: Manifest, vocabulary: Vocabulary) {
    let path = manifest.device.path
    self.manifest = manifest
    onFact = vocabulary.fact(path + ".on")
    stateFact = vocabulary.fact(path + ".state")
    availableFact = vocabulary.fact(path + ".available")
    odometerFact = vocabulary.fact(path + ".distance")
    accuracyFact = vocabulary.fact(path + ".accuracy")
    if let name = manifest.ladder?.name {
      ladder = vocabulary.manifests.indices
        .filter { vocabulary.manifests[$0].ladder?.name == name }
        .sorted { Self.rank(vocabulary.manifests[$0]) < Self.rank(vocabulary.manifests[$1]) }
    } else {
      ladder = vocabulary.device(manifest.device).map { [$0] } ?? []
    }
    isAvailable = manifest.kind != .source
    state = manifest.initial
  }

  /// The facts that the governor itself publishes of the device.
  var ownFacts: [Int] { [onFact, stateFact, availableFact].compactMap(\.self) }

  private static func rank(_ manifest: Manifest) -> Int { manifest.ladder?.rank ?? 0 }

  /// Whether the state it reported draws more than the floor.
  var isOn: Bool { manifest.states.indices.contains(state) && manifest.states[state].isOn }

  /// Whether somebody asks for it, or it is on for somebody: it serves a demand on another device, or lingers.
  var isDemanded: Bool {
    !asked.isEmpty || (manifest.kind == .sensor && cause != nil && (setting.isOn || isOn))
  }

  /// What the energy meter books when its open interval ends.
  var load: EnergyMeter.Load {
    EnergyMeter.Load(device: manifest.device, power: power, isOn: isOn, cause: cause)
  }

  /// What it draws now.
  var power: Power {
    manifest.states.indices.contains(state) ? manifest.states[state].power(at: period) : .zero
  }
}
