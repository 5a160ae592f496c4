import StintFormats
public import StintLanguage
public import StintModel
import StintSimulation
import StintUnits

/// A device that a policy uses and that is missing, with the plugins that would provide it.
public struct MissingDevice: Hashable, Sendable {
  /// The name in the policy.
  public let device: DeviceID
  /// The description of the device for people, such as `an accelerometer`.
  public let title: String
  /// True when the policy is not loaded without the device.
  public let isRequired: Bool
  /// Plugins and commands that would provide the device.
  public let providers: [String]

  /// Finds the devices that a policy uses and that the vocabulary lacks, in the order of the policy.
  public static func all(in policy: PolicyFile, _ vocabulary: Vocabulary) -> [MissingDevice] {
    policy.items.compactMap { item in
      guard case .use(let use) = item, !use.path.text.isEmpty,
        vocabulary.manifest(use.device(in: vocabulary)) == nil
      else { return nil }
      return MissingDevice(use)
    }
  }

  private init(_ use: UseItem) {
    self.device = DeviceID(use.path.text)
    isRequired = use.isRequired
    // The reference phone has a manifest for each device of the shipped policies.
    let device = Self.device(of: use)
    let manifest = ReferencePhone.manifest(device) ?? Manifest(device: device, kind: .sensor, title: "")
    let classes = DeviceClassReader.classes(of: manifest)
    let named = classes.first { $0.name == device.path }
    title = named?.title ?? (manifest.title.isEmpty ? "a device of this name" : manifest.title)
    providers = classes.first { !$0.providers.isEmpty }?.providers ?? []
  }

  /// Returns the device of the reference phone that the policy would use; for a pattern, the best match.
  private static func device(of use: UseItem) -> DeviceID {
    do throws(Problem) {
      return use.device(in: Vocabulary(manifests: try ReferencePhone.manifests()))
    } catch { return DeviceID(use.path.text) }
  }

  /// One line with the device, whether the policy needs the device, and the possible providers.
  public var text: String {
    let need = isRequired ? ", without which the policy is not loaded" : ""
    let source = providers.isEmpty ? "" : "; provided by \(providers.joined(separator: ", or by "))"
    return "\(device): \(title)\(need)\(source)"
  }
}
