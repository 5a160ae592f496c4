import StintPluginHost
import StintPluginKit
import StintServices

/// What the queues of a host dropped or refused since it was made, because they were full.
public struct HostDropCounts: Hashable, Sendable {
  /// Calls that were refused because too many waited.
  public var refusedCalls = 0
  /// Reports of devices, dated furthest into the future, that found no room.
  public var droppedReports = 0
  /// Notices for clients that are away, or that wait for the disk.
  public var droppedNotices = 0
  /// Events of devices that found no room at their ports.
  public var droppedEvents = 0

  /// One line for people; nil where nothing was lost.
  public var text: String? {
    let parts = [
      (refusedCalls, "calls refused"), (droppedReports, "reports of devices"),
      (droppedNotices, "notices for clients"), (droppedEvents, "events at ports"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension Host {
  /// What was dropped or refused at each queue until now.
  public var lossCounts: HostDropCounts {
    var counts = losses
    counts.droppedNotices = services.droppedNotices
    counts.droppedEvents = ports.reduce(0) { $0 + $1.dropped }
    return counts
  }
}
