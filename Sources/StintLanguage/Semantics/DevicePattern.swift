public import StintModel

/// The devices that a `use` can name: one device by its full name, or the devices of a pattern.
///
/// `location.*` names the most accurate of all devices whose names begin with `location.`. So a policy works
/// with a receiver of another name, such as `location.ublox`.
extension UseItem {
  /// True when the name ends with `.*`.
  public var isPattern: Bool { path.text.hasSuffix(".*") }

  /// Returns the device that the item names: for a pattern, the best matching device. Without a matching
  /// device, returns the name as it is written.
  public func device(in vocabulary: Vocabulary) -> DeviceID {
    candidates(in: vocabulary).first?.device ?? DeviceID(path.text)
  }

  /// Returns the manifests of all devices that match the name and the condition, the device with the most
  /// accurate positions first. Devices of equal accuracy are sorted by name.
  func candidates(in vocabulary: Vocabulary) -> [Manifest] {
    guard isPattern else {
      return [vocabulary.manifest(DeviceID(path.text))].compactMap { $0 }.filter { accepts($0) ?? true }
    }
    let prefix = String(path.text.dropLast())
    return vocabulary.manifests.filter { $0.device.path.hasPrefix(prefix) && accepts($0) ?? true }
      .sorted { Self.order($0) < Self.order($1) }
  }

  /// Returns true when the first of the candidates can replace the others, because all publish positions.
  static func areExchangeable(_ candidates: [Manifest]) -> Bool {
    candidates.count < 2 || candidates.allSatisfy { $0.provides.contains(.positioning) }
  }

  /// Returns whether a device fulfils the condition, such as `vendor == "sim"`. True without a condition; nil
  /// for a condition that does not compare the vendor.
  func accepts(_ manifest: Manifest) -> Bool? {
    guard let condition else { return true }
    guard case .compare(let comparison, let left, let right) = condition.kind,
      case .path(let name) = left.kind, name.text == "vendor", case .string(let vendor) = right.kind
    else { return nil }
    switch comparison {
    case .equal: return manifest.vendor == vendor.text
    case .notEqual: return manifest.vendor != vendor.text
    default: return nil
    }
  }

  private static func order(_ manifest: Manifest) -> (Double, String) {
    (manifest.positionAccuracy, manifest.device.path)
  }
}
