import StintFormats
import StintLanguage
import StintModel
import StintUnits

/// The hover text of a name: an excerpt of the policy, and lines that describe it.
struct HoverText: Hashable, Sendable {
  var excerpt: String?
  var lines: [String]

  /// Returns the text as Markdown or as plain text.
  func content(isMarkdown: Bool) -> JSONValue {
    var parts: [String] = []
    if let excerpt { parts.append(isMarkdown ? "```stint\n\(excerpt)\n```" : excerpt) }
    if !lines.isEmpty { parts.append(lines.joined(separator: isMarkdown ? "  \n" : "\n")) }
    return [
      "kind": isMarkdown ? "markdown" : "plaintext", "value": JSONValue(parts.joined(separator: "\n\n")),
    ]
  }

  // MARK: Descriptions

  /// Describes a fact. If `manifest` is not nil, the text contains the power of the device, which is the cost
  /// of the fact.
  init(_ schema: FactSchema, of manifest: Manifest?) {
    excerpt = schema.path
    lines = schema.meaning.isEmpty ? [] : [schema.meaning]
    lines.append("type: \(schema.type.name)" + (Self.units(of: schema).map { " (\($0))" } ?? ""))
    if let range = schema.range, case .quantity(let dimension) = schema.type {
      lines.append(
        "range: \(Quantity(range.lowerBound, dimension)) .. \(Quantity(range.upperBound, dimension))")
    }
    if let age = schema.maxAge { lines.append("max_age: \(age); then the fact is unknown") }
    if let fastest = schema.fastest { lines.append("published at most every \(fastest)") }
    if schema.isNoisy { lines.append("noisy: the value changes although the measured quantity is constant") }
    if let device = schema.device { lines.append("published by \(device)") }
    if let manifest, !manifest.states.isEmpty { lines.append(Self.power(of: manifest)) }
  }

  init(_ manifest: Manifest) {
    excerpt = nil
    let vendor = manifest.vendor.isEmpty ? "" : ", by \(manifest.vendor)"
    lines = ["\(manifest.device): \(manifest.title) (\(manifest.kind.rawValue)\(vendor))"]
    if !manifest.states.isEmpty { lines.append(Self.power(of: manifest)) }
    if !manifest.events.isEmpty {
      lines.append(
        "energy per event: "
          + manifest.events.map { "\($0.name) \(Quantity($0.energy.joules, .energy))" }
          .joined(separator: ", "))
    }
    if !manifest.verbs.isEmpty {
      lines.append("can: " + manifest.verbs.map(\.rawValue).joined(separator: ", "))
    }
    if !manifest.attributes.isEmpty {
      lines.append("settings: " + manifest.attributes.map(Self.sentence).joined(separator: ", "))
    }
  }

  /// Returns the power of each state of a device.
  private static func power(of manifest: Manifest) -> String {
    let states = manifest.states.map { state in
      let more = state.perHertz == .zero ? "" : " and \(text(of: state.perHertz)) per Hz"
      return "\(state.name) \(text(of: state.power))\(more)"
    }
    return "power: " + states.joined(separator: ", ")
  }

  static func text(of power: Power) -> String { Quantity(power.watts, .power).description }

  init(_ word: LanguageWord) {
    excerpt = word.kind == .function ? word.form : word.name
    lines = [word.meaning] + (word.rule.isEmpty ? [] : [word.rule])
  }

  /// Describes a part of a policy.
  init(excerpt: String, _ lines: [String]) {
    self.excerpt = excerpt
    self.lines = lines
  }

  /// Returns the name and the possible values of a setting.
  static func sentence(_ schema: AttributeSchema) -> String {
    switch schema.type {
    case .symbol(let words): return "\(schema.name) \(words.joined(separator: " | "))"
    case .quantity(let dimension):
      guard let range = schema.range else { return "\(schema.name) (\(dimension.name))" }
      let low = Quantity(range.lowerBound, dimension)
      return "\(schema.name) \(low) .. \(Quantity(range.upperBound, dimension))"
    case .boolean: return "\(schema.name) (true or false)"
    }
  }

  /// Returns the units of a quantity, the declared unit first; nil for other types, and for a quantity
  /// without units.
  static func units(of schema: FactSchema) -> String? {
    guard case .quantity(let dimension) = schema.type else { return nil }
    let own = schema.unit.map(\.symbol).flatMap { MeasureUnit.named($0) == nil && !$0.isEmpty ? $0 : nil }
    let units =
      [own].compactMap(\.self) + MeasureUnit.all.filter { $0.dimension == dimension }.map(\.symbol)
    return units.isEmpty ? nil : units.joined(separator: ", ")
  }
}
