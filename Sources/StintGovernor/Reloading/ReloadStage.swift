/// The stages of a reload. After each stage, the reload can still fail; the governor is then unchanged.
public enum ReloadStage: Int, CaseIterable, Sendable {
  /// The program fits the devices.
  case validated
  /// The computed facts of the program have indexes, values and meters.
  case derivedReady
  /// The shared rule VM has the state of the former shared VM.
  case migrated
  /// The per-demand rule VMs have the state of the former per-demand VMs.
  case perDemandMigrated
  /// The demands that the new rules raise are matched with the existing demands.
  case joined
  /// All decisions are made; the effects are not returned yet.
  case decided
}
