import StintModel
import StintTracks
import StintUnits

/// The values of one channel of bytes over time, from an entry of `values` in a scenario. Each value is
/// written as hexadecimal digits, and remains until the time of the next value.
struct ByteSeries: Sendable {
  /// The largest number of rows of a file.
  private static let maxRows = 1_000_000

  private let start: Instant
  private let rows: [(at: TimeSpan, value: [UInt8])]
  /// The time after which the rows repeat; nil for no repetition.
  private let period: TimeSpan?

  /// Reads the values, with their file.
  ///
  /// - Parameters:
  ///   - script: the entry of the scenario.
  ///   - channel: the channel of bytes.
  ///   - start: the start of the scenario.
  /// - Throws: a problem when a value does not fit the channel, when the entry has a shape of numbers, or
  ///   when the file cannot be read.
  init(_ script: ScriptedValue, of channel: Channel, start: Instant) throws(Problem) {
    self.start = start
    func problem(_ cause: String, _ remedy: String) -> Problem {
      Problem(
        .value, place: Problem.Place("scenario", part: "values of \(script.path)"), cause: cause,
        remedy: remedy)
    }
    let remedy = "write hexadecimal digits, two for each of at most \(channel.bytes ?? 0) bytes"
    var rows: [(at: TimeSpan, value: [UInt8])] = []
    var period: TimeSpan?
    switch script.shape {
    case .steps(let steps):
      for step in steps {
        guard let value = Self.value(step.text, channel) else {
          throw problem("“\(step.text)” is no value of the channel of bytes “\(channel.name)”", remedy)
        }
        rows.append((step.at, value))
      }
    case .table(let file, let column, nil, let isRepeated):
      var reader = try ValueReader(path: file, column: column)
      while let row = try reader.next() {
        guard rows.count < Self.maxRows else {
          throw reader.problem("the file has more than \(Self.maxRows) rows", remedy: "keep fewer rows")
        }
        guard let value = row.text == "unknown" ? [] : Self.value(row.text, channel) else {
          throw reader.problem(
            "“\(row.text)” is no value of the channel of bytes “\(channel.name)”", remedy: remedy)
        }
        rows.append((row.time, value))
      }
      period = isRepeated ? rows.last.flatMap { $0.at > .zero ? $0.at : nil } : nil
    case .ramp, .sine, .table:
      throw problem(
        "“\(channel.name)” is a channel of bytes, and bytes have no unit, ramp or sine",
        "write a constant, steps, or a column of hexadecimal digits")
    }
    guard script.noise == nil else { throw problem("bytes have no noise", "remove “noise”") }
    (self.rows, self.period) = (rows, period)
  }

  private static func value(_ text: String, _ channel: Channel) -> [UInt8]? {
    guard let value = ChannelValue.bytes(hexadecimal: text), value.count <= channel.bytes ?? 0 else {
      return nil
    }
    return value
  }

  /// Returns the value at an instant; empty before the first value.
  func value(at instant: Instant) -> [UInt8] {
    let span = max(instant - start, .zero)
    let time = period.map { TimeSpan(nanoseconds: span.nanoseconds % $0.nanoseconds) } ?? span
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].at <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? rows[low - 1].value : []
  }
}
