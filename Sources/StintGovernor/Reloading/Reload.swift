/// The result of a reload.
public struct Reload: Sendable {
  /// The effects to perform now.
  public var effects: [Effect]
  let machines: [ReplacedMachine]
  let computed: [ReloadReport.Entry]
  /// The former governor. Releasing a governor takes too long for a step. The former governor is therefore
  /// released together with this value.
  var replaced: [Governor] = []

  /// The migration report. It is computed on demand, so that no step waits for it.
  public var report: ReloadReport {
    ReloadReport(entries: machines.flatMap(\.entries) + computed)
  }
}
