import StintModel
import StintUnits

/// The state of one device in the governor.
struct DeviceRecord: Sendable {
  let model: DeviceModel
  var isAvailable: Bool
  /// The demands that name this device, sorted by id.
  var requested: [DemandSlot] = []
  /// The demands that this device serves, sorted by id.
  var served: [DemandSlot] = []
  /// True when its cause must be computed again, because its demands or their grants changed.
  var hasNews = true
  var setting = Setting.off
  /// The cause of its present power; kept through linger and tail, nil at floor power.
  var cause: Cause?
  /// The value of `isDemanded` that the rules received last.
  var wasDemanded = false
  /// True when its last report was a fault.
  var hasFault = false
  /// The text of its last fault, and the number of faults; kept after it works again.
  var lastFault: String?
  var faults = 0
  /// The instant at which it is switched off because no demand needs it.
  var lingerUntil: Instant?

  /// The index of the power state that it reported last.
  var state: Int
  var period: TimeSpan?
  /// The last delivery that piggybacked on a wake-up; nil before the first.
  var lastPiggyback: PiggybackRecord?

  init(_ model: DeviceModel) {
    self.model = model
    isAvailable = model.kind != .source
    state = model.manifest.initial
  }

  var manifest: Manifest { model.manifest }

  /// The facts that the governor publishes for the device.
  var ownFacts: [Int] { [model.onFact, model.stateFact, model.availableFact].compactMap(\.self) }

  /// True when the reported state has more than floor power.
  @inline(__always) var isOn: Bool {
    model.manifest.states.indices.contains(state) && model.manifest.states[state].isOn
  }

  /// True when a demand names the device, or when it is on for a demand on another device or lingers.
  @inline(__always) var isDemanded: Bool {
    !requested.isEmpty || (model.kind == .sensor && cause != nil && (setting.isOn || isOn))
  }

  /// The load that the energy meter books when its open interval ends.
  @inline(__always) var load: EnergyMeter.Load {
    EnergyMeter.Load(device: model.manifest.device, power: power, isOn: isOn, cause: cause)
  }

  /// The present power.
  @inline(__always) var power: Power {
    model.manifest.states.indices.contains(state) ? model.manifest.states[state].power(at: period) : .zero
  }
}
