import Synchronization

/// A switch that simulates a full disk, for tests and for the fault `disk` of scenarios. While `isFull` is
/// true, each write fails with `ENOSPC` and writes nothing. Any thread may use the switch.
public final class DiskFullSwitch: Sendable {
  private let full = Atomic<Bool>(false)

  /// Creates a switch that is off: writes succeed.
  public init() {}

  /// True while writes fail with `ENOSPC`.
  public var isFull: Bool {
    get { full.load(ordering: .relaxed) }
    set { full.store(newValue, ordering: .relaxed) }
  }
}
