public import StintUnits

/// A value of an attribute of a device.
public enum AttributeValue: Hashable, Sendable, CustomStringConvertible {
  /// A number with its dimension, in base units.
  case quantity(Quantity)
  /// A word of the manifest, or a quantity in a unit that only the manifest of the device declares.
  case word(String)
  case truth(Bool)

  /// Reads a value as a file or a message writes it: `6 dB`, `high`, `true`.
  public init(text: String) {
    switch text {
    case "true": self = .truth(true)
    case "false": self = .truth(false)
    default:
      do { self = .quantity(try Quantity(parsing: text)) } catch { self = .word(text) }
    }
  }

  public var description: String {
    switch self {
    case .quantity(let quantity): quantity.description
    case .word(let word): word
    case .truth(let truth): truth ? "true" : "false"
    }
  }
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral
{
  /// Reads a value like `init(text:)`.
  public init(stringLiteral text: String) { self.init(text: text) }
  public init(booleanLiteral truth: Bool) { self = .truth(truth) }
  /// Makes a number without a dimension.
  public init(floatLiteral number: Double) { self = .quantity(Quantity(number, .none)) }
  /// Makes a number without a dimension.
  public init(integerLiteral number: Int) { self = .quantity(Quantity(Double(number), .none)) }
}

/// Values of the attributes that only the manifest of a device defines, such as a gain or a scan window.
///
/// The attributes `accuracy`, `rate` and `activity` have members of their own in demands and settings.
public struct AttributeValues: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// A name with its value.
  public struct Entry: Hashable, Sendable {
    /// The name of the attribute.
    public var name: String
    /// The value of the attribute.
    public var value: AttributeValue

    /// Makes an entry.
    public init(name: String, value: AttributeValue) {
      self.name = name
      self.value = value
    }
  }

  /// The names and values, sorted by name. The order of a dictionary would differ between processes, so the
  /// description and the hashes would also differ.
  public private(set) var sorted: [Entry] = []

