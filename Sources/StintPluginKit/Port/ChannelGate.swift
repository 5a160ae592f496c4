import StintModel
import StintUnits

/// A check of the values of one channel. A value must be in the range of the fact with the channel's name, or
/// must be the index of one of the channel's words.
struct ChannelGate: Sendable {
  private enum Limit: Sendable {
    case range(ClosedRange<Double>, scale: Double, FactSchema)
    case words(Channel)
  }

  private let channel: Int
  private let limit: Limit

  /// Returns a gate for each channel whose values can be checked. These are the channels with words, and the
  /// channels whose name and dimension are those of a fact with a range.
  static func gates(of manifest: Manifest) -> [ChannelGate] {
    manifest.channels.enumerated().compactMap { channel, declared in
      if !declared.options.isEmpty { return ChannelGate(channel: channel, limit: .words(declared)) }
      let path = "\(manifest.device.path).\(declared.name)"
      guard let unit = manifest.unit(of: declared),
        let schema = manifest.facts.first(where: { $0.path == path }), let range = schema.range,
        schema.type == .quantity(unit.dimension)
      else { return nil }
      return ChannelGate(channel: channel, limit: .range(range, scale: unit.scale, schema))
    }
  }

  /// Returns why the sample is dropped; nil when its value is valid.
  func rejectionReason(for sample: Sample, _ wide: WideValues?) -> String? {
    let value = value(of: sample, wide)
    switch limit {
    case .range(let range, let scale, let schema):
      let number = scale * value
      return range.contains(number) ? nil : schema.rejectionReason(for: .number(number))
    case .words(let declared):
      return declared.word(value) == nil
        ? "\(declared.name) cannot be word \(value): it has \(declared.options.count) words" : nil
    }
  }

  private func value(of sample: Sample, _ wide: WideValues?) -> Double {
    switch channel {
    case 0: sample.first
    case 1: sample.second
    case 2: sample.third
    case 3: sample.fourth
    default: wide?.row(of: sample).dropFirst(channel - Channel.inlineCount).first ?? .nan
    }
  }
}
