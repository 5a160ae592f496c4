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
  /// True when the cause must be computed again, because demands on the device or their grants changed.
  var needsNewCause = true
  var setting = Setting.off
  /// The cause of the present power, kept through a linger. Nil while the device is off, except for a radio,
  /// which keeps its last cause.
  var cause: Cause?
  /// The parts of the energy that the demands of `cause` pay.
  var division = EnergyDivision()
  /// The value of `isDemanded` that the rules received last.
  var wasDemanded = false
  /// True from a fault of the device until the device delivers or reports a state.
  var hasFault = false
  /// The faults of the device, kept after the device works again.
  var faults = FaultHistory()
  /// The number of instants at which an event contradicted an assumption of the wake-up bound.
  var brokenAssumptions = 0
  /// The last instant that `brokenAssumptions` counts, or the instant of the first load of policies. A
  /// further event at this instant is not counted.
  var assumptionsBroken = Instant(nanoseconds: .min)
  /// The instant at which the device is switched off because no demand needs it; nil without a linger.
  var lingerUntil: Instant?

  /// The index of the power state that the device reported last.
  var state: Int
  /// The sampling period that the device reported together with `state`; nil when it reported no period.
  var period: TimeSpan?
  /// The demands of the held samples that the device must deliver, because one of these demands or its hold
  /// ended. Empty after the delivery. The wake-up for this delivery is charged to these demands, even to
  /// those that have ended.
  var drained: [Cause.Link] = []
  /// The last delivery that caused no wake-up, because the processor was already awake; nil before the first
  /// such delivery.
  var lastPiggyback: PiggybackRecord?

  init(_ model: DeviceModel) {
    self.model = model
    isAvailable = model.kind != .source
    state = model.manifest.initial
  }

  var manifest: Manifest { model.manifest }

  /// The facts that the governor publishes for the device.
  var ownFacts: [Int] { [model.onFact, model.stateFact, model.availableFact].compactMap(\.self) }

  /// True when the manifest marks the reported state as on. The power of all other states is floor power.
  @inline(__always) var isOn: Bool {
    model.manifest.states.indices.contains(state) && model.manifest.states[state].isOn
  }

  /// True when the device is the named device of a demand. For a sensor, also true while it lingers, or while
  /// it is on for a demand that names another device.
  @inline(__always) var isDemanded: Bool {
    !requested.isEmpty || (model.kind == .sensor && cause != nil && (setting.isOn || isOn))
  }

  /// The load that the energy meter charges when the open interval of the device ends.
  @inline(__always) var load: EnergyMeter.Load {
    EnergyMeter.Load(
      device: model.manifest.device, power: power, isOn: isOn, cause: cause, division: division,
      basis: division.isEven ? .common : basis)
  }

  /// The composition of the present power.
  private var basis: EnergyDivision.Basis {
    guard isOn else { return .common }
    let state = model.manifest.states[state].power
    return EnergyDivision.Basis(of: power, state: state, attributes: attributePower)
  }

  /// The present power.
  @inline(__always) var power: Power {
    guard model.manifest.states.indices.contains(state) else { return .zero }
    let power = model.manifest.states[state].power(at: period)
    return isOn ? power + attributePower : power
  }

  /// The power that the attributes of the setting add.
  private var attributePower: Power {
    setting.attributes.isEmpty ? .zero : model.manifest.power(of: setting.attributes)
  }
}
