import StintFormats
public import StintModel
public import StintUnits

/// The power figures of the simulated devices: the figures of the reference phone, or figures published for
/// real devices.
///
/// A profile changes only the manifests of the devices; the plugins do not change. Its name is one of
/// `names`, or several of them joined by `+`, such as `pixel5+umts2012`. At most one of them may be a phone
/// or tracker; the others are radios. A radio in the name replaces the radio of the phone or tracker. When
/// the name contains only radios, they replace those of the reference phone.
public struct DeviceProfile: Sendable {
  /// The name of the profile.
  public let name: String
  /// The devices of the profile, sorted.
  public let devices: [DeviceID]
  private let texts: [DeviceID: String]

  /// The names of all profiles and parts.
  public static let names = ProfilePart.all.map(\.name)

  /// The profile of the reference phone. Tests that check exact energies use it.
  public static let reference = DeviceProfile(
    name: "reference", devices: ReferencePhone.deviceNames,
    texts: BuiltInFiles.manifests.mapValues { String(decoding: $0, as: UTF8.self) })

  private init(name: String, devices: [DeviceID], texts: [DeviceID: String]) {
    self.name = name
    self.devices = devices
    self.texts = texts
  }

  /// Makes the profile of this name.
  ///
  /// - Throws: a problem when a part of the name is unknown or empty, when the name contains two whole
  ///   devices, or when two radio parts describe the same radio.
  public init(named name: String) throws(Problem) {
    var chosen: [ProfilePart] = []
    for word in name.split(separator: "+", omittingEmptySubsequences: false) {
      guard !word.isEmpty else {
        throw Self.refusal(
          name, name.isEmpty ? "the name of the device profile is empty" : "a name is missing beside a “+”",
          remedy: "write one of: \(Self.names.joined(separator: ", "))")
      }
      guard let part = ProfilePart.all.first(where: { $0.name == word }) else {
        throw Self.refusal(
          name, "no device profile is named “\(word)”",
          remedy:
            "known: \(Self.names.joined(separator: ", ")); join parts with +, as in pixel5+umts2012")
      }
      chosen.append(part)
    }
    let wholes = chosen.filter(\.isWhole)
    guard wholes.count <= 1 else {
      throw Self.refusal(
        name, "\(wholes[0].name) and \(wholes[1].name) are both whole devices", remedy: "name one of them")
    }
    let radios = chosen.filter { !$0.isWhole }
    for (place, radio) in radios.enumerated() {
      if let twin = radios[..<place].first(where: {
        !Set($0.parts.map(\.device)).isDisjoint(with: radio.parts.map(\.device))
      }) {
        throw Self.refusal(
          name, "\(twin.name) and \(radio.name) both describe the same radio", remedy: "name one of them")
      }
    }
    let whole = wholes.first ?? .reference
    let devices = whole.devices ?? ReferencePhone.deviceNames
    self.init(
      name: name, devices: devices, texts: try Self.texts(devices, whole.parts + radios.flatMap(\.parts)))
  }

  /// Returns the manifests of all devices, sorted by device.
  ///
  /// - Throws: a problem when a manifest cannot be read. A test reads all shipped profiles, so they never
  ///   cause this problem.
  public func manifests() throws(Problem) -> [Manifest] {
    var manifests: [Manifest] = []
    for device in devices { manifests.append(try manifest(device)) }
    return manifests
  }

  /// Returns the JSON text of a device's manifest; empty when there is no such device.
  public func manifestText(_ device: DeviceID) -> String {
    devices.contains(device) ? texts[device] ?? "" : ""
  }

  func manifest(_ device: DeviceID) throws(Problem) -> Manifest {
    try ManifestReader.manifest(of: Array(manifestText(device).utf8), source: "\(name): \(device).json")
  }

