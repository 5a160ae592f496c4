/// What came of putting policies in force.
public struct Reload: Sendable {
  /// What is to be done now.
  public var effects: [Effect]
  public var report: ReloadReport
}
