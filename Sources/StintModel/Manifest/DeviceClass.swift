import StintUnits

/// A class of devices, such as the gyroscopes. The class states the parts of the manifest that policies and
/// apps can expect of each of its devices.
///
/// A device belongs to the classes in its manifest's `"classes"`, to the class with its name, and to the
/// class of its kind.
public struct DeviceClass: Hashable, Sendable {
  /// A part of the manifest that the class describes.
  public struct Part: Hashable, Sendable {
    /// The name of the channel, fact, attribute or figure. The full path of a fact contains a dot.
    public var name: String
    /// The type of its values.
    public var type: FactType
    /// True when a device of the class may lack the part.
    public var isOptional: Bool

    /// Makes a part.
    public init(name: String, type: FactType, isOptional: Bool = false) {
      self.name = name
      self.type = type
      self.isOptional = isOptional
    }
  }

  /// The name, which is also the name of the standard device of the class, such as `motion.gyro`.
  public var name: String
  /// A device of the class, with its article: `a gyroscope`.
  public var title: String
  /// The kind of all devices of the class.
  public var kind: DeviceKind
  /// The roles of all devices of the class.
  public var roles: Set<DeviceRole>
  /// The channels; those that are not optional are the first channels of a sample, in this order.
  public var channels: [Part]
  /// The facts.
  public var facts: [Part]
  /// The attributes.
  public var attributes: [Part]
  /// The figures.
  public var figures: [Part]
  /// The names of the checks of `stint plugin check` that a device of the class must pass. A check that was
  /// not tried counts as not passed.
  public var essential: [String]
  /// Plugins and commands that provide such a device, for people.
  public var providers: [String]

  /// Makes a class without parts.
  public init(name: String, title: String, kind: DeviceKind) {
    self.name = name
    self.title = title
    self.kind = kind
    (roles, channels, facts, attributes, figures) = ([], [], [], [], [])
    (essential, providers) = ([], [])
  }

  /// Returns the path of a fact of the class for a device.
  public func path(of fact: Part, for device: DeviceID) -> String {
    fact.name.contains(".") ? fact.name : "\(device.path).\(fact.name)"
  }

  /// Returns a sentence for each difference between a manifest and the class. Empty when the device belongs
  /// to the class.
  public func differences(from manifest: Manifest) -> [String] {
    guard manifest.kind == kind else {
      return ["\(title) is a \(kind.rawValue), not a \(manifest.kind.rawValue)"]
    }
    let channels = manifest.channels.map { channel -> (name: String, type: FactType?) in
      let type = manifest.unit(of: channel).map { FactType.quantity($0.dimension) }
      return (channel.name, channel.bytes == nil ? type ?? .symbol(channel.options) : nil)
    }
    let expected = self.channels.filter { !$0.isOptional }.map(\.name)
    let isOrdered = manifest.channels.map(\.name).starts(with: expected)
    let missing = roles.subtracting(manifest.provides).sorted()
    return missing.map { "\(title) has the role “\($0.rawValue)”" }
      + differences("channel", self.channels, channels) { $0.name }
      + (isOrdered ? [] : ["the first channels of \(title) are \(expected.joined(separator: ", "))"])
      + differences("fact", facts, manifest.facts.map { ($0.path, $0.type) }) {
        path(of: $0, for: manifest.device)
      }
      + differences("attribute", attributes, manifest.attributes.map { ($0.name, $0.type) }) { $0.name }
      + differences("figure", figures, manifest.figures.map { ($0.key, .quantity($0.value.dimension)) }) {
        $0.name
      }
  }

  /// Returns a sentence for each difference between parts of the class and parts of the manifest. A part of
  /// the manifest without a type is a channel of bytes.
  private func differences(
    _ word: String, _ parts: [Part], _ found: [(name: String, type: FactType?)], name: (Part) -> String
  ) -> [String] {
    parts.compactMap { part in
      let name = name(part)
      guard let same = found.first(where: { $0.name == name }) else {
        return part.isOptional ? nil : "\(title) has the \(word) “\(name)” (\(part.type.name))"
      }
      if case .symbol(let words) = part.type, case .symbol(let others)? = same.type,
        words.allSatisfy(others.contains)
      {
        return nil
      }
      return same.type == part.type
        ? nil : "the \(word) “\(name)” of \(title) is \(part.type.name), not \(same.type?.name ?? "bytes")"
    }
  }
}