  private static func texts(
    _ devices: [DeviceID], _ parts: [DevicePart]
  ) throws(Problem) -> [DeviceID: String] {
    var texts: [DeviceID: String] = [:]
    for device in devices {
      let bytes = BuiltInFiles.manifests[device] ?? []
      let own = parts.filter { $0.device == device }
      guard !own.isEmpty else {
        texts[device] = String(decoding: bytes, as: UTF8.self)
        continue
      }
      var manifest: JSONValue
      manifest = try JSONReader.value(of: bytes, source: "\(device).json")
      for part in own { manifest = part.applied(to: manifest) }
      texts[device] = JSONWriter.text(of: manifest)
    }
    return texts
  }

  private static func refusal(_ name: String, _ cause: String, remedy: String) -> Problem {
    Problem(.unknownName, place: Problem.Place(name, part: "profile"), cause: cause, remedy: remedy)
  }
}

/// A component of a profile: a whole phone or tracker, or one radio.
///
/// The comments on figures name their source in parentheses: *read* (in the cited document), *second-hand*
/// (quoted by another document), *recalled* (from memory, not verified in the document), *derived* (computed
/// from other figures) or *assumed*.
struct ProfilePart: Sendable {
  /// The name of the part in `--profile`.
  let name: String
  /// The description for users.
  let title: String
  /// The devices of a whole phone or tracker, sorted; nil for a part that describes one radio.
  var devices: [DeviceID]? = nil
  /// The differences from the reference phone.
  let parts: [DevicePart]

  /// True when the part describes a whole phone or tracker rather than one radio.
  var isWhole: Bool { devices != nil }

  /// All parts, in the order in which they are listed for users.
  static let all: [ProfilePart] = [
    reference, Pixel5.part, Nexus5.part, M8Tracker.part, LTE2012.part, UMTS2012.part, UMTS2009.part,
    WiFi2012.part,
  ]

  /// The reference phone, with the fixed figures of the exact tests.
  static let reference = ProfilePart(
    name: "reference", title: "the reference phone", devices: ReferencePhone.deviceNames, parts: [])
}

/// The figures of one device in a profile: manifest members that replace those of the reference phone.
struct DevicePart: Sendable {
  let device: DeviceID
  /// Members that are replaced as a whole: `states`, `events`, `fifo`.
  var members: [JSONMember] = []
  /// Figures that are replaced one by one; the other figures keep their values.
  var figures: [JSONMember] = []

  init(_ device: DeviceID, _ members: [(String, JSONValue)], figures: [(String, JSONValue)] = []) {
    self.device = device
    self.members = members.map { JSONMember($0.0, $0.1) }
    self.figures = figures.map { JSONMember($0.0, $0.1) }
  }

  /// Returns the manifest with this part applied.
  func applied(to manifest: JSONValue) -> JSONValue {
    var result = manifest.members ?? []
    for member in members { Self.set(member, in: &result) }
    if !figures.isEmpty {
      var all = manifest["figures"]?.members ?? []
      for figure in figures { Self.set(figure, in: &all) }
      Self.set(JSONMember("figures", JSONValue(all)), in: &result)
    }
    return JSONValue(result)
  }

  private static func set(_ member: JSONMember, in members: inout [JSONMember]) {
    if let place = members.firstIndex(where: { $0.name == member.name }) {
      members[place].value = member.value
    } else {
      members.append(member)
    }
  }
}

extension JSONValue {
  /// Returns a power state for a manifest.
  static func powerState(_ name: String, _ power: String, on isOn: Bool) -> JSONValue {
    ["name": JSONValue(name), "power": JSONValue(power), "on": JSONValue(isOn)]
  }

  /// Returns a priced event for a manifest.
  static func event(_ name: String, _ energy: String) -> JSONValue {
    ["name": JSONValue(name), "energy": JSONValue(energy)]
  }

  /// Returns a transition between two power states.
  static func move(_ from: String, _ to: String) -> JSONValue { [JSONValue(from), JSONValue(to)] }
}
