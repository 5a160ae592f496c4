public import StintModel
import StintUnits

/// Reads manifests; the form is described at `Manifest`.
///
/// All problems of a file come at once, each with its line and column, those of `Manifest.faults()`
/// included: a manifest that comes out can be trusted.
public enum ManifestReader {
  static let keys = [
    "stint_manifest", "device", "kind", "title", "vendor", "ladder", "states", "transitions", "initial",
    "safe",
    "events", "verbs", "attributes", "fifo", "inputs", "channels", "facts", "figures",
  ]

  /// The manifest that a file holds; `-` is standard input.
  public static func manifest(path: String) throws(FormatErrors) -> Manifest {
    let bytes: [UInt8]
    do { bytes = try WholeFile.bytes(of: path) } catch { throw FormatErrors(error) }
    return try manifest(of: bytes, source: path)
  }

  /// The manifest that a text holds; `source` names it in errors.
  public static func manifest(of bytes: [UInt8], source: String) throws(FormatErrors) -> Manifest {
    let findings = JSONFindings(source: source)
    let value: JSONValue
    do { value = try JSONReader.value(of: bytes, source: source) } catch { throw FormatErrors(error) }
    let root = JSONField(value: value, path: "", findings: findings).document("stint_manifest", keys: keys)
    let manifest = root.map { read($0, of: value) }
    try findings.check()
    guard let manifest else { preconditionFailure("a manifest that cannot be read has problems") }
    return manifest
  }

  /// Reads every part, whatever is wrong with others, and reports the faults of what could be read.
  private static func read(_ root: JSONObject, of value: JSONValue) -> Manifest {
    let device = root.required("device")?.text().map { DeviceID($0) }
    let kind = root.required("kind")?.word(DeviceKind.self)
    let title = root.required("title")?.text() ?? ""
    let states = ManifestStates(root, isNeeded: kind != .source)
    var manifest = Manifest(
      device: device ?? "unknown", kind: kind ?? .source, title: title,
      vendor: root.optional("vendor")?.text() ?? "",
      ladder: root.optional("ladder").flatMap { ladder($0) }, states: states.states,
      transitions: states.transitions, initial: states.initial, safe: states.safe)
    manifest.events = list(root, "events") { event($0) }
    manifest.verbs = list(root, "verbs") { $0.word(Verb.self) }
    manifest.attributes = list(root, "attributes") { attribute($0) }
    manifest.fifo = root.optional("fifo")?.whole(in: 0...10_000_000) ?? 0
    manifest.inputs = list(root, "inputs") { $0.text().map { DeviceID($0) } }
    manifest.channels = list(root, "channels") { channel($0) }
    manifest.facts = list(root, "facts") { FactSchemaReading.fact($0, of: device) }
    manifest.figures = figures(root)
    report(manifest, states, in: value, to: root.findings)
    return manifest
  }

  /// Turns faults of the model into problems with places.
  ///
  /// A fault names an item by its number, which is its number in the file only where every item was read.
  private static func report(
    _ manifest: Manifest, _ states: ManifestStates, in value: JSONValue, to findings: JSONFindings
  ) {
    for fault in manifest.faults() {
      let isCertain =
        switch fault.path.prefix(while: { $0 != "[" }) {
        case "states", "safe": states.vouch(for: fault)
        case "attributes": manifest.attributes.count == count(value, "attributes")
        case "facts": manifest.facts.count == count(value, "facts")
        default: true
        }
      guard isCertain else { continue }
      findings.report(
        .value, at: value.place(at: fault.path), path: fault.path, fault.sentence,
        step: "correct the manifest here")
    }
  }

  private static func count(_ value: JSONValue, _ key: String) -> Int {
    value[key]?.items?.count ?? 0
  }

  /// The items of an optional list that can be read.
  static func list<Item>(_ object: JSONObject, _ key: String, _ read: (JSONField) -> Item?) -> [Item] {
    object.optional(key)?.items()?.compactMap(read) ?? []
  }
}
