import StintGovernor
package import StintJournal
import StintLanguage
public import StintModel
public import StintRuntime
import StintUnits

/// Asks a journal why a device was as it was.
public enum WhyQuery {
  /// The report on a device at a time of day (`14:05`, `14:05:30`): the first such time after the journal
  /// began; at its end when no time is given.
  public static func report(
    _ device: DeviceID, at time: String?, journal: String
  ) throws(ToolError) -> WhyReport {
    let moment = try moment(at: time, journal: journal)
    guard moment.governor.vocabulary.device(device) != nil else { throw stranger(device.path, moment) }
    return WhyReport(device: device, governor: moment.governor, policies: moment.policies)
  }

  /// Why something did not happen: a device that was off, or a rule `POLICY/RULE` that was not in force.
  public static func whyNot(
    _ thing: String, at time: String?, journal: String
  ) throws(ToolError) -> WhyNotReport {
    let moment = try moment(at: time, journal: journal)
    guard let report = WhyNotReport(thing, governor: moment.governor, policies: moment.policies) else {
      throw stranger(thing, moment)
    }
    return report
  }

  private static func stranger(_ thing: String, _ moment: JournalReplay.Moment) -> ToolError {
    let names = moment.governor.vocabulary.manifests.map(\.device.path)
    let rules = moment.policies.flatMap(\.rules).map(\.id.description)
    return ToolError(
      .unknownName, place: thing,
      cause: "the journal knows no such \(thing.contains("/") ? "rule" : "device")",
      nextStep: "it has \((thing.contains("/") ? rules : names).joined(separator: ", "))")
  }

  private static func moment(
    at time: String?, journal: String
  ) throws(ToolError) -> JournalReplay.Moment {
    let start: (world: JournalWorld, start: Instant)
    do { start = try JournalReplay.world(of: journal) } catch { throw ToolError(error) }
    var instant: Instant?
    if let time {
      guard let found = Self.instant(time, after: start.start, start.world.timeZone) else {
        throw ToolError(
          .unknownName, place: "--at \(time)", cause: "this is no time of day",
          nextStep: "write it as 14:05 or 14:05:30, in the scenario's local time")
      }
      instant = found
    }
    do { return try JournalReplay.moment(of: journal, at: instant) } catch { throw ToolError(error) }
  }

  private static func instant(_ text: String, after start: Instant, _ timeZone: TimeZoneRules) -> Instant? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int64($0) }
    guard numbers.count == parts.count, (2...3).contains(numbers.count), (0..<24).contains(numbers[0]),
      numbers.dropFirst().allSatisfy({ (0..<60).contains($0) })
    else { return nil }
    let clock = TimeSpan.seconds(numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0))
    return timeZone.instant(showing: clock, notBefore: start)
  }
}

extension ToolError {
  /// What is wrong with a journal.
  package init(_ error: JournalError) {
    self.init(
      error.code == .notFound ? .file : .content, place: error.source, cause: error.cause,
      nextStep: error.step)
  }
}
