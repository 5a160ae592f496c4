public import StintModel
public import StintUnits

/// Values of facts that reproduce a finding. Facts that the witness does not name may have any value.
///
/// To reproduce the finding: keep `earlier` unchanged until all decisions have settled, publish `readings`,
/// then wait for the time `held`. When `isFresh` is true, load the policies at the moment at which `readings`
/// are published. Before a fact reaches its maximum age, publish the fact again, unless `silent` contains it.
public struct Witness: Hashable, Sendable {
  /// A fact and its value.
  public struct Reading: Hashable, Sendable {
    /// The path of the fact.
    public var path: String
    /// The value of the fact, in its base unit.
    public var value: FactValue

    /// Creates a reading.
    public init(path: String, value: FactValue) {
      self.path = path
      self.value = value
    }
  }

  /// An assumption that a device has, or does not have, a demand.
  public struct DemandAssumption: Hashable, Sendable {
    /// The device that the assumption is about.
    public var device: DeviceID
    /// True when at least one demand on the device is active.
    public var isDemanded: Bool
  }

  /// The facts to publish, each path once.
  public var readings: [Reading]
  /// The demands while `readings` are in force.
  public var demands: [DemandAssumption]
  /// The time for which `readings` and `demands` stay unchanged.
  public var held: TimeSpan
  /// The facts that were unchanged for a long time before `readings`; empty when `isFresh` is true.
  public var earlier: [Reading]
  /// The demands while `earlier` was in force.
  public var earlierDemands: [DemandAssumption]
  /// True when the policies are loaded at the moment at which `readings` are published.
  public var isFresh: Bool
  /// The local time of the finding, as the time since Monday 00:00; nil when the local time does not matter.
  public var weekTime: TimeSpan?
  /// The paths of facts that are published once and not again, sorted.
  public var silent: [String]

  /// Creates a witness.
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
