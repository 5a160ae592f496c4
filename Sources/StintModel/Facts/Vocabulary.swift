public import StintUnits

/// All devices and facts that a policy may use, each with an index. The checker, the compiler and the
/// governor share this vocabulary.
///
/// Each device that is not a `source` also has the facts `DEVICE.on`, `DEVICE.state` and `DEVICE.available`,
/// which the governor maintains. When policies are loaded, their computed facts are added.
public struct Vocabulary: Hashable, Sendable {
  /// The manifests, sorted by device name.
  public let manifests: [Manifest]
  /// The published facts sorted by path, the standard facts that nothing publishes, the facts of families
  /// that policies name, and the computed facts. The index of a fact is its position here.
  public private(set) var facts: [FactSchema]
  /// The computed facts, in the order in which policies use them.
  public private(set) var computed: [ComputedFact]
  /// The families of facts, sorted by path.
  public let families: [FactSchema]
  /// The indexes of the standard facts that nothing publishes.
  private let absent: Range<Int>
  private var factNumbers: [String: Int]
  private let deviceNumbers: [DeviceID: Int]
  /// The units that policies may use: those of the language, of the manifests and of the declared facts.
  public let units: UnitTable
  /// The units of declared facts, without the units of the language.
  private let declaredUnits: [MeasureUnit]
  /// The devices by role.
  public let roles: DeviceRoles

