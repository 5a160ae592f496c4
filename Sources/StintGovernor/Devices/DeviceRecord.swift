import StintModel
import StintUnits

/// What the governor keeps of one device.
struct DeviceRecord: Sendable {
  let model: DeviceModel
  var isAvailable: Bool
  /// Demands that ask for this device, by id.
  var requested: [DemandSlot] = []
  /// Demands that this device serves, by id.
  var served: [DemandSlot] = []
  /// Whether its cause is made again: it serves other demands than when it was made, or grants them something else.
  var hasNews = true
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
  /// When it goes off because no demand needs it.
  var lingerUntil: Instant?

  /// The power state it reported last.
  var state: Int
  var period: TimeSpan?
  /// When it rode along last.
  var lastPiggyback: PiggybackRecord?

  init(_ model: DeviceModel) {
    self.model = model
    isAvailable = model.kind != .source
    state = model.manifest.initial
  }

  var manifest: Manifest { model.manifest }

  /// The facts that the governor itself publishes of the device.
  var ownFacts: [Int] { [model.onFact, model.stateFact, model.availableFact].compactMap(\.self) }

  /// Whether the state it reported draws more than the floor.
  @inline(__always) var isOn: Bool {
    model.manifest.states.indices.contains(state) && model.manifest.states[state].isOn
  }

  /// Whether a demand asks for it, or it is on for one: it serves a demand on another device, or lingers.
  @inline(__always) var isDemanded: Bool {
    !requested.isEmpty || (model.kind == .sensor && cause != nil && (setting.isOn || isOn))
  }

  /// What the energy meter books when its open interval ends.
  @inline(__always) var load: EnergyMeter.Load {
    EnergyMeter.Load(device: model.manifest.device, power: power, isOn: isOn, cause: cause)
  }

  /// What it draws now.
  @inline(__always) var power: Power {
    model.manifest.states.indices.contains(state) ? model.manifest.states[state].power(at: period) : .zero
  }
}
