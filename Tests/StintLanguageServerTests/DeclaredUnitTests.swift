import StintFormats
import StintModel
import StintUnits
import Testing

@testable import StintLanguageServer

/// Tests with policies for a device whose manifest declares units and attributes.
@Suite("Language server: units and attributes of manifests")
struct DeclaredUnitTests {
  private static let manifest = """
    {"stint_manifest": 2, "device": "air.probe", "kind": "sensor", "title": "probe",
     "units": [{"symbol": "uS/cm", "dimension": "A/V/m", "factor": 0.0001}, {"symbol": "tick", "dimension": "s"}],
     "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "9 mW", "on": true}],
     "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
     "verbs": ["start", "stop", "downgrade"],
     "attributes": [{"name": "rate", "unit": "Hz", "range": ["1 per h", "1 Hz"], "default": "1 per min"},
       {"name": "gain", "values": [{"value": "low"}, {"value": "high", "power": "5 mW"}]},
       {"name": "width", "unit": "ms", "values": [{"value": "10 ms"}, {"value": "90 ms", "power": "1 mW"}]},
       {"name": "span", "unit": "tick", "range": ["1 tick", "9 tick"]}, {"name": "chopped", "boolean": true}],
     "facts": [{"name": "salt", "unit": "uS/cm", "range": ["0 uS/cm", "2000 uS/cm"], "max_age": "10 min"}]}
    """

  private static let head = """
    policy "test"
    use air.probe as probe
    param most = 500 uS/cm in 100 uS/cm .. 900 uS/cm
    let salty = probe.salt > most

    """

  private func editor(_ text: String) throws -> EditorDouble {
    let manifest = try ManifestReader.manifest(of: Array(Self.manifest.utf8), source: "probe.json")
    return try EditorDouble(text, vocabulary: Vocabulary(manifests: [manifest]))
  }

  private func labels(_ marked: String) throws -> [String] {
    let source = CursorSource(Self.head + marked)
    var editor = try editor(source.text)
    let items = try editor.request("textDocument/completion", source.parameters()).items ?? []
    return items.compactMap { $0["label"]?.string }
  }

  @Test(
    "completion offers the units, the attributes and the attribute values that a manifest declares",
    arguments: [
      ("let a = probe.salt > 5 ‸", ["uS/cm"], ["s", "tick"]),
      ("let a = probe.salt > m‸", ["most"], ["uS/cm"]),
      ("param p = 5 uS/cm in 1 ‸", ["uS/cm"], ["m"]),
      ("default probe { ‸", ["gain", "rate", "linger"], ["high"]),
      ("default probe { gain ‸", ["low", "high"], ["gain"]),
      ("default probe { width ‸", ["10 ms", "90 ms"], ["low"]),
      ("default probe { span 3 ‸", ["tick", "s"], ["uS/cm"]),
      ("default probe { chopped ‸", ["true", "false"], ["low"]),
      (
        "rule r always { downgrade probe to { ‸", ["gain", "span", "width", "chopped"],
        ["rate", "linger", "stop"]
      ),
      ("rule r always { downgrade probe to { gain ‸", ["low", "high"], ["gain", "stop"]),
      ("rule r always { downgrade probe to { gain low } ‸", ["for", "stop"], ["gain"]),
    ])
  func completion(marked: String, expected: [String], unexpected: [String]) throws {
    let labels = try labels(marked)
    for label in expected { #expect(labels.contains(label), "\(label) in \(labels)") }
    for label in unexpected { #expect(!labels.contains(label), "\(label) in \(labels)") }
  }

  @Test("a policy with declared units has no diagnostics, an outline with its names, and hovers with units")
  func reading() throws {
    let source = CursorSource(
      Self.head + "rule r while salty or probe.sa‸lt < 1 uS/cm { downgrade probe to { gain low } }\n")
    var editor = try editor(source.text)
    editor.settle()
    #expect(editor.diagnostics[EditorDouble.uri] == [])
    let symbols = try editor.request(
      "textDocument/documentSymbol", ["textDocument": ["uri": JSONValue(EditorDouble.uri)]])
    let names = symbols.items?.compactMap { $0["name"]?.string } ?? []
    #expect(["most", "salty", "r"].allSatisfy(names.contains), "\(names)")
    let hover = try editor.request("textDocument/hover", source.parameters())
    #expect(JSONWriter.text(of: hover).contains("uS/cm"), "\(JSONWriter.text(of: hover))")
  }
}
