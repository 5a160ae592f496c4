import StintFormats
public import StintModel
public import StintUnits

/// Whose power figures the simulated devices have: the reference phone's, or those published for real ones.
///
/// A profile chooses manifests for the same kinds of devices; the programs behind them are the same. Its name is one
/// of `names`, or a phone and radios with `+` between them, as in `pixel5+umts2012`: a radio takes the place of the
/// phone's own, and without a phone stands in the reference phone.
public struct DeviceProfile: Sendable {
  public let name: String
  /// The devices that there are, sorted.
  public let devices: [DeviceID]
  private let texts: [DeviceID: String]

  /// The names that there are.
  public static let names = ProfilePart.all.map(\.name)

  /// The profile of the exact tests.
  public static let reference = DeviceProfile(
    name: "reference", devices: ReferencePhone.deviceNames,
    texts: BuiltInFiles.manifests.mapValues { String(decoding: $0, as: UTF8.self) })

  private init(name: String, devices: [DeviceID], texts: [DeviceID: String]) {
    self.name = name
    self.devices = devices
    self.texts = texts
  }

  /// The profile of this name.
  ///
  /// - Throws: when a part of the name is none, or two parts say something about the same device.
  public init(named name: String) throws(Problem) {
    var chosen: [ProfilePart] = []
    for word in name.split(separator: "+", omittingEmptySubsequences: false) {
      guard !word.isEmpty else {
        throw Self.refusal(
          name, name.isEmpty ? "the name of the device profile is empty" : "a name is missing beside a “+”",
          step: "there are: \(Self.names.joined(separator: ", "))")
      }
      guard let part = ProfilePart.all.first(where: { $0.name == word }) else {
        throw Self.refusal(
          name, "no device profile is named “\(word)”",
          step:
            "there are: \(Self.names.joined(separator: ", ")); phone and radio with +, as in pixel5+umts2012")
      }
      chosen.append(part)
    }
    let wholes = chosen.filter(\.isWhole)
    guard wholes.count <= 1 else {
      throw Self.refusal(
        name, "\(wholes[0].name) and \(wholes[1].name) are both whole devices", step: "name one of them")
    }
    let radios = chosen.filter { !$0.isWhole }
    for (place, radio) in radios.enumerated() {
      if let twin = radios[..<place].first(where: {
        !Set($0.parts.map(\.device)).isDisjoint(with: radio.parts.map(\.device))
      }) {
        throw Self.refusal(
          name, "\(twin.name) and \(radio.name) are the same radio", step: "name one of them")
      }
    }
    let whole = wholes.first ?? .reference
    let devices = whole.devices ?? ReferencePhone.deviceNames
    self.init(
      name: name, devices: devices, texts: try Self.texts(devices, whole.parts + radios.flatMap(\.parts)))
  }

  /// The manifests of all devices, sorted by device.
  ///
  /// - Throws: never, for the profiles that ship with Stint; a test reads them all.
  public func manifests() throws(Problem) -> [Manifest] {
    var manifests: [Manifest] = []
    for device in devices { manifests.append(try manifest(device)) }
    return manifests
  }

  /// The JSON text of a device's manifest; empty when there is no such device.
  public func manifestText(_ device: DeviceID) -> String {
    devices.contains(device) ? texts[device] ?? "" : ""
  }

  /// The manifest of a device.
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

  private static func refusal(_ name: String, _ cause: String, step: String) -> Problem {
    Problem(.unknownName, place: Problem.Place(name, part: "profile"), cause: cause, remedy: step)
  }
}

/// One of the things that a profile is put together from: a phone, a radio, the motion sensors.
struct ProfilePart: Sendable {
  /// How `--profile` names it.
  let name: String
  /// What it is, for people.
  let title: String
  /// The devices that there are, sorted; nil for those of the reference phone.
  var devices: [DeviceID]? = nil
  /// What differs from the reference phone.
  let parts: [DevicePart]

  /// Whether it stands for a whole device rather than for a radio of one.
  var isWhole: Bool { devices != nil }

  /// All profiles, in the order in which they are listed.
  static let all: [ProfilePart] = [
    reference, Pixel5.part, Nexus5.part, M8Tracker.part, LTE2012.part, UMTS2012.part, UMTS2009.part,
    WiFi2012.part,
  ]

  /// The fixed arithmetic of the exact tests.
  static let reference = ProfilePart(
    name: "reference", title: "the reference phone", devices: ReferencePhone.deviceNames, parts: [])
}

/// What a profile says about one device: members of its manifest that take the place of the reference phone's.
struct DevicePart: Sendable {
  let device: DeviceID
  /// Whole members: `states`, `events`, `fifo`.
  var members: [JSONMember] = []
  /// Single figures; those that are not named stay as they are.
  var figures: [JSONMember] = []

  init(_ device: DeviceID, _ members: [(String, JSONValue)], figures: [(String, JSONValue)] = []) {
    self.device = device
    self.members = members.map { JSONMember($0.0, $0.1) }
    self.figures = figures.map { JSONMember($0.0, $0.1) }
  }

  /// The manifest with this part in it.
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
  /// A power state of a manifest.
  static func powerState(_ name: String, _ power: String, on isOn: Bool) -> JSONValue {
    ["name": JSONValue(name), "power": JSONValue(power), "on": JSONValue(isOn)]
  }

  /// A priced event of a manifest.
  static func event(_ name: String, _ energy: String) -> JSONValue {
    ["name": JSONValue(name), "energy": JSONValue(energy)]
  }

  /// A move between two power states.
  static func move(_ from: String, _ to: String) -> JSONValue { [JSONValue(from), JSONValue(to)] }
}
