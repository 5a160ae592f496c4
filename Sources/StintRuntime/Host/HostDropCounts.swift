import StintPluginHost
import StintPluginKit
import StintServices

/// The numbers of entries that the full queues of a host have dropped or rejected.
public struct HostDropCounts: Hashable, Sendable {
  /// Calls rejected because too many were waiting.
  public var refusedCalls = 0
  /// Reports of devices dropped because too many were dated in the future.
  public var droppedReports = 0
  /// Notices dropped because their client was absent, or while the notices waited for the disk.
  public var droppedNotices = 0
  /// Events of devices dropped because the queue of their port was full.
  public var droppedEvents = 0

  /// A summary in one line for people; nil when all counts are 0.
  public var text: String? {
    let parts = [
      (refusedCalls, "calls refused"), (droppedReports, "reports of devices"),
      (droppedNotices, "notices for clients"), (droppedEvents, "events at ports"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension Host {
  /// The numbers of entries dropped or rejected so far.
  public var lossCounts: HostDropCounts {
    var counts = losses
    counts.droppedNotices = services.droppedNotices
    counts.droppedEvents = ports.reduce(0) { $0 + $1.dropped }
    return counts
  }
}
