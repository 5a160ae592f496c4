import StintModel
import StintUnits

/// Reads the facts and attributes that manifests and scenarios declare.
enum FactSchemaReading {
  static let typeKeys = ["unit", "options", "boolean"]
  static let keys =
    ["name"] + typeKeys + [
      "range", "max_age", "fastest", "rate", "read", "per_second", "noisy", "always", "meaning", "keys",
    ]

  /// Reads the schema of one fact and reports its problems. Returns nil when the name or the type cannot be
  /// read. A name without a dot gets the path of the device as its prefix.
  static func fact(_ field: JSONField, of device: DeviceID?) -> FactSchema? {
    guard let object = field.object(keys: keys) else { return nil }
    let name = object.required("name")?.text()
    let type = type(object)
    let range = range(object, type)
    let maxAge = object.optional("max_age")?.span(like: "10 s", atLeast: TimeSpan(nanoseconds: 1))
    let fastest = object.optional("fastest")?.span(like: "1 s", atLeast: TimeSpan(nanoseconds: 1))
    let read = object.optional("read")
    let reading = read.flatMap { Self.reading($0, type) }
    for key in ["rate", "read", "per_second", "keys"] {
      guard device == nil, let field = object.optional(key) else { continue }
      field.report(.value, "no device publishes this fact, so “\(key)” has no effect", remedy: "remove it")
    }
    let isNoisy = object.optional("noisy")?.flag() ?? false
    let isAlwaysPublished = object.optional("always")?.flag() ?? false
    let meaning = object.optional("meaning")?.text() ?? ""
    guard let name, let type else { return nil }
    let isFamily = object.optional("keys") != nil && name.hasSuffix(FactSchema.familySuffix)
    let stem = isFamily ? String(name.dropLast(FactSchema.familySuffix.count)) : name
    if !isPath(stem) {
      object.required("name")?.report(
        .value, "“\(name)” is not a name of words joined by dots", remedy: "write it as “battery.level”")
    }
    let isFullPath = stem.contains(".") || device == nil
    var schema = FactSchema(
      path: isFullPath ? name : "\(device?.path ?? "").\(name)", type: type, range: range, maxAge: maxAge,
      fastest: fastest, reading: reading, isNoisy: isNoisy, device: device, meaning: meaning)
    schema.isAlwaysPublished = isAlwaysPublished
    schema.keys = object.optional("keys")?.integer(in: 1...InputBounds.keys)
    schema.longestSampling = object.optional("rate").flatMap { longestSampling($0) }
    schema.maxRate = object.optional("per_second").flatMap { maxRate($0, type) }
    if case .quantity = type {
      schema.unit = object.optional("unit")?.value.string.flatMap { field.findings.units.spelled($0) }
    }
    return schema
  }

  /// Reads how often the governor reads a fact that its device publishes only on request.
  private static func reading(_ field: JSONField, _ type: FactType?) -> FactReading? {
    guard let object = field.object(keys: ["every", "per_second"]),
      let every = object.required("every")?.span(like: "60 s", atLeast: TimeSpan(nanoseconds: 1))
    else { return nil }
    guard let steep = object.optional("per_second") else { return FactReading(every: every) }
    return maxRate(steep, type).map { FactReading(every: every, maxRate: $0) }
  }

  /// Reads the lowest sampling rate at which a sensor publishes a fact, as the time between two samples.
  private static func longestSampling(_ field: JSONField) -> TimeSpan? {
    guard let quantity = field.quantity(.rate, like: "25 Hz") else { return nil }
    guard quantity.value > 0, let period = quantity.period else {
      field.report(.value, "the rate is not positive", remedy: "write it as “25 Hz”")
      return nil
    }
    return period
  }

  /// Reads the largest change of a fact per second, in base units.
  private static func maxRate(_ field: JSONField, _ type: FactType?) -> Double? {
    guard case .quantity(let dimension)? = type else {
      field.report(.value, "“per_second” applies to quantities only", remedy: "remove it")
      return nil
    }
    return field.amount(dimension, like: "0.02 %")
  }

  /// Reads the type that `unit`, `options` or `boolean` declares. Exactly one of these keys is required;
  /// otherwise reports the problem and returns nil.
  static func type(_ object: JSONObject) -> FactType? {
    let presentKeys = typeKeys.filter { object.optional($0) != nil }
    guard presentKeys.count == 1 else {
      let cause =
        presentKeys.isEmpty
        ? "the type of the value is missing" : "\(presentKeys.joined(separator: " and ")) exclude each other"
      object.report(
        presentKeys.isEmpty ? .missing : .duplicate, cause,
        remedy: "write one of \"unit\": \"m\", \"options\": [\"a\", \"b\"], \"boolean\": true")
      return nil
    }
    if let field = object.optional("unit") { return unit(field).map { .quantity($0.dimension) } }
    if let field = object.optional("options") { return options(field).map { .symbol($0) } }
    guard let truth = object.optional("boolean")?.flag() else { return nil }
    if !truth {
      object.optional("boolean")?.report(
        .value, "“boolean” must be true", remedy: "write \"boolean\": true, or \"unit\" or \"options\"")
      return nil
    }
    return .boolean
  }

  static func unit(_ field: JSONField) -> MeasureUnit? {
    guard let text = field.text() else { return nil }
    let units = field.findings.units
    if text == "1" { return MeasureUnit(symbol: "", dimension: .none, scale: 1) }
    if let unit = units.spelled(text) { return unit }
    let symbols = MeasureUnit.all.map(\.symbol) + units.declaredSymbols
    field.report(
      .unknownName, "no unit is spelled “\(text)”", remedy: Spelling.advice(for: text, among: symbols))
    return nil
  }

  private static func options(_ field: JSONField) -> [String]? {
    guard let items = field.items() else { return nil }
    var words: [String] = []
    for item in items {
      guard let word = item.text() else { return nil }
      if words.contains(word) { item.report(.duplicate, "“\(word)” appears twice", remedy: "remove one") }
      words.append(word)
    }
    if words.isEmpty { field.report(.empty, "the array is empty", remedy: "write at least one word") }
    return words
  }

  /// Reads the range in base units. Returns nil without a range. Reports the range and returns nil when the
  /// fact or attribute is not a quantity.
  static func range(_ object: JSONObject, _ type: FactType?) -> ClosedRange<Double>? {
    guard let field = object.optional("range"), let type else { return nil }
    guard case .quantity(let dimension) = type else {
      field.report(.value, "only quantities have a range", remedy: "remove it")
      return nil
    }
    return field.range(dimension, like: "[\"0 m\", \"10 km\"]")
  }

  /// Whether a fact of a beacon has this name. After `beacon`, such a name contains the identity and the
  /// numbers of the beacon, as in `Zone.beaconFact`.
  static func isBeaconFact(_ name: String) -> Bool { name.hasPrefix("beacon.") }

  /// Whether a name consists of words joined by dots.
  static func isPath(_ name: String) -> Bool {
    let words = name.split(separator: ".", omittingEmptySubsequences: false)
    let isBeacon = isBeaconFact(name)
    return words.allSatisfy { word in
      (isBeacon ? !word.isEmpty : word.first?.isLetter == true)
        && word.allSatisfy {
          $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || isBeacon && $0 == "-")
        }
    }
  }
}
