import StintModel
import StintUnits

/// A check of one channel of each sample against the range of the fact with the same name.
struct ChannelGate: Sendable {
  private let channel: Int
  private let scale: Double
  private let range: ClosedRange<Double>
  private let schema: FactSchema

  /// Returns a gate for each channel that has a corresponding fact in the manifest. The fact has the same
  /// name, the same dimension and a range.
  static func gates(of manifest: Manifest) -> [ChannelGate] {
    manifest.channels.enumerated().compactMap { channel, declared in
      let path = "\(manifest.device.path).\(declared.name)"
      guard let unit = manifest.unit(named: declared.unit),
        let schema = manifest.facts.first(where: { $0.path == path }), let range = schema.range,
        schema.type == .quantity(unit.dimension)
      else { return nil }
      return ChannelGate(channel: channel, scale: unit.scale, range: range, schema: schema)
    }
  }

  /// Returns why the sample is dropped; nil when its number is in the range.
  func rejectionReason(for sample: Sample) -> String? {
    let number = scale * value(of: sample)
    return range.contains(number) ? nil : schema.rejectionReason(for: .number(number))
  }

  private func value(of sample: Sample) -> Double {
    switch channel {
    case 0: sample.first
    case 1: sample.second
    case 2: sample.third
    default: sample.fourth
    }
  }
}
