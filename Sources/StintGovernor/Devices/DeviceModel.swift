import StintModel
import StintUnits

/// What of a device stays as it is: its manifest, and what steps look up in it, worked out once.
final class DeviceModel: Sendable {
  let manifest: Manifest
  let kind: DeviceKind
  /// Numbers of the facts that the governor itself keeps; nil for a source.
  let onFact: Int?
  let stateFact: Int?
  let availableFact: Int?
  /// Facts of the device that the governor reads: its odometer and the accuracy of its last fix.
  let odometerFact: Int?
  let accuracyFact: Int?
  /// Devices of its ladder, itself included, cheapest first.
  let ladder: [Int]
  /// Devices from which it makes its samples; nil for one that is not there.
  let inputs: [Int?]
  /// Whether a `defer` may put its demands off.
  let mayDefer: Bool
  /// How long it stays on after its last demand, where no policy says otherwise.
  let linger: TimeSpan?
  /// What a demand gets that leaves accuracy or rate open.
  private let accuracy: Double?
  private let period: TimeSpan?
  /// The shortest period and the best accuracy that it can honour.
  private let shortest: TimeSpan?
  private let finest: Double?

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
        .sorted { Self.rank(vocabulary.manifests[$0]) < Self.rank(vocabulary.manifests[$1]) }
    } else {
      ladder = vocabulary.device(manifest.device).map { [$0] } ?? []
    }
    inputs = manifest.inputs.map { vocabulary.device($0) }
    mayDefer = manifest.verbs.contains(.defer)
    linger = Self.number("linger", of: manifest).flatMap { TimeSpan(seconds: $0) }
    accuracy = Self.number("accuracy", of: manifest)
    period = Self.number("rate", of: manifest).flatMap { Quantity($0, .rate).period }
    let fastest = manifest.attribute(named: "rate")?.range?.upperBound ?? 0
    shortest = fastest > 0 ? Quantity(fastest, .rate).period ?? TimeSpan.zero : nil
    finest = manifest.attribute(named: "accuracy")?.range?.lowerBound
  }

  private static func rank(_ manifest: Manifest) -> Int { manifest.ladder?.rank ?? 0 }

  /// The value of an attribute where no client and no policy says one.
  private static func number(_ name: String, of manifest: Manifest) -> Double? {
    guard case .number(let number)? = manifest.attribute(named: name)?.fallback else { return nil }
    return number
  }

  /// What a client asks, with what it leaves open taken from the policies' defaults and the manifest.
  func complete(_ wants: DemandSettings, by defaults: DemandSettings?) -> DemandSettings {
    var wants = defaults.map { wants.completed(by: $0) } ?? wants
    if wants.accuracy == nil { wants.accuracy = accuracy }
    if wants.period == nil { wants.period = period }
    return wants
  }

  /// Rounds a grant to what the device can honour.
  func clamp(_ grant: inout Grant) {
    if let shortest { grant.period = max(grant.period ?? shortest, shortest) }
    if let finest, let accuracy = grant.accuracy { grant.accuracy = max(accuracy, finest) }
  }
}
