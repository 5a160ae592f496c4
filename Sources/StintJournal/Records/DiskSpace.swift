import Synchronization

/// Whether writers find room on the disk, to have them meet a full one: each write then ends as the system has it end,
/// with `ENOSPC` and nothing written. May be used from any thread.
public final class DiskSpace: Sendable {
  private let full = Atomic<Bool>(false)

  /// There is room.
  public init() {}

  public var isFull: Bool {
    get { full.load(ordering: .relaxed) }
    set { full.store(newValue, ordering: .relaxed) }
  }
}
