import StintModel
import StintUnits

extension Witness {
  /// The facts for people: `battery.level = 10 %, app.state = background for 4 min`; empty where none matters.
  func text(_ vocabulary: Vocabulary) -> String {
    var parts = Self.text(readings, vocabulary) + Self.text(demands)
    if let weekTime { parts.append("on \(Self.text(weekTime))") }
    var text = parts.joined(separator: ", ")
    if held > .zero { text += (text.isEmpty ? "after " : " for ") + held.description }
    let before = Self.text(earlier, vocabulary) + Self.text(earlierDemands)
    if !isFresh, !before.isEmpty { text += " after \(before.joined(separator: ", "))" }
    return text
  }

  private static func text(_ readings: [Reading], _ vocabulary: Vocabulary) -> [String] {
    readings.sorted { $0.path < $1.path }.map { reading in
      "\(reading.path) = \(vocabulary.schema(reading.path)?.text(of: reading.value) ?? "unknown")"
    }
  }

  private static func text(_ demands: [Wanting]) -> [String] {
    demands.sorted { $0.device < $1.device }.map {
      $0.isDemanded ? "\($0.device) demanded" : "\($0.device) not demanded"
    }
  }

  /// `Tue 03:30`.
  private static func text(_ weekTime: TimeSpan) -> String {
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let minutes = Int(weekTime.nanoseconds / 60_000_000_000)
    let (hour, minute) = (minutes / 60 % 24, minutes % 60)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(days[minutes / 1440 % 7]) \(padded(hour)):\(padded(minute))"
  }
}
