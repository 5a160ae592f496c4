public import StintFormats
public import StintModel

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
  public init(named name: String) throws(FormatErrors) {
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
  public func manifests() throws(FormatErrors) -> [Manifest] {
    var manifests: [Manifest] = []
    for device in devices { manifests.append(try manifest(device)) }
    return manifests
  }

  /// The JSON text of a device's manifest; empty when there is no such device.
  public func manifestText(_ device: DeviceID) -> String {
    devices.contains(device) ? texts[device] ?? "" : ""
  }

  /// The manifest of a device.
  func manifest(_ device: DeviceID) throws(FormatErrors) -> Manifest {
    try ManifestReader.manifest(of: Array(manifestText(device).utf8), source: "\(name): \(device).json")
  }

  private static func texts(
    _ devices: [DeviceID], _ parts: [DevicePart]
  ) throws(FormatErrors) -> [DeviceID: String] {
    var texts: [DeviceID: String] = [:]
    for device in devices {
      let bytes = BuiltInFiles.manifests[device] ?? []
      let own = parts.filter { $0.device == device }
      guard !own.isEmpty else {
        texts[device] = String(decoding: bytes, as: UTF8.self)
        continue
      }
      var manifest: JSONValue
      do { manifest = try JSONReader.value(of: bytes, source: "\(device).json") } catch {
        throw FormatErrors(error)
      }
      for part in own { manifest = part.applied(to: manifest) }
      texts[device] = JSONWriter.text(of: manifest)
    }
    return texts
  }

  private static func refusal(_ name: String, _ cause: String, step: String) -> FormatErrors {
    FormatErrors(FormatError(.unknownName, source: name, path: "profile", cause: cause, step: step))
  }
}
