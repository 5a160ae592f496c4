import StintGovernor
import StintJournal
import StintRuntime
public import StintUnits

/// The start and end of a journal, and its conversion of instants to local time.
public struct JournalTimes: Sendable {
  /// The instant of the first record.
  public private(set) var began: Instant
  /// The instant of the last complete record.
  public private(set) var reached: Instant
  /// The rules of local time, each with the instant from which it applies, in order. Never empty.
  private var stretches: [(from: Instant, rules: TimeZoneRules)]

  /// Reads a journal up to its end or its first damaged record.
  public init(of path: String) throws(Problem) {
    var events = try JournalEventReader(path: path)
    let world = try events.world()
    began = events.instant
    reached = began
    stretches = [(began, world.timeZone)]
    while let event = try events.nextWhole() {
      reached = max(reached, events.instant)
      let inputs: [Input]
      switch event {
      case .inputs(let news), .snapshot(let news): inputs = news
      default: continue
      }
      for case .localTime(let rules) in inputs where rules != stretches.last?.rules {
        stretches.append((events.instant, rules))
      }
    }
  }

  /// The start and end of the journal in local time.
  public var text: String {
    let last = stretches.last?.rules ?? .utc
    let first = stretches.first?.rules ?? .utc
    return "\(LocalMoment(began, first).dated) to \(LocalMoment(reached, last).dated)"
  }

  /// Returns the first instant in the journal at which local clocks showed or skipped this time of day. Nil
  /// when there is no such instant.
  ///
  /// - Parameter day: the day, in days since 1970-01-01; nil for any day.
  public func instant(showing clock: TimeSpan, onDay day: Int? = nil) -> Instant? {
    for (place, stretch) in stretches.enumerated() {
      let next = place + 1 < stretches.count ? stretches[place + 1].from : nil
      var moment = stretch.rules.instant(showing: clock, notBefore: stretch.from)
      while let day, moment <= next ?? reached, LocalMoment(moment, stretch.rules).day < day {
        moment = stretch.rules.instant(showing: clock, notBefore: moment + TimeSpan(nanoseconds: 1))
      }
      if let day, LocalMoment(moment, stretch.rules).day != day { continue }
      if let next { if moment < next { return moment } } else if moment <= reached { return moment }
    }
    return nil
  }
}
