/// What came of putting policies in force.
public struct Reload: Sendable {
  /// What is to be done now.
  public var effects: [Effect]
  let machines: [ReplacedMachine]
  let computed: [ReloadReport.Entry]
  /// The governor as it was, let go of with the rest of this: freeing it takes longer than a step may wait.
  var replaced: [Governor] = []

  /// What became of each piece of state; worked out when it is asked for, so that no step waits for it.
  public var report: ReloadReport {
    ReloadReport(entries: machines.flatMap(\.entries) + computed)
  }
}
