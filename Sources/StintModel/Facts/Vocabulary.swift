public import StintUnits

/// Every device and fact that a policy may name, each with a number; made once for a bus, shared by the
/// checker, the
/// compiler and the governor.
///
/// For each device that is not a `source` the facts `DEVICE.on`, `DEVICE.state` and `DEVICE.available` are
/// added;
/// the governor keeps them itself. Policies that are loaded add what they compute.
public struct Vocabulary: Hashable, Sendable {
  /// Sorted by device name.
  public let manifests: [Manifest]
  /// Those that are published sorted by path, then those that are computed; a fact's number is its place here.
  public private(set) var facts: [FactSchema]
  /// The facts behind the published ones, in the order in which policies ask for them.
  public private(set) var computed: [ComputedFact]
  private var factNumbers: [String: Int]
  private let deviceNumbers: [DeviceID: Int]

  /// Joins the facts of the manifests with those that clients declare; of two of one name the first stays.
  public init(manifests: [Manifest], declared: [FactSchema] = []) {
    let sorted = manifests.sorted { $0.device < $1.device }
    self.manifests = sorted
    var byPath: [String: FactSchema] = [:]
    for schema in sorted.flatMap({ Self.facts(of: $0) }) + declared where byPath[schema.path] == nil {
      byPath[schema.path] = schema
    }
    self.facts = byPath.values.sorted { $0.path < $1.path }
    self.computed = []
    self.factNumbers = Dictionary(uniqueKeysWithValues: facts.enumerated().map { ($1.path, $0) })
    self.deviceNumbers = Dictionary(
      sorted.enumerated().map { ($1.device, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private init(_ published: Vocabulary, _ computed: [ComputedFact]) {
    var facts = Array(published.facts.prefix(published.facts.count - published.computed.count))
    var numbers = published.factNumbers
    for fact in published.computed { numbers[fact.schema.path] = nil }
    var kept: [ComputedFact] = []
    for fact in computed where numbers[fact.schema.path] == nil {
      numbers[fact.schema.path] = facts.count
      facts.append(fact.schema)
      kept.append(fact)
    }
    manifests = published.manifests
    deviceNumbers = published.deviceNumbers
    self.facts = facts
    self.computed = kept
    factNumbers = numbers
  }

  /// The same devices and published facts with these computed ones in place of any others; of two of one name the
  /// first stays.
  public func computing(_ computed: [ComputedFact]) -> Vocabulary { Vocabulary(self, computed) }

  /// Adds a computed fact behind those that are there; none where a fact of its path is there already.
  public mutating func add(_ fact: ComputedFact) {
    guard factNumbers[fact.schema.path] == nil else { return }
    factNumbers[fact.schema.path] = facts.count
    facts.append(fact.schema)
    computed.append(fact)
  }

  /// The number of the first computed fact.
  public var firstComputed: Int { facts.count - computed.count }

  /// The number of the fact with this path.
  public func fact(_ path: String) -> Int? { factNumbers[path] }

  /// The number of the device with this name; a place in `manifests`.
  public func device(_ device: DeviceID) -> Int? { deviceNumbers[device] }

  /// The schema of the fact with this path.
  public func schema(_ path: String) -> FactSchema? { factNumbers[path].map { facts[$0] } }

  /// The manifest of the device with this name.
  public func manifest(_ device: DeviceID) -> Manifest? { deviceNumbers[device].map { manifests[$0] } }

  private static func facts(of manifest: Manifest) -> [FactSchema] {
    guard manifest.kind != .source else { return manifest.facts }
    let path = manifest.device.path
    let kept = [
      FactSchema(
        path: path + ".on", type: .boolean, device: manifest.device,
        meaning: "drawing more than its floor power"),
      FactSchema(
        path: path + ".state", type: .symbol(manifest.states.map(\.name)), device: manifest.device,
        meaning: "the power state it reported last"),
      FactSchema(
        path: path + ".available", type: .boolean, device: manifest.device,
        meaning: "present and able to serve"),
    ]
    return kept + manifest.facts
  }
}

/// What is believed now: a value, its instant and its age limit for each fact of a vocabulary, by number.
public struct FactTable: Sendable {
  private var values: [FactValue]
  private var instants: [Instant]

  /// Starts with every fact unknown.
  public init(count: Int) {
    values = Array(repeating: .unknown, count: count)
    instants = Array(repeating: .epoch, count: count)
  }

  public var count: Int { values.count }

  /// Writes a value; the caller has asked the schema for objections and keeps time from going back.
  public mutating func set(_ fact: Int, _ value: FactValue, at instant: Instant) {
    values[fact] = value
    instants[fact] = instant
  }

  /// The last value written, however old.
  public func value(_ fact: Int) -> FactValue { values[fact] }

  /// When the value was written; the epoch before any.
  public func instant(_ fact: Int) -> Instant { instants[fact] }

  /// The value if it is still fresh at `now`, else unknown: at exactly `maxAge` a value still stands.
  public func value(_ fact: Int, at now: Instant, maxAge: TimeSpan?) -> FactValue {
    guard let maxAge, values[fact] != .unknown else { return values[fact] }
    return now - instants[fact] > maxAge ? .unknown : values[fact]
  }
}
