import StintModel
import StintUnits

/// The values of one device over time. The scenario sets them in `facts` and `values`; all other values come
/// from the world, or are constants.
///
/// A channel has the value of the fact with the name of the channel. Position, speed and heading come from
/// the world. An accuracy is the finest that the manifest offers. Every other number is the middle of the
/// fact's range, or 0 without a range. A fact of words has its first word, a Boolean fact is false, and the
/// value of a channel of bytes is empty.
struct DeviceScript: Sendable {
  private struct Step: Sendable {
    var at: Instant
    var value: FactValue
  }

  private let device: DeviceID
  /// The accuracy of a position in metres: the finest that the manifest offers, or 10 m.
  private let accuracy: Double
  private let constants: [String: FactValue]
  /// The scale of each channel's unit relative to the base unit, by name of the channel. Facts have base
  /// units.
  private let scales: [String: Double]
  /// The values of each fact in the scenario, in order of time, by path of the fact.
  private let steps: [String: [Step]]
  /// The facts of the manifest. In place of a family, they contain its facts that the scenario names.
  let facts: [FactSchema]
  /// The values from `values` of the scenario, by path of the fact or channel.
  private let series: [String: ValueSeries]
  /// The values from `values` of the scenario, by name of the channel of bytes.
  private let byteSeries: [String: ByteSeries]

  /// - Parameters:
  ///   - values: the entries of `values` in the scenario for this device.
  ///   - seed: the seed of the run.
  /// - Throws: a problem when a value does not fit its fact or channel, or when its file cannot be read.
  init(
    _ manifest: Manifest, start: Instant, changes: [FactChange], values: [ScriptedValue] = [],
    seed: UInt64 = 1
  ) throws(Problem) {
    device = manifest.device
    scales = Dictionary(
      manifest.channels.map { ($0.name, manifest.unit(of: $0)?.scale ?? 1) },
      uniquingKeysWith: { first, _ in first })
    accuracy = manifest.attribute(named: "accuracy")?.range?.lowerBound ?? 10
    var constants: [String: FactValue] = [:]
    var steps: [String: [Step]] = [:]
    let named = Set(changes.flatMap(\.values).map(\.path) + values.map(\.path)).sorted()
    facts = manifest.facts.flatMap { schema in
      schema.isFamily ? named.compactMap { schema.key(of: $0) }.map { schema.keyed($0) } : [schema]
    }
    for schema in facts {
      // A key that the scenario has not set yet is unknown.
      let isKeyed = !manifest.facts.contains { $0.path == schema.path }
      constants[schema.path] = isKeyed ? .unknown : Self.constant(schema)
      for change in changes {
        for assignment in change.values where assignment.path == schema.path {
          guard let value = schema.value(from: assignment.text) else { continue }
          steps[schema.path, default: []].append(Step(at: start + change.at, value: value))
        }
      }
      steps[schema.path]?.sort { $0.at < $1.at }
    }
    self.constants = constants
    self.steps = steps
    var series: [String: ValueSeries] = [:]
    var byteSeries: [String: ByteSeries] = [:]
    for value in values {
      if let channel = Self.byteChannel(value.path, manifest) {
        byteSeries[channel.name] = try ByteSeries(value, of: channel, start: start)
      }
      guard let schema = Self.schema(value.path, manifest) else { continue }
      series[value.path] = try ValueSeries(value, of: schema, start: start, seed: seed)
    }
    self.series = series
    self.byteSeries = byteSeries
  }

  /// Returns whether the device has a fact or channel with this path.
  static func hasValue(_ path: String, _ manifest: Manifest) -> Bool {
    schema(path, manifest) != nil || byteChannel(path, manifest) != nil
  }

  private static func byteChannel(_ path: String, _ manifest: Manifest) -> Channel? {
    manifest.byteChannels.first { manifest.device.path + "." + $0.name == path }
  }

  /// Returns the schema of the fact or of the channel with this path; nil when the device has neither.
  static func schema(_ path: String, _ manifest: Manifest) -> FactSchema? {
    if let fact = manifest.facts.first(where: { $0.declares(path) }) {
      return fact.key(of: path).map { fact.keyed($0) } ?? fact
    }
    guard let channel = manifest.channels.first(where: { manifest.device.path + "." + $0.name == path })
    else { return nil }
    if !channel.options.isEmpty { return FactSchema(path: path, type: .symbol(channel.options)) }
    guard let unit = manifest.unit(of: channel) else { return nil }
    var schema = FactSchema(path: path, type: .quantity(unit.dimension))
    schema.unit = unit
    return schema
  }

  private static func constant(_ schema: FactSchema) -> FactValue {
    switch schema.type {
    case .boolean: .boolean(false)
    case .symbol: .symbol(0)
    case .quantity: .number(schema.range.map { $0.lowerBound + ($0.upperBound - $0.lowerBound) / 2 } ?? 0)
    }
  }

  func value(of path: String, in state: WorldState, at instant: Instant) -> FactValue {
    if let step = steps[path]?.last(where: { $0.at <= instant }) { return step.value }
    if let series = series[path] { return series.value(at: instant) }
    let name = path.split(separator: ".").last.map(String.init) ?? path
    return measured(name, state).map(FactValue.number) ?? constants[path] ?? .number(0)
  }

  /// Returns the earliest instant after `instant` at which `values` of the scenario may change one of these
  /// facts; nil when no fact changes.
  func nextChange(of facts: [FactSchema], after instant: Instant) -> Instant? {
    facts.compactMap { schema in
      series[schema.path]?.nextChange(after: instant, every: max(schema.fastest ?? Self.pace, .seconds(1)))
    }.min()
  }

  /// The time between two values of a fact that changes continuously and does not state its fastest rate.
  private static let pace = TimeSpan.minutes(1)

  /// Returns the value of a channel at an instant, in the channel's unit; for a channel of words, the index
  /// of the word. Returns 0 while the fact of the channel is unknown.
  func number(of channel: Channel, in state: WorldState, at instant: Instant) -> Double {
    switch value(of: device.path + "." + channel.name, in: state, at: instant) {
    case .number(let number): number / (scales[channel.name] ?? 1)
    case .symbol(let word): channel.options.indices.contains(word) ? Double(word) : 0
    default: 0
    }
  }

  /// Returns the value of a channel of bytes at an instant; empty without a value in the scenario.
  func bytes(of channel: Channel, at instant: Instant) -> [UInt8] {
    byteSeries[channel.name]?.value(at: instant) ?? []
  }

  /// Returns the true value of a fact or channel that the world determines; nil for all other names.
  private func measured(_ name: String, _ state: WorldState) -> Double? {
    switch name {
    case "latitude": state.position.latitude
    case "longitude": state.position.longitude
    case "speed": state.speed
    case "accuracy": accuracy
    case "course", "heading": state.heading ?? 0
    default: nil
    }
  }
}
