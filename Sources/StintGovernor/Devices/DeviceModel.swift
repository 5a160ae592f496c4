import StintModel
import StintUnits

/// The constant properties of a device: its manifest, and values that steps need, computed once.
final class DeviceModel: Sendable {
  let manifest: Manifest
  let kind: DeviceKind
  /// The indexes of the facts that the governor publishes for the device; nil for a source.
  let onFact: Int?
  let stateFact: Int?
  let availableFact: Int?
  /// The facts of the device that the governor reads: its odometer and the accuracy of its last fix.
  let odometerFact: Int?
  let accuracyFact: Int?
  /// The devices of this device's ladder, including this device, cheapest first.
  let ladder: [Int]
  /// The devices that this device uses as inputs; nil for an input that the host does not have.
  let inputs: [Int?]
  /// How the device idles between two samples; nil for a device that stays on.
  let idle: IdleModeChoice?
  /// True when a `defer` can postpone demands on the device.
  let mayDefer: Bool
  /// The time for which the device stays on after its last demand, unless a policy specifies another time.
  /// Nil when the manifest has no default.
  let linger: TimeSpan?
  /// The default accuracy and period of a demand.
  private let accuracy: Double?
  private let period: TimeSpan?
  /// The shortest period and the best accuracy that the device supports.
  private let shortest: TimeSpan?
  private let finest: Double?
  /// The default values of the attributes that only the manifest defines (see `AttributeValues`).
  private let attributes: AttributeValues
  /// True when the device has no attributes that only its manifest defines.
  private let isPlain: Bool

  init(_ manifest: Manifest, _ vocabulary: Vocabulary) {
    let path = manifest.device.path
    self.manifest = manifest
    kind = manifest.kind
    onFact = vocabulary.fact(path + ".on")
    stateFact = vocabulary.fact(path + ".state")
    availableFact = vocabulary.fact(path + ".available")
    odometerFact = vocabulary.fact(path + ".distance")
    accuracyFact = vocabulary.fact(path + ".accuracy")
    if let name = manifest.ladder?.name {
      ladder = vocabulary.manifests.indices
        .filter { vocabulary.manifests[$0].ladder?.name == name }
        // Of devices with equal ranks, the first one by name comes first.
        .sorted { (Self.rank(vocabulary.manifests[$0]), $0) < (Self.rank(vocabulary.manifests[$1]), $1) }
    } else {
      ladder = vocabulary.device(manifest.device).map { [$0] } ?? []
    }
    inputs = manifest.inputs.map { vocabulary.device($0) }
    idle = IdleModeChoice(manifest)
    mayDefer = manifest.verbs.contains(.defer)
    linger = Self.number("linger", of: manifest).flatMap { TimeSpan(seconds: $0) }
    accuracy = Self.number("accuracy", of: manifest)
    period = Self.number("rate", of: manifest).flatMap { Quantity($0, .rate).period }
    let fastest = manifest.attribute(named: "rate")?.range?.upperBound ?? 0
    shortest = fastest > 0 ? Quantity(fastest, .rate).period ?? TimeSpan.zero : nil
    finest = manifest.attribute(named: "accuracy")?.range?.lowerBound
    let own = manifest.ownAttributes
    isPlain = own.isEmpty
    var attributes = AttributeValues()
    for schema in own { attributes[schema.name] = schema.fallbackValue }
    self.attributes = attributes
  }

  private static func rank(_ manifest: Manifest) -> Int { manifest.ladder?.rank ?? 0 }

  /// Returns the default of a numeric attribute in the manifest, for demands and policies that do not specify
  /// it. Nil without a default.
  private static func number(_ name: String, of manifest: Manifest) -> Double? {
    guard case .number(let number)? = manifest.attribute(named: name)?.fallback else { return nil }
    return number
  }

  /// Returns a demand's settings. Settings that the demand omits come from the policies' defaults and the
  /// manifest.
  func complete(_ wants: DemandSettings, by defaults: DemandSettings?) -> DemandSettings {
    var wants = defaults.map { wants.completed(by: $0) } ?? wants
    if wants.accuracy == nil { wants.accuracy = accuracy }
    if wants.period == nil { wants.period = period }
    if !isPlain { wants.attributes = manifest.supported(wants.attributes).completed(by: attributes) }
    return wants
  }

  /// Limits the period, the accuracy and the attributes of a grant to values that the device supports.
  func clamp(_ grant: inout Grant) {
    if let shortest { grant.period = max(grant.period ?? shortest, shortest) }
    if let finest, let accuracy = grant.accuracy { grant.accuracy = max(accuracy, finest) }
    grant.attributes = manifest.supported(grant.attributes)
  }
}
