public import StintModel
import StintUnits

extension Witness {
  /// Returns the facts, demands and times as a string, such as
  /// `battery.level = 10 %, app.state = background for 4 min`. If a condition tests the age of a fact, no new
  /// value of this fact arrives in this time.
  ///
  /// The string is empty when no fact, no demand and no time matters.
  public func text(_ vocabulary: Vocabulary) -> String {
    var parts = Self.text(readings, vocabulary) + Self.text(demands)
    if let weekTime { parts.append("on \(Self.text(weekTime: weekTime))") }
    var text = parts.joined(separator: ", ")
    if held > .zero { text += (text.isEmpty ? "after " : " for ") + held.description }
    if held > .zero, !silent.isEmpty { text += " without a new value of \(silent.joined(separator: ", "))" }
    let before = Self.text(earlier, vocabulary) + Self.text(earlierDemands)
    if !isFresh, !before.isEmpty { text += " after \(before.joined(separator: ", "))" }
    return text
  }

  private static func text(_ readings: [Reading], _ vocabulary: Vocabulary) -> [String] {
    readings.sorted { $0.path < $1.path }.map { reading in
      "\(reading.path) = \(vocabulary.schema(reading.path)?.text(of: reading.value) ?? "unknown")"
    }
  }

  private static func text(_ demands: [DemandAssumption]) -> [String] {
    demands.sorted { $0.device < $1.device }.map {
      $0.isDemanded ? "\($0.device) demanded" : "\($0.device) not demanded"
    }
  }

  /// Returns a time of the week, such as `Tue 03:30`.
  static func text(weekTime: TimeSpan) -> String {
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let day = Int(weekTime.nanoseconds / WeekTime.day) % 7
    return "\(days[day]) \(clock(weekTime.nanoseconds % WeekTime.day))"
  }

  /// Returns a time of day, given in nanoseconds since midnight, as a string such as `03:30`.
  static func clock(_ time: Int64) -> String {
    let minutes = time / 60_000_000_000
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(padded(minutes / 60)):\(padded(minutes % 60))"
  }
}
