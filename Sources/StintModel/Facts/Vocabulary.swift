import StintUnits

/// Every device and fact that a policy may name, each with a number; made once for a bus, shared by the
/// checker, the
/// compiler and the governor.
///
/// For each device that is not a `source` the facts `DEVICE.on`, `DEVICE.state` and `DEVICE.available` are
/// added;
/// the governor keeps them itself.
public struct Vocabulary: Hashable, Sendable {
  /// Sorted by device name.
  public let manifests: [Manifest]
  /// Sorted by path; a fact's number is its place here.
  public let facts: [FactSchema]
  private let factNumbers: [String: Int]
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
    self.factNumbers = Dictionary(uniqueKeysWithValues: facts.enumerated().map { ($1.path, $0) })
    self.deviceNumbers = Dictionary(
      sorted.enumerated().map { ($1.device, $0) }, uniquingKeysWith: { first, _ in first })
  }

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
