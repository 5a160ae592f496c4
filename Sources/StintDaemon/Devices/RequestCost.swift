import StintModel
import StintUnits

/// The cost of the requests that a site's clients repeat at short intervals.
enum RequestCost {
  /// The interval below which a repeated request gets a warning.
  private static let shortest = TimeSpan.seconds(1)

  /// Returns one warning for each series of transfers with a short interval. The warning states the number of
  /// transfers.
  static func warnings(for script: ClientScript) -> [String] {
    var warnings: [String] = []
    for (client, entry) in script.clients.enumerated() {
      for (place, series) in entry.transfers.enumerated() {
        guard let every = series.every, every > .zero, every < shortest else { continue }
        let perSecond = TimeSpan.seconds(1).nanoseconds / every.nanoseconds
        let perDay = TimeSpan.hours(24).nanoseconds / every.nanoseconds
        let transfers = perSecond == 1 ? "1 transfer" : "\(perSecond) transfers"
        warnings.append(
          "clients[\(client)].transfers[\(place)]: the interval \(every) starts \(transfers) per second, "
            + "\(perDay) per day; each transfer wakes the processor")
      }
    }
    return warnings
  }
}
