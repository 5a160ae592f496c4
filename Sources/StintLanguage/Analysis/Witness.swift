public import StintModel
public import StintUnits

/// Values of facts for which something comes about; facts that it does not name may be anything.
///
/// To bring it about: let `earlier` stand long enough for everything to settle, then publish `readings`, and
/// wait for `held`. Where `isFresh`, the policies must be loaded at the moment at which `readings` are
/// published. Facts that grow too old are published again in time, except those that `silent` names.
public struct Witness: Hashable, Sendable {
  /// A fact and its value.
  public struct Reading: Hashable, Sendable {
    public var path: String
    public var value: FactValue

    /// Makes a reading.
    public init(path: String, value: FactValue) {
      self.path = path
      self.value = value
    }
  }

  /// Whether a device is demanded.
  public struct DemandAssumption: Hashable, Sendable {
    public var device: DeviceID
    public var isDemanded: Bool

    /// Says it of a device.
    public init(device: DeviceID, isDemanded: Bool) {
      self.device = device
      self.isDemanded = isDemanded
    }
  }

  public var readings: [Reading]
  public var demands: [DemandAssumption]
  /// How long all of that has stood.
  public var held: TimeSpan
  /// What stood for long before; nothing where `isFresh`.
  public var earlier: [Reading]
  public var earlierDemands: [DemandAssumption]
  public var isFresh: Bool
  /// The local time then, since Monday midnight; nil where it does not matter.
  public var weekTime: TimeSpan?
  /// Facts that were published once and not again, sorted.
  public var silent: [String]

  /// Makes a witness.
  public init(
    readings: [Reading], demands: [DemandAssumption] = [], held: TimeSpan = .zero, earlier: [Reading] = [],
    earlierDemands: [DemandAssumption] = [], isFresh: Bool = true, weekTime: TimeSpan? = nil,
    silent: [String] = []
  ) {
    self.readings = readings
    self.demands = demands
    self.held = held
    self.earlier = earlier
    self.earlierDemands = earlierDemands
    self.isFresh = isFresh
    self.weekTime = weekTime
    self.silent = silent
  }
}
