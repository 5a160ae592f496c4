import StintGovernor
import StintJournal
public import StintUnits

/// When a journal began and ended, and how its instants became local time on the way.
public struct JournalTimes: Sendable {
  public private(set) var began: Instant
  public private(set) var reached: Instant
  /// From which instant on local time went by which rules, in order; never empty.
  private var stretches: [(from: Instant, rules: TimeZoneRules)]

  /// Reads a journal as far as it is whole.
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

  /// When the journal began and ended, as the clock of the place showed it.
  public var text: String {
    let last = stretches.last?.rules ?? .utc
    let first = stretches.first?.rules ?? .utc
    return "\(LocalMoment(began, first).dated) to \(LocalMoment(reached, last).dated)"
  }

  /// The first instant within the journal at which the clock of the place showed a time, of any day or of one counted
  /// since 1970-01-01; nil where the journal has no such time.
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
