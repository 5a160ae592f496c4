public import StintModel
public import StintUnits

/// Reads manifests; `Manifest` describes the format.
///
/// All problems of a file are reported at once, each with its line and column. The problems include the
/// faults in `Manifest.faults()`, so every returned manifest is valid.
public enum ManifestReader {
  static let keys = [
    "stint_manifest", "device", "kind", "title", "vendor", "ladder", "states", "transitions", "initial",
    "safe", "events", "verbs", "attributes", "fifo", "inputs", "channels", "facts", "provides", "figures",
  ]

  /// The keys that only version 2 has.
  static let newKeys = ["version", "author", "licence", "roles", "classes", "units"]

  /// Returns the manifest in a file; `-` is standard input.
  ///
  /// - Throws: `Problem` when the file cannot be read, or with all mistakes of the file.
  public static func manifest(path: String) throws(Problem) -> Manifest {
    let bytes: [UInt8]
    bytes = try WholeFile.bytes(of: path)
    return try manifest(of: bytes, source: path)
  }

  /// Returns the manifest in `bytes`; `source` is the name of the file in errors.
  ///
  /// - Throws: `Problem` with all mistakes of the file.
  public static func manifest(of bytes: [UInt8], source: String) throws(Problem) -> Manifest {
    let findings = JSONFindings(source: source)
    let value: JSONValue
    value = try JSONReader.value(of: bytes, source: source)
    let root = JSONField(value: value, path: "", findings: findings).document(
      "stint_manifest", keys: keys, version2: newKeys)
    let manifest = root.map { read($0, of: value) }
    try findings.check()
    guard let manifest else { preconditionFailure("reading failed without a problem") }
    return manifest
  }

  /// Reads every part, even after problems in other parts. Reports the faults of the parts that could be
  /// read.
  private static func read(_ root: JSONObject, of value: JSONValue) -> Manifest {
    let units = list(root, "units") { unit($0) }
    // All other parts may use the declared units.
    root.findings.units = UnitTable(units)
    let version = root.optional("stint_manifest")?.value.integer ?? 1
    let device = root.required("device")?.text().map { DeviceID($0) }
    let kind = root.required("kind")?.enumCase(DeviceKind.self)
    let title = root.required("title")?.text() ?? ""
    let states = ManifestStates(root, isNeeded: kind != .source)
    var manifest = Manifest(
      device: device ?? "unknown", kind: kind ?? .source, title: title,
      vendor: root.optional("vendor")?.text() ?? "",
      ladder: root.optional("ladder").flatMap { ladder($0) }, states: states.states,
      transitions: states.transitions, initial: states.initial, safe: states.safe)
    manifest.units = units
    manifest.about = about(root)
    manifest.events = list(root, "events") { event($0) }
    manifest.verbs = list(root, "verbs") { $0.enumCase(Verb.self) }
    manifest.attributes = list(root, "attributes") { attribute($0) }
    manifest.fifo = root.optional("fifo")?.integer(in: 0...10_000_000) ?? 0
    manifest.inputs = list(root, "inputs") { $0.text().map { DeviceID($0) } }
    manifest.channels = list(root, "channels") { channel($0, version) }
    if version == 1, manifest.channels.count > Channel.inlineCount {
      root.optional("channels")?.report(
        .version, "version 1 of the format has at most \(Channel.inlineCount) channels",
        remedy: "write \"stint_manifest\": 2")
    }
    manifest.facts = list(root, "facts") { FactSchemaReading.fact($0, of: device) }
    if version == 1, manifest.facts.contains(where: \.isFamily) {
      root.optional("facts")?.report(
        .version, "version 1 of the format has no families of facts",
        remedy: "write \"stint_manifest\": 2")
    }
    manifest.statedClasses = list(root, "classes") { deviceClass($0)?.name }
    if root.optional("provides") == nil, !manifest.statedClasses.isEmpty {
      manifest.statedRoles = manifest.statedClasses.reduce(into: manifest.provides) { roles, name in
        roles.formUnion(DeviceClassReader.named(name)?.roles ?? [])
      }
    }
    if root.optional("provides") != nil {
      manifest.statedRoles = Set(list(root, "provides") { $0.enumCase(DeviceRole.self) })
    }
    manifest.figures = figures(root)
    report(manifest, states, in: value, to: root.findings)
    return manifest
  }

  /// Reports the faults of the manifest as problems with their locations in the file.
  ///
  /// A fault identifies an element by its index. That index is valid in the file only when every element
  /// could be read.
  private static func report(
    _ manifest: Manifest, _ states: ManifestStates, in value: JSONValue, to findings: JSONFindings
  ) {
    for fault in manifest.faults() {
      let isCertain =
        switch fault.path.prefix(while: { $0 != "[" }) {
        case "states", "safe": states.isReliable(for: fault)
        case "attributes": manifest.attributes.count == count(value, "attributes")
        case "units": manifest.units.count == count(value, "units")
        case "facts": manifest.facts.count == count(value, "facts")
        default: true
        }
      guard isCertain else { continue }
      findings.report(
        .value, at: value.place(at: fault.path), path: fault.path, fault.sentence,
        remedy: "correct the manifest here")
    }
  }