  /// Makes values by name.
  public init(_ values: [String: AttributeValue] = [:]) {
    sorted = values.map { Entry(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
  }

  public init(dictionaryLiteral elements: (String, AttributeValue)...) {
    self.init(Dictionary(elements) { first, _ in first })
  }

  /// The value of the attribute with this name; nil without a value.
  public subscript(name: String) -> AttributeValue? {
    get { sorted.first { $0.name == name }?.value }
    set {
      sorted.removeAll { $0.name == name }
      guard let newValue else { return }
      let place = sorted.firstIndex { $0.name > name } ?? sorted.count
      sorted.insert(Entry(name: name, value: newValue), at: place)
    }
  }

  /// True when there is no value.
  public var isEmpty: Bool { sorted.isEmpty }

  /// The values in the words of a policy: `gain high, window 100 ms`.
  public var text: String { sorted.map { "\($0.name) \($0.value)" }.joined(separator: ", ") }

  /// Returns these values. For attributes without a value here, adds the values of `other`.
  public func completed(by other: AttributeValues) -> AttributeValues {
    var result = self
    for entry in other.sorted where result[entry.name] == nil { result[entry.name] = entry.value }
    return result
  }
}

/// The order of an attribute's values by the power that they cost.
public enum AttributeCost: Hashable, Sendable {
  /// The values, cheapest first, each with the power that it adds while the device is on.
  case listed([PricedValue])
  /// A range, with the power that its two ends add while the device is on. The power of a value between the
  /// ends is interpolated linearly. When both ends have equal power, the larger value is the more expensive
  /// one.
  case range(low: Power, high: Power)

  /// A value with the power that it adds.
  public struct PricedValue: Hashable, Sendable {
    /// The value.
    public var value: AttributeValue
    /// The power that the value adds while the device is on.
    public var power: Power

    /// Makes a value with its power.
    public init(_ value: AttributeValue, power: Power) {
      self.value = value
      self.power = power
    }
  }
}

extension AttributeSchema {
  /// The names of attributes that have members of their own in demands and settings. The set also contains
  /// the names that policies use for other purposes.
  static let reserved: Set<String> = [
    "accuracy", "rate", "activity", "latency", "background", "pause", "mode", "linger", "max_age", "filter",
    "fuzz", "heartbeat",
  ]

  /// Whether `AttributeValues` contains the values of the attribute.
  public var isOwn: Bool { !Self.reserved.contains(name) }

  /// The value for demands that do not specify the attribute; nil without such a value.
  public var fallbackValue: AttributeValue? {
    switch (fallback, type) {
    case (.number(let number), .quantity(let dimension)): .quantity(Quantity(number, dimension))
    case (.symbol(let index), .symbol(let words)) where words.indices.contains(index): .word(words[index])
    case (.boolean(let truth), _): .truth(truth)
    default: nil
    }
  }

  /// Returns a value in the form of the schema; nil when the device does not support it.
  ///
  /// - Parameters:
  ///   - value: a value; a word may be a quantity in a unit of the manifest.
  ///   - units: the units of the manifest, for such a word.
  public func supported(_ value: AttributeValue, units: UnitTable = .standard) -> AttributeValue? {
    var value = value
    switch (value, type) {
    case (.word(let text), .quantity):
      do { value = .quantity(try Quantity(parsing: text, units: units)) } catch { return nil }
    // The words of an attribute may be “true” and “false”.
    case (.truth, .symbol): value = .word(value.description)
    default: break
    }
    switch (value, type) {
    case (.quantity(let quantity), .quantity(let dimension)):
      guard quantity.dimension == dimension, quantity.value.isFinite else { return nil }
      if let range, !range.contains(quantity.value) { return nil }
    case (.word(let word), .symbol(let words)): if !words.contains(word) { return nil }
    case (.truth, .boolean): break
    default: return nil
    }
    if case .listed(let priced)? = cost, !priced.contains(where: { $0.value == value }) { return nil }
    return value
  }

  /// The most expensive value; nil for a number that has neither a list of values nor a range.
  public var dearest: AttributeValue? {
    if case .listed(let priced)? = cost { return priced.last?.value }
    switch type {
    case .quantity(let dimension):
      guard let range else { return nil }
      if case .range(let low, let high)? = cost, high < low {
        return .quantity(Quantity(range.lowerBound, dimension))
      }
      return .quantity(Quantity(range.upperBound, dimension))
    case .symbol(let words): return words.last.map { .word($0) }
    case .boolean: return .truth(true)
    }
  }

  /// The values with which a device is tested. They are all values of a list or of a Boolean, all words, or
  /// the two ends of a range. Empty for a number without a range.
  package var testedValues: [AttributeValue] {
    if case .listed(let priced)? = cost { return priced.map(\.value) }
    switch type {
    case .quantity(let dimension):
      guard let range else { return [] }
      return [range.lowerBound, range.upperBound].map { .quantity(Quantity($0, dimension)) }
    case .symbol(let words): return words.map { .word($0) }
    case .boolean: return [.truth(false), .truth(true)]
    }
  }

  /// Returns whether `value` costs less than `other`. Both values must be supported.
  public func isCheaper(_ value: AttributeValue, than other: AttributeValue) -> Bool {
    rank(value) < rank(other)
  }

  /// Returns the position of a value in the order of costs.
  private func rank(_ value: AttributeValue) -> Double {
    if case .listed(let priced)? = cost {
      return Double(priced.firstIndex { $0.value == value } ?? 0)
    }
    switch (value, type) {
    case (.quantity(let quantity), _):
      if case .range(let low, let high)? = cost, high < low { return -quantity.value }
      return quantity.value
    case (.word(let word), .symbol(let words)): return Double(words.firstIndex(of: word) ?? 0)
    case (.truth(let truth), _): return truth ? 1 : 0
    default: return 0
    }
  }

  /// Returns the power that a supported value adds while the device is on.
  public func power(of value: AttributeValue) -> Power {
    switch cost {
    case nil: return .zero
    case .listed(let priced)?: return priced.first { $0.value == value }?.power ?? .zero
    case .range(let low, let high)?:
      guard case .quantity(let quantity) = value, let range, range.upperBound > range.lowerBound else {
        return low
      }
      let share = (quantity.value - range.lowerBound) / (range.upperBound - range.lowerBound)
      // The share is rounded to a millionth, so that the sum needs only integers.
      let millionths = Int128((min(max(share, 0), 1) * 1e6).rounded())
      let more = Int128(high.nanowatts) - Int128(low.nanowatts)
      return Power(nanowatts: low.nanowatts + Int64(clamping: more * millionths / 1_000_000))
    }
  }
}

extension Manifest {
  /// The attributes whose values are in `AttributeValues`.
  public var ownAttributes: [AttributeSchema] { attributes.filter(\.isOwn) }

  /// The values for demands that do not specify an attribute.
  public var defaultAttributes: AttributeValues {
    var values = AttributeValues()
    for schema in ownAttributes { values[schema.name] = schema.fallbackValue }
    return values
  }

  /// Adds the dimensions of the schemas to values that were transmitted without dimensions. Converts
  /// `true` and `false` to words where the schema has words. The values of attributes that the manifest does
  /// not define are unchanged.
  package func withDimensions(_ values: AttributeValues) -> AttributeValues {
    var result = values
    for entry in values.sorted {
      switch (entry.value, attribute(named: entry.name)?.type) {
      case (.quantity(let quantity), .quantity(let dimension)?):
        result[entry.name] = .quantity(Quantity(quantity.value, dimension))
      case (.truth, .symbol?): result[entry.name] = .word(entry.value.description)
      default: break
      }
    }
    return result
  }

  /// Returns the values that the device supports, in the form of their schemas.
  public func supported(_ values: AttributeValues) -> AttributeValues {
    if values.isEmpty { return values }
    var result = AttributeValues()
    for entry in values.sorted {
      guard let schema = attribute(named: entry.name), schema.isOwn else { continue }
      result[entry.name] = schema.supported(entry.value, units: UnitTable(units))
    }
    return result
  }

  /// Returns a sentence for each value that the device does not support.
  public func refusals(of values: AttributeValues) -> [String] {
    values.sorted.compactMap { entry in
      let (name, value) = (entry.name, entry.value)
      guard let schema = attribute(named: name), schema.isOwn else {
        let names = ownAttributes.map(\.name).joined(separator: ", ")
        return "\(device) has no attribute “\(name)”" + (names.isEmpty ? "" : "; it has \(names)")
      }
      return schema.supported(value, units: UnitTable(units)) == nil
        ? "\(device) does not support \(name) \(value)" : nil
    }
  }

  /// Returns the more expensive value of each attribute, for a device that serves two demands.
  public func joined(_ left: AttributeValues, _ right: AttributeValues) -> AttributeValues {
    combined(left, right) { schema, left, right in schema.isCheaper(left, than: right) ? right : left }
  }

  /// Returns the cheaper value of each attribute, for two limits or defaults.
  public func cheapest(_ left: AttributeValues, _ right: AttributeValues) -> AttributeValues {
    combined(left, right) { schema, left, right in schema.isCheaper(right, than: left) ? right : left }
  }

  /// Returns the values; a value that costs more than the limit of its attribute is replaced by the limit. An
  /// attribute without a value gets the limit.
  public func restrained(_ values: AttributeValues, to limits: AttributeValues) -> AttributeValues {
    let limits = supported(limits)
    return cheapest(values, limits)
  }

  private func combined(
    _ left: AttributeValues, _ right: AttributeValues,
    _ choose: (AttributeSchema, AttributeValue, AttributeValue) -> AttributeValue
  ) -> AttributeValues {
    var result = left.completed(by: right)
    if left.isEmpty || right.isEmpty { return result }
    for entry in right.sorted {
      guard let own = left[entry.name], let schema = attribute(named: entry.name) else { continue }
      result[entry.name] = choose(schema, own, entry.value)
    }
    return result
  }

  /// Returns the power that these values add while the device is on.
  public func power(of values: AttributeValues) -> Power {
    values.sorted.reduce(.zero) { sum, entry in
      sum + (attribute(named: entry.name)?.power(of: entry.value) ?? .zero)
    }
  }
}
