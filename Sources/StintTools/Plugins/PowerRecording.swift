import StintFormats
import StintModel
import StintPluginKit
import StintRuntime
import StintUnits

/// The readings of a power meter during a plugin test, from lines of `UNIX_SECONDS,WATTS` in ascending order.
/// The first line may be a heading.
struct PowerRecording: Sendable {
  struct Reading: Hashable, Sendable {
    var instant: Instant
    var watts: Double
  }

  let readings: [Reading]

  init(readings: [Reading]) { self.readings = readings }

  init(path: String) throws(Problem) {
    let bytes: [UInt8]
    bytes = try FileText.read(path)
    var readings: [Reading] = []
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() where !line.isEmpty {
      let fields = line.split(separator: 0x2C).map { field in
        Double(String(decoding: field.filter { $0 != 0x20 && $0 != 0x0D }, as: UTF8.self))
      }
      guard fields.count == 2, let seconds = fields[0], let watts = fields[1], seconds.isFinite,
        abs(seconds) < 1e11, watts.isFinite
      else {
        if number == 0 { continue }
        throw Problem(
          .content, place: "\(path):\(number + 1)", cause: "expected two numbers, seconds and watts",
          remedy: "write it as 1700000000.125,0.061")
      }
      let instant = Instant(nanoseconds: Int64((seconds * 1e9).rounded()))
      if let last = readings.last, instant < last.instant {
        throw Problem(
          .content, place: "\(path):\(number + 1)", cause: "the time is before the previous line",
          remedy: "sort the lines")
      }
      readings.append(Reading(instant: instant, watts: watts))
    }
    self.readings = readings
  }

  /// The time that the meter needs to settle after a state change.
  static let settling = TimeSpan.milliseconds(50)
  /// The tolerance of the mean power. It is a share of the power in the manifest (`share`), or an absolute
  /// value in watts (`least`), whichever is larger.
  static let share = 0.2
  static let least = 0.000_5

  /// Compares the recorded mean power of each state with the manifest.
  ///
  /// - Returns: `checkedStates` is the number of states with at least three readings. `mismatch` is a
  ///   sentence about the first of these states whose mean power is outside the tolerance, or nil.
  func judge(_ manifest: Manifest, _ events: [PortEvent], until end: Instant) -> (
    checkedStates: Int, mismatch: String?
  ) {
    var changes: [(state: Int, period: TimeSpan?, from: Instant)] = []
    for case .outcome(.state(let state, let period), let instant) in events {
      changes.append((state, period, instant))
    }
    var sums: [Int: (watts: Double, expected: Double, count: Int)] = [:]
    for (place, change) in changes.enumerated() {
      let until = place + 1 < changes.count ? changes[place + 1].from : end
      for reading in readings where reading.instant >= change.from + Self.settling && reading.instant < until
      {
        var sum = sums[change.state] ?? (0, 0, 0)
        sum.watts += reading.watts
        sum.expected += manifest.states[change.state].power(at: change.period).watts
        sum.count += 1
        sums[change.state] = sum
      }
    }
    let checkedStates = sums.filter { $0.value.count >= 3 }.sorted { $0.key < $1.key }
    for (state, sum) in checkedStates {
      let mean = sum.watts / Double(sum.count)
      let expected = sum.expected / Double(sum.count)
      if abs(mean - expected) > max(Self.least, Self.share * expected) {
        let (drawn, specified) = (Quantity(mean, .power), Quantity(expected, .power))
        return (
          checkedStates.count,
          "in the state “\(manifest.states[state].name)” it draws \(drawn), but its manifest "
            + "specifies \(specified)"
        )
      }
    }
    return (checkedStates.count, nil)
  }
}
