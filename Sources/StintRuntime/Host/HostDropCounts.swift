import StintGovernor
public import StintModel
import StintPluginHost
public import StintPluginKit
import StintServices
import StintUnits

/// The numbers of calls, reports, notices, events and samples that a host dropped, rejected or lost.
public struct HostDropCounts: Hashable, Sendable {
  /// Calls rejected because too many were waiting.
  public var refusedCalls = 0
  /// Reports of devices dropped because too many were dated in the future.
  public var droppedReports = 0
  /// Notices dropped because too many waited for their client or for the disk, or because memory was low.
  public var droppedNotices = 0
  /// Events of devices dropped because the queue of their port was full.
  public var droppedEvents = 0
  /// Published values and samples dropped because they were outside the ranges of the manifest.
  public var droppedReadings = 0
  /// Held samples that a device delivered after the last of their demands had ended.
  public var unreceivedSamples = 0
  /// Held samples that were lost with the process or library that held them; an estimate.
  public var lostHeldSamples = 0
  /// Events that client programs did not receive, because they read too slowly or ended. The host does not
  /// know this number; its caller adds it.
  public var unreceivedEvents = 0

  /// A summary in one line for people; nil when all counts are 0.
  public var text: String? {
    let parts = [
      (refusedCalls, "calls refused"), (droppedReports, "reports of devices"),
      (droppedNotices, "notices for clients"), (droppedEvents, "events at ports"),
      (droppedReadings, "values out of range"),
      (unreceivedSamples, "held samples without a demand"),
      (lostHeldSamples, "held samples lost with their plugin"),
      (unreceivedEvents, "events that programs did not receive"),
    ].filter { $0.0 > 0 }.map { "\($0.1): \($0.0)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension Host {
  /// The numbers of dropped, rejected and lost entries until now.
  public var lossCounts: HostDropCounts {
    HostDropCounts(
      refusedCalls: inbox.refusedCalls, droppedReports: bay.droppedReports,
      droppedNotices: desk.board.droppedNotices, droppedEvents: bay.droppedEvents,
      droppedReadings: bay.droppedReadings, unreceivedSamples: deliveries.unreceivedSamples,
      lostHeldSamples: supervised.reduce(0) { $0.addingSaturated($1?.status.lostHeldSamples ?? 0) })
  }

  /// The published values and samples of a device that were dropped because they were out of range.
  public func droppedReadings(of device: DeviceID) -> DroppedReadings {
    plugins.index(of: device).map { bay.droppedReadings(of: $0) } ?? DroppedReadings()
  }
}