  private static func count(_ value: JSONValue, _ key: String) -> Int {
    value[key]?.items?.count ?? 0
  }

  /// Returns the elements of an optional array that could be read.
  static func list<Item>(_ object: JSONObject, _ key: String, _ read: (JSONField) -> Item?) -> [Item] {
    object.optional(key)?.items()?.compactMap(read) ?? []
  }
}

extension ManifestReader {
  static func ladder(_ field: JSONField) -> LadderRank? {
    guard let object = field.object(keys: ["name", "rank", "serves"]) else { return nil }
    let name = object.required("name")?.text()
    let rank = object.required("rank")?.integer(in: 0...1000)
    let serves = object.optional("serves")?.amount(.length, like: "5 m")
    guard let name, let rank else { return nil }
    return LadderRank(name: name, rank: rank, serves: serves)
  }

  static func event(_ field: JSONField) -> PricedEvent? {
    guard let object = field.object(keys: ["name", "energy"]) else { return nil }
    let name = object.required("name")?.text()
    let energy = object.required("energy")?.energy()
    guard let name, let energy else { return nil }
    return PricedEvent(name: name, energy: energy)
  }

  static func unit(_ field: JSONField) -> MeasureUnit? {
    guard let object = field.object(keys: ["symbol", "dimension", "factor"]) else { return nil }
    let symbol = object.required("symbol")?.text()
    let product = object.required("dimension")?.text()
    let factor = object.optional("factor").map { $0.number() } ?? 1
    guard let symbol, let product, let factor else { return nil }
    if let unit = MeasureUnit(symbol: symbol, product: product, factor: factor) { return unit }
    let isFactor = !(factor > 0 && factor <= InputBounds.quantity)
    object.optional(isFactor ? "factor" : "dimension")?.report(
      .value,
      isFactor
        ? "the factor must be above 0 and at most 1e18"
        : "“\(Excerpt.text(product))” is not a product of units",
      remedy: isFactor
        ? "write the size in base units" : "write it as “A/V/m”, “kg*m/s2”, or “1” for a number")
    return nil
  }

  static func about(_ root: JSONObject) -> ManifestAbout {
    func line(_ key: String) -> String { root.optional(key)?.name() ?? "" }
    let roles = list(root, "roles") { field in
      guard let word = field.text() else { return nil as String? }
      if FactSchemaReading.isPath(word), !word.contains(".") { return word }
      field.report(.value, "“\(Excerpt.text(word))” is not one word", remedy: "write it as “air_quality”")
      return nil
    }
    return ManifestAbout(
      version: line("version"), author: line("author"), licence: line("licence"), roles: roles)
  }

  private static func deviceClass(_ field: JSONField) -> DeviceClass? {
    guard let name = field.text() else { return nil }
    if let known = DeviceClassReader.named(name) { return known }
    field.report(
      .unknownName, "no class of devices is called “\(Excerpt.text(name))”",
      remedy: Spelling.advice(for: name, among: DeviceClassReader.all.map(\.name)))
    return nil
  }

  static func channel(_ field: JSONField, _ version: Int64) -> Channel? {
    guard let object = field.object(keys: ["name", "unit", "options", "bytes"]) else { return nil }
    let name = object.required("name")?.text()
    if let bytes = object.optional("bytes") {
      if version == 1 {
        bytes.report(
          .version, "version 1 of the format has no channels of bytes", remedy: "write \"stint_manifest\": 2")
      }
      for key in ["unit", "options"] {
        object.optional(key)?.report(.duplicate, "\(key) and bytes exclude each other", remedy: "remove one")
      }
      guard let count = bytes.integer(in: 1...InputBounds.channelBytes), let name else { return nil }
      return Channel(name: name, unit: "", bytes: count)
    }
    if let options = object.optional("options") {
      if version == 1 {
        options.report(
          .version, "version 1 of the format has no channels of words", remedy: "write \"stint_manifest\": 2")
      }
      guard case .symbol(let words)? = FactSchemaReading.type(object), let name else { return nil }
      return Channel(name: name, unit: "", options: words)
    }
    let unit = object.required("unit").flatMap { FactSchemaReading.unit($0) }
    guard let name, let unit else { return nil }
    return Channel(name: name, unit: unit.symbol)
  }

