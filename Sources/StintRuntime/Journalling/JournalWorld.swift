public import StintUnits

/// The world of a journal: all data that a replay needs to create an identical governor.
public struct JournalWorld: Hashable, Sendable {
  /// The manifests of the devices, as JSON texts.
  public var manifests: [String]
  /// The scenario as JSON text; empty on real hardware.
  public var scenario: String
  /// The seed of the random numbers.
  public var seed: UInt64
  /// The rules of local time.
  public var timeZone: TimeZoneRules

  /// Creates a world.
  public init(manifests: [String], scenario: String, seed: UInt64, timeZone: TimeZoneRules) {
    self.manifests = manifests
    self.scenario = scenario
    self.seed = seed
    self.timeZone = timeZone
  }

  func encoded() -> [UInt8] {
    var bytes = ByteWriter()
    bytes.integer(Int64(manifests.count))
    for manifest in manifests { bytes.text(manifest) }
    bytes.text(scenario)
    bytes.integer(Int64(bitPattern: seed))
    timeZone.write(to: &bytes)
    return bytes.bytes
  }

  package init(from reader: inout ByteReader) throws(CodingFault) {
    var manifests: [String] = []
    for _ in 0..<(try reader.count()) { manifests.append(try reader.text()) }
    let scenario = try reader.text()
    let seed = UInt64(bitPattern: try reader.integer())
    let timeZone = try TimeZoneRules(from: &reader)
    self.init(manifests: manifests, scenario: scenario, seed: seed, timeZone: timeZone)
  }
}

/// The source text of a policy file, with the name of the file.
public struct JournalPolicy: Hashable, Sendable {
  /// The name or path of the file.
  public var file: String
  /// The source text.
  public var text: String

  /// Creates a policy file.
  public init(file: String, text: String) {
    self.file = file
    self.text = text
  }
}