  /// Combines the facts of the manifests with the facts that clients declare. Of two facts with equal paths,
  /// the first is used.
  public init(manifests: [Manifest], declared: [FactSchema] = []) {
    let sorted = manifests.sorted { $0.device < $1.device }
    self.manifests = sorted
    roles = DeviceRoles(sorted)
    declaredUnits = declared.compactMap(\.unit).filter {
      !$0.symbol.isEmpty && MeasureUnit.named($0.symbol) == nil
    }
    units = UnitTable(sorted.flatMap(\.units) + declaredUnits)
    var byPath: [String: FactSchema] = [:]
    for schema in sorted.flatMap({ Self.facts(of: $0) }) + declared where byPath[schema.path] == nil {
      byPath[schema.path] = schema
    }
    let all = byPath.values.sorted { $0.path < $1.path }
    facts = all.filter { !$0.isFamily }
    families = all.filter(\.isFamily)
    let missing = StandardFact.all.map(\.schema).filter { byPath[$0.path] == nil }
    absent = facts.count..<facts.count + missing.count
    facts += missing
    self.computed = []
    self.factNumbers = Dictionary(uniqueKeysWithValues: facts.enumerated().map { ($1.path, $0) })
    self.deviceNumbers = Dictionary(
      sorted.enumerated().map { ($1.device, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private init(_ published: Vocabulary, _ computed: [ComputedFact]) {
    var facts = Array(published.facts.prefix(published.absent.upperBound))
    var numbers = published.factNumbers
    for fact in published.facts.dropFirst(facts.count) { numbers[fact.path] = nil }
    // The order of the named facts must not depend on the order of the policies.
    let named = computed.filter(\.isKeyed).map(\.schema.path).sorted()
    for schema in named.compactMap({ published.keyedSchema($0) }) where numbers[schema.path] == nil {
      numbers[schema.path] = facts.count
      facts.append(schema)
    }
    var added: [ComputedFact] = []
    for fact in computed where !fact.isKeyed && numbers[fact.schema.path] == nil {
      numbers[fact.schema.path] = facts.count
      facts.append(fact.schema)
      added.append(fact)
    }
    manifests = published.manifests
    absent = published.absent
    families = published.families
    deviceNumbers = published.deviceNumbers
    roles = published.roles
    units = published.units
    declaredUnits = published.declaredUnits
    self.facts = facts
    self.computed = added
    factNumbers = numbers
  }

  /// Returns a vocabulary with the same devices and published facts, but with these computed facts, and with
  /// these facts of families.
  ///
  /// Of two facts with equal paths, the first is used.
  public func computing(_ computed: [ComputedFact]) -> Vocabulary { Vocabulary(self, computed) }

  /// Returns a vocabulary with the same devices and published facts, and with the facts of families that
  /// policies with these computed facts name.
  public func naming(_ computed: [ComputedFact]) -> Vocabulary { self.computing(computed.filter(\.isKeyed)) }

  /// Appends a computed fact, unless a fact with its path exists. A fact of a family is inserted before the
  /// computed facts.
  public mutating func add(_ fact: ComputedFact) {
    guard factNumbers[fact.schema.path] == nil else { return }
    if fact.isKeyed {
      guard let schema = keyedSchema(fact.schema.path) else { return }
      let place = firstComputed
      facts.insert(schema, at: place)
      for number in place..<facts.count { factNumbers[facts[number].path] = number }
      return
    }
    factNumbers[fact.schema.path] = facts.count
    facts.append(fact.schema)
    computed.append(fact)
  }

  /// The indexes of the facts of families that policies name.
  public var keyed: Range<Int> { absent.upperBound..<firstComputed }

  /// Returns the index of the family that declares the fact with this path, and the key of the fact. Nil when
  /// no family declares it.
  public func family(of path: String) -> (number: Int, key: String)? {
    guard !families.isEmpty else { return nil }
    for (number, family) in families.enumerated() {
      if let key = family.key(of: path) { return (number, key) }
    }
    return nil
  }

  /// Returns the schema of the fact with this path, which a family declares; nil when no family declares it.
  public func keyedSchema(_ path: String) -> FactSchema? {
    family(of: path).map { families[$0.number].keyed($0.key) }
  }

  /// Returns the schema of the fact with this path: a single fact, or a fact of a family that a policy need
  /// not name. Nil when there is no such fact.
  public func declaredSchema(_ path: String) -> FactSchema? { schema(path) ?? keyedSchema(path) }

  /// The index of the first computed fact.
  public var firstComputed: Int { facts.count - computed.count }

  /// The problem when one unit symbol is declared twice with different dimensions or factors; nil without
  /// such a conflict. The declarations are in two manifests, or in a manifest and a file with declared facts.
  public var unitConflict: Problem? {
    var owners: [String: (name: String, unit: MeasureUnit)] = [:]
    let declarations = manifests.flatMap { manifest in manifest.units.map { (manifest.device.path, $0) } }
    for (name, unit) in declarations + declaredUnits.map({ ("the file with “declares”", $0) }) {
      guard let owner = owners[unit.symbol], owner.unit != unit else {
        owners[unit.symbol] = (name, unit)
        continue
      }
      return Problem(
        .duplicate, place: "the unit \(unit.symbol)",
        cause: "\(owner.name) and \(name) declare the unit with different dimensions or factors",
        remedy: "give it another symbol in one of them")
    }
    return nil
  }

  /// Returns the index of the fact with this path; nil when there is no such fact.
  public func fact(_ path: String) -> Int? { factNumbers[path] }

  /// Returns true for a standard fact that no device, client or scenario publishes.
  public func isAbsent(_ fact: Int) -> Bool { absent.contains(fact) }

  /// Returns the index of a device in `manifests`; nil when there is no such device.
  public func device(_ device: DeviceID) -> Int? { deviceNumbers[device] }

  /// Returns the schema of the fact with this path; nil when there is no such fact.
  public func schema(_ path: String) -> FactSchema? { factNumbers[path].map { facts[$0] } }

  /// Returns the manifest of a device; nil when there is no such device.
  public func manifest(_ device: DeviceID) -> Manifest? { deviceNumbers[device].map { manifests[$0] } }

  private static func facts(of manifest: Manifest) -> [FactSchema] {
    guard manifest.kind != .source else { return manifest.facts }
    let path = manifest.device.path
    let maintained = [
      FactSchema(
        path: path + ".on", type: .boolean, device: manifest.device,
        meaning: "true when the device draws more than its floor power"),
      FactSchema(
        path: path + ".state", type: .symbol(manifest.states.map(\.name)), device: manifest.device,
        meaning: "the power state that the device reported last"),
      FactSchema(
        path: path + ".available", type: .boolean, device: manifest.device,
        meaning: "true when the device is present and able to serve"),
    ]
    return maintained + manifest.facts
  }
}

/// The current values: the last value of each fact of a vocabulary, by index, with its instant.
public struct FactTable: Sendable {
  private var values: [FactValue]
  private var instants: [Instant]

  /// Makes a table in which every fact is unknown.
  public init(count: Int) {
    values = Array(repeating: .unknown, count: count)
    instants = Array(repeating: .epoch, count: count)
  }

  /// The number of facts.
  public var count: Int { values.count }

  /// Sets a value. The caller must validate the value with the schema, and instants must never decrease.
  public mutating func set(_ fact: Int, _ value: FactValue, at instant: Instant) {
    values[fact] = value
    instants[fact] = instant
  }

  /// Returns the last value of a fact, regardless of its age.
  public func value(_ fact: Int) -> FactValue { values[fact] }

  /// Returns the instant of the last value; the epoch before the first value.
  public func instant(_ fact: Int) -> Instant { instants[fact] }

  /// Returns the last value, or unknown when it is older than `maxAge` at `now`. A value of exactly this age
  /// is still valid.
  public func value(_ fact: Int, at now: Instant, maxAge: TimeSpan?) -> FactValue {
    guard let maxAge, values[fact] != .unknown else { return values[fact] }
    return now - instants[fact] > maxAge ? .unknown : values[fact]
  }
}
