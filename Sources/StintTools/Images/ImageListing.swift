import StintJournal
public import StintMachine
import StintModel

/// A printable listing of an image file. It accepts any file that can be parsed, verified or not.
public struct ImageListing: Sendable {
  let file: ImageFile

  /// Creates a listing of a file.
  public init(_ file: ImageFile) { self.file = file }

  var digest: String { SHA256.hexadecimal(of: file.bytes) }

  /// Returns a disassembler that prints facts by name.
  func disassembler(_ image: Image) -> Disassembler {
    let facts = file.manifests.facts
    return Disassembler(image) { facts.indices.contains($0) ? facts[$0].path : "missing (\($0))" }
  }

  /// The listing as text, one element per line. Equal files have equal listings.
  public var text: String {
    var lines = [
      "image, version \(ImageFile.rebuildableVersion), language \(file.texts.language), "
        + "\(file.bytes.count) bytes, SHA-256 \(digest)"
    ]
    for (policy, source) in zip(file.texts.policies, file.texts.sources) {
      lines.append("policy \(policy.name) version \(policy.version), from \(source.file)")
    }
    lines += file.manifests.devices.map { "device \($0.device), manifest \($0.mark)" }
    lines += file.manifests.facts.map { "fact \($0.path), schema \($0.mark)" }
    lines += file.computed.map { "computed \($0.schema.path), \($0.schema.type.name)" }
    lines += file.defaults.map { "default \($0.device): \(Self.wants(of: $0))" }
    lines += file.moves.map { "move \($0.machine) to \(state($0)) by \($0.rule)" }
    lines.append("for all:")
    var text = lines.map { $0 + "\n" }.joined() + disassembler(file.image).text
    if let own = file.perDemandImage { text += "for each demand:\n" + disassembler(own).text }
    return text
  }

  /// Returns the name of the target state of a transition.
  func state(_ move: StateTransition) -> String {
    let fact = file.computed.first { $0.schema.path == move.machine }
    return fact?.schema.text(of: .symbol(move.target)) ?? "state \(move.target)"
  }

  /// Returns the default demand settings as text: `accuracy 50 m, linger 10 s`.
  static func wants(of defaults: DeviceDefaults) -> String {
    let wants = defaults.wants
    let parts = [
      wants.accuracy.map { "accuracy \($0) m" }, wants.period.map { "every \($0)" },
      wants.latency.map { "latency \($0)" }, wants.activity.map { "activity \($0)" },
      wants.attributes.isEmpty ? nil : wants.attributes.text,
      wants.background.map { "background \($0)" }, wants.pausing.map { "pausing \($0)" },
      defaults.linger.map { "linger \($0)" },
    ].compactMap { $0 }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}
