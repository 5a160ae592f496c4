/// How far an exchange of policies has come; after each stage it can still fail as a whole.
public enum ReloadStage: Int, CaseIterable, Sendable {
  /// The program fits the devices.
  case validated
  /// What it computes has numbers, values and meters.
  case derivedReady
  /// Its machine has the state of the former one.
  case migrated
  /// The rules for demands have theirs.
  case perDemandMigrated
  /// Demands that rules raise are joined to those that stand.
  case joined
  /// Everything is decided; only the effects have not been handed out.
  case decided
}