  static func attribute(_ field: JSONField) -> AttributeSchema? {
    let keys = ["name"] + FactSchemaReading.typeKeys + ["range", "default", "values", "power"]
    guard let object = field.object(keys: keys) else { return nil }
    let name = object.required("name")?.text()
    let listed = object.optional("values").flatMap { AttributeCostReading.list($0, object) }
    let type = object.optional("values") == nil ? FactSchemaReading.type(object) : listed?.type
    let range = FactSchemaReading.range(object, type)
    guard let name, let type else { return nil }
    let schema = FactSchema(path: name, type: type, range: range)
    let fallback = object.optional("default").flatMap { value($0, of: schema) } ?? .unknown
    var attribute = AttributeSchema(name: name, type: type, range: range, fallback: fallback)
    attribute.cost =
      listed.map { .listed($0.values) }
      ?? object.optional("power").flatMap { AttributeCostReading.ends($0, range) }
    if attribute.cost != nil, !attribute.isOwn {
      object.required("name")?.report(
        .value, "a manifest cannot give the power of single values of “\(name)”",
        remedy: "state the power in the states")
    }
    return attribute
  }

  private static func value(_ field: JSONField, of schema: FactSchema) -> FactValue? {
    if schema.type == .boolean { return field.flag().map { .boolean($0) } }
    guard let text = field.text() else { return nil }
    guard let value = schema.value(from: text) else {
      field.report(
        .value, "expected \(schema.type.name) for \(schema.path), found “\(text)”",
        remedy: "correct the value")
      return nil
    }
    if let rejectionReason = schema.rejectionReason(for: value) {
      field.report(.value, rejectionReason, remedy: "write a default within the range")
    }
    return value
  }

  static func figures(_ root: JSONObject) -> [String: Quantity] {
    var figures: [String: Quantity] = [:]
    for (name, field) in root.optional("figures")?.anyObject()?.fields() ?? [] {
      figures[name] = field.quantity(like: "47 s")
    }
    return figures
  }
}

/// The power states of a manifest, and the parts that refer to states: transitions, the initial state, the
/// safe state.
struct ManifestStates {
  private(set) var states: [PowerState] = []
  private(set) var transitions: [Transition] = []
  private(set) var initial = 0
  private(set) var safe = 0
  /// True when all states, all transitions, the initial and the safe state were read. Only then can
  /// reachability be checked.
  private var isComplete = true
  /// True when every state was read, even if a reference to a state is wrong.
  private var hasEveryState = true

  init(_ root: JSONObject, isNeeded: Bool) {
    let items = (isNeeded ? root.required("states") : root.optional("states"))?.items()
    for item in items ?? [] {
      if let state = Self.state(item) { states.append(state) } else { hasEveryState = false }
    }
    isComplete = hasEveryState && (items != nil || !isNeeded)
    let names = (items ?? []).map { $0.value["name"]?.string ?? "" }
    for item in root.optional("transitions")?.items() ?? [] {
      if let transition = Self.transition(item, names) {
        transitions.append(transition)
      } else {
        isComplete = false
      }
    }
    initial = index(root, "initial", names)
    safe = index(root, "safe", names)
  }

  /// Returns true when a fault of the states is certainly in the file. Returns false when the fault may be
  /// only a consequence of a part that could not be read.
  func isReliable(for fault: ManifestFault) -> Bool {
    fault.path.hasSuffix(".name") ? hasEveryState : isComplete
  }

  private static func state(_ field: JSONField) -> PowerState? {
    guard let object = field.object(keys: ["name", "power", "per_hertz", "on"]) else { return nil }
    let name = object.required("name")?.text()
    let power = object.required("power")?.power()
    let perHertz = object.optional("per_hertz").map { $0.power() } ?? .zero
    let isOn = object.required("on")?.flag()
    guard let name, let power, let perHertz, let isOn else { return nil }
    return PowerState(name: name, power: power, perHertz: perHertz, isOn: isOn)
  }

  private static func transition(_ field: JSONField, _ names: [String]) -> Transition? {
    guard let items = field.items() else { return nil }
    guard items.count == 2 else {
      field.report(
        .value, "expected two states, found \(items.count)",
        remedy: "write it as [\"off\", \"search\"]")
      return nil
    }
    guard let from = stateIndex(items[0], names), let to = stateIndex(items[1], names) else { return nil }
    return Transition(from: from, to: to)
  }

  private static func stateIndex(_ field: JSONField, _ names: [String]) -> Int? {
    guard let name = field.text() else { return nil }
    if let index = names.firstIndex(of: name) { return index }
    field.report(
      .unknownName, "no state is named “\(name)”", remedy: Spelling.advice(for: name, among: names))
    return nil
  }

  /// Returns the index of the state whose name is the value of a key. The key is required when the manifest
  /// has states.
  private mutating func index(_ root: JSONObject, _ key: String, _ names: [String]) -> Int {
    let field = names.isEmpty ? root.optional(key) : root.required(key)
    if let index = field.flatMap({ Self.stateIndex($0, names) }) { return index }
    if field != nil || !names.isEmpty { isComplete = false }
    return 0
  }
}
