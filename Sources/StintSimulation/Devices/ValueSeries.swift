import StintModel
import StintTracks
import StintUnits

/// The values of one fact or channel over time, from an entry of `values` in a scenario.
struct ValueSeries: Sendable {
  private enum Shape: Sendable {
    /// Each value is valid from its time on. The rows repeat after `period`; nil for no repetition.
    case rows([(at: TimeSpan, value: FactValue)], period: TimeSpan?)
    /// A linear change within the time `over`. Afterwards, the value stays at `to`, or the change begins
    /// again.
    case ramp(from: Double, to: Double, over: TimeSpan, isRepeated: Bool)
    /// A sine with the amplitude `swing`. `peak` is the time of a maximum.
    case sine(mean: Double, swing: Double, period: TimeSpan, peak: TimeSpan)
  }

  /// The largest number of rows of a file.
  private static let maxRows = 1_000_000

  private let schema: FactSchema
  private let start: Instant
  private let shape: Shape
  private let noise: Noise?
  private let deviation: Double

  /// Reads the values, with their file.
  ///
  /// - Parameters:
  ///   - schema: the schema of the fact or channel.
  ///   - seed: the seed of the run.
  /// - Throws: a problem when a value does not fit the fact or channel, when a standard deviation is
  ///   negative, or when the file cannot be read.
  init(
    _ script: ScriptedValue, of schema: FactSchema, start: Instant, seed: UInt64
  ) throws(Problem) {
    self.schema = schema
    self.start = start
    shape = try Self.shape(script, schema)
    noise = script.noise.map { Noise(seed: $0.seed ?? seed, name: "values of \(script.path)") }
    deviation =
      try script.noise.map { noise throws(Problem) in try Self.number(noise.deviation, schema) } ?? 0
    guard deviation >= 0 else {
      throw Self.problem(schema, "a standard deviation must not be negative", "write 0 or more")
    }
  }

  private static func shape(_ script: ScriptedValue, _ schema: FactSchema) throws(Problem) -> Shape {
    switch script.shape {
    case .steps(let steps):
      var rows: [(at: TimeSpan, value: FactValue)] = []
      for step in steps { rows.append((step.at, try value(step.text, schema))) }
      return .rows(rows, period: nil)
    case .ramp(let from, let to, let over, let isRepeated):
      return .ramp(
        from: try number(from, schema), to: try number(to, schema), over: over, isRepeated: isRepeated)
    case .sine(let mean, let swing, let period, let peak):
      return .sine(
        mean: try number(mean, schema), swing: try number(swing, schema), period: period, peak: peak)
    case .table(let file, let column, let unit, let isRepeated):
      let rows = try rows(file, column, unit, schema)
      return .rows(rows, period: isRepeated ? rows.last.flatMap { $0.at > .zero ? $0.at : nil } : nil)
    }
  }

  private static func rows(
    _ file: String, _ column: String, _ unit: String?, _ schema: FactSchema
  ) throws(Problem) -> [(at: TimeSpan, value: FactValue)] {
    var reader = try ValueReader(path: file, column: column)
    var rows: [(at: TimeSpan, value: FactValue)] = []
    while let row = try reader.next() {
      let text = row.text == "unknown" ? row.text : unit.map { "\(row.text) \($0)" } ?? row.text
      guard rows.count < maxRows else {
        throw reader.problem("the file has more than \(maxRows) rows", remedy: "keep fewer rows")
      }
      guard let value = schema.value(from: text), schema.rejectionReason(for: value) == nil else {
        let isUnitMissing = unit == nil && Double(row.text) != nil
        throw reader.problem(
          "“\(text)” is not a value of \(schema.path): \(Self.expected(schema))",
          remedy: isUnitMissing ? "add the unit of the column to the scenario" : "correct the value")
      }
      rows.append((row.time, value))
    }
    guard !rows.isEmpty else {
      throw Problem(
        .empty, place: file, cause: "the file has no rows", remedy: "name a file with at least one row")
    }
    return rows
  }

  private static func value(_ text: String, _ schema: FactSchema) throws(Problem) -> FactValue {
    guard let value = schema.value(from: text) else {
      throw problem(
        schema, "“\(text)” is not a value of \(schema.path): \(expected(schema))", "correct the value")
    }
    if let reason = schema.rejectionReason(for: value) {
      throw problem(schema, reason, "write a value within the range")
    }
    return value
  }

  private static func number(_ text: String, _ schema: FactSchema) throws(Problem) -> Double {
    if case .number(let number)? = schema.value(from: text), number.isFinite { return number }
    throw problem(
      schema, "“\(text)” is not a quantity of \(schema.path): \(expected(schema))", "correct the value")
  }

  private static func expected(_ schema: FactSchema) -> String { "expected \(schema.type.name)" }

  private static func problem(_ schema: FactSchema, _ cause: String, _ remedy: String) -> Problem {
    Problem(
      .value, place: Problem.Place("scenario", part: "values of \(schema.path)"), cause: cause, remedy: remedy
    )
  }

  /// Returns the value at an instant, with its noise, and limited to the range of the fact.
  func value(at instant: Instant) -> FactValue {
    let value = plain(after: max(instant - start, .zero))
    guard case .number(var number) = value else { return value }
    if let noise { number += deviation * noise.gaussian(instant) }
    if let range = schema.range { number = min(max(number, range.lowerBound), range.upperBound) }
    return .number(number)
  }

  /// Returns the instant at which the value may change next; nil when it remains constant.
  ///
  /// - Parameter pace: the time between two values when the value changes continuously or has noise.
  func nextChange(after instant: Instant, every pace: TimeSpan) -> Instant? {
    guard noise == nil, case .rows(let rows, let period) = shape else { return instant + pace }
    let span = max(instant - start, .zero)
    guard let period else { return rows.first { $0.at > span }.map { start + $0.at } }
    let begin = TimeSpan(nanoseconds: span.nanoseconds - span.nanoseconds % period.nanoseconds)
    let next = rows.first { begin + $0.at > span }?.at ?? period
    return start + begin + min(next, period)
  }

  private func plain(after span: TimeSpan) -> FactValue {
    switch shape {
    case .rows(let rows, let period):
      let time = period.map { TimeSpan(nanoseconds: span.nanoseconds % $0.nanoseconds) } ?? span
      var (low, high) = (0, rows.count)
      while low < high {
        let middle = (low + high) / 2
        if rows[middle].at <= time { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? rows[low - 1].value : .unknown
    case .ramp(let from, let to, let over, let isRepeated):
      let time = isRepeated ? span.nanoseconds % over.nanoseconds : min(span.nanoseconds, over.nanoseconds)
      return .number(from + (to - from) * (Double(time) / Double(over.nanoseconds)))
    case .sine(let mean, let swing, let period, let peak):
      let time = (span.nanoseconds - peak.nanoseconds) % period.nanoseconds
      return .number(mean + swing * cosine(degrees: 360 * (Double(time) / Double(period.nanoseconds))))
    }
  }
}
