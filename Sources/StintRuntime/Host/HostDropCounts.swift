import StintGovernor
public import StintModel
import StintPluginHost
public import StintPluginKit
import StintServices
import StintUnits

/// The numbers of entries that were dropped, rejected or lost in a host.
public struct HostDropCounts: Hashable, Sendable {
  /// Calls rejected because too many were waiting.
  public var refusedCalls = 0
  /// Reports of devices dropped because too many were dated in the future.
  public var droppedReports = 0
  /// Notices dropped because their client was absent, or while the notices waited for the disk.
  public var droppedNotices = 0
  /// Events of devices dropped because the queue of their port was full.
  public var droppedEvents = 0
  /// Published values and samples dropped because they were outside the ranges of the manifest.
  public var droppedReadings = 0
  /// Held samples that a device delivered after the last of their demands had ended.
  public var unreceivedSamples = 0
  /// Held samples that were lost with the process or library that held them; an estimate.
  public var lostHeldSamples = 0

  /// A summary in one line for people; nil when all counts are 0.
  public var text: String? {
    let parts = [
      (refusedCalls, "calls refused"), (droppedReports, "reports of devices"),
      (droppedNotices, "notices for clients"), (droppedEvents, "events at ports"),
      (droppedReadings, "readings out of range"),
      (unreceivedSamples, "held samples without a demand"),
      (lostHeldSamples, "held samples lost with their plugin"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension Host {
  /// The numbers of entries dropped or rejected until now.
  public var lossCounts: HostDropCounts {
    var counts = losses
    counts.droppedNotices = services.droppedNotices
    counts.droppedEvents = ports.reduce(0) { $0 + $1.dropped }
    counts.droppedReadings = ports.reduce(0) { $0.addingSaturated($1.droppedReadings.count) }
    counts.lostHeldSamples = supervised.reduce(0) { $0.addingSaturated($1?.status.lostHeldSamples ?? 0) }
    return counts
  }

  /// The published values and samples of a device that were dropped because they were out of range.
  public func droppedReadings(of device: DeviceID) -> DroppedReadings {
    plugins.place(of: device).map { ports[$0].droppedReadings } ?? DroppedReadings()
  }

  /// Reports the first dropped value or sample of a device, and then each doubling of their number.
  func reportDroppedReadings(_ device: Int) {
    let dropped = ports[device].droppedReadings
    guard dropped.count > 0, dropped.count / 2 >= reportedReadings[device] else { return }
    reportedReadings[device] = dropped.count
    let count = dropped.count == 1 ? "a reading was" : "\(dropped.count) readings were"
    observer?.refused(
      "\(plugins.members[device].device): \(count) dropped; the last: \(dropped.lastReason)", at: governor.now
    )
  }
}
