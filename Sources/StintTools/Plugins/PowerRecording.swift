import StintFormats
import StintModel
import StintPluginKit
import StintRuntime
import StintUnits

/// What a meter showed while a plugin was tried: lines of `UNIX_SECONDS,WATTS`, ascending, a heading allowed.
struct PowerRecording: Sendable {
  /// One reading of the meter.
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
          .content, place: "\(path):\(number + 1)", cause: "there are no two numbers, seconds and watts",
          remedy: "write it as 1700000000.125,0.061")
      }
      let instant = Instant(nanoseconds: Int64((seconds * 1e9).rounded()))
      if let last = readings.last, instant < last.instant {
        throw Problem(
          .content, place: "\(path):\(number + 1)", cause: "it is before the line above", remedy: "sort it")
      }
      readings.append(Reading(instant: instant, watts: watts))
    }
    self.readings = readings
  }

  /// What the meter needs to settle after a change of state; and how far its mean may be from what the manifest says,
  /// as a share and in watts, whichever is more.
  static let settling = TimeSpan.milliseconds(50)
  static let share = 0.2
  static let least = 0.000_5

  /// What of the manifest's powers the recording gives the lie; nil where none. Nothing was judged when no state has
  /// three readings.
  func judge(_ manifest: Manifest, _ events: [PortEvent], until end: Instant) -> (judged: Int, lie: String?) {
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
    let judged = sums.filter { $0.value.count >= 3 }.sorted { $0.key < $1.key }
    for (state, sum) in judged {
      let mean = sum.watts / Double(sum.count)
      let expected = sum.expected / Double(sum.count)
      if abs(mean - expected) > max(Self.least, Self.share * expected) {
        let (drawn, said) = (Quantity(mean, .power), Quantity(expected, .power))
        return (
          judged.count, "in “\(manifest.states[state].name)” it draws \(drawn), and its manifest says \(said)"
        )
      }
    }
    return (judged.count, nil)
  }
}
