import StintFormats
import StintModel
import StintServices
import StintUnits
import Testing

@Suite("Descriptors of plugins, and sites that name them")
struct PluginDescriptorTests {
  private static let hash = String(repeating: "0a", count: 32)

  private static let whole = """
    {"stint_plugin": 1, "name": "thermometer", "meaning": "warmth", "program": "t.py",
     "manifest": "m.json", "files": {"t.py": "\(hash)", "m.json": "\(hash)"}, "network": true,
     "settings": [{"key": "source", "kind": "text", "meaning": "where"}, {"key": "offset", "kind": "whole", "range": [-5, 5]},
                  {"key": "every", "kind": "span", "at_least": "1 s"}, {"key": "loud", "kind": "flag"}],
     "needs": [{"path": "/dev/i2c-1", "access": "write"}]}
    """

  private func problems(_ text: String) -> [String] {
    do throws(Problem) {
      _ = try PluginDescriptorReader.descriptor(of: Array(text.utf8), source: "plugin.json")
      return []
    } catch {
      return error.all.map(\.description)
    }
  }

  @Test("the files, settings and needs of a descriptor are read")
  func aWholeDescriptorIsRead() throws {
    let descriptor = try PluginDescriptorReader.descriptor(of: Array(Self.whole.utf8), source: "plugin.json")
    #expect(descriptor.form.name == "thermometer" && descriptor.program == "t.py")
    #expect(descriptor.files.map(\.path) == ["m.json", "t.py"])
    #expect(descriptor.hash(of: "t.py") == Self.hash && descriptor.hash(of: "other") == nil)
    #expect(
      descriptor.form.settings.map(\.kind) == [.text, .whole(-5...5), .span(atLeast: .seconds(1)), .flag])
    #expect(descriptor.needs == [.init(path: "/dev/i2c-1", access: .write)])
    #expect(descriptor.requestedPermissions == ["/dev/i2c-1", "network"])
  }

  @Test(
    "each mistake in a descriptor is reported",
    arguments: [
      (#""program": "t.py""#, #""program": """#, "the file name is empty"),
      (#""program": "t.py""#, #""program": "u.py""#, "“u.py” is not among the files"),
      (#""manifest": "m.json""#, #""manifests": ["m.json", "n.json"]"#, "“n.json” is not among the files"),
      (#""manifest": "m.json""#, #""manifests": ["m.json", "m.json"]"#, "“m.json” appears twice"),
      (#""manifest": "m.json""#, #""manifests": []"#, "at least one manifest and at most 16, not 0"),
      (
        #""manifest": "m.json""#, #""manifest": "m.json", "manifests": ["m.json"]"#,
        "“manifest” and “manifests” exclude each other"
      ),
      (#""manifest": "m.json", "#, "", "the key “manifest” is missing"),
      (#"{"t.py""#, #"{"../t.py""#, "“../t.py” is not a file in the plugin's folder"),
      (#"{"t.py""#, #"{"/etc/t.py""#, "“/etc/t.py” is not a file in the plugin's folder"),
      (#"{"t.py""#, #"{"a//t.py""#, "“a//t.py” is not a file in the plugin's folder"),
      (#"{"t.py""#, #"{"m.json""#, "the key “m.json” appears twice"),
      (#""network": true"#, #""program_sha256": "0a""#, "seal the plugin with stint plugin seal DIR"),
      (#""name": "thermometer", "#, "", "the key “name” is missing"),
      (#""stint_plugin": 1"#, #""stint_plugin": 2"#, "version 2 of the format is not supported"),
      (#""kind": "text""#, #""kind": "txt""#, "did you mean “text”?"),
      (#""range": [-5, 5]"#, #""range": [5, -5]"#, "expected two bounds, the smaller one first"),
      (#""range": [-5, 5]"#, #""at_least": "1 s""#, "a setting of kind whole cannot have “at_least”"),
      (#""key": "offset""#, #""key": "source""#, "the setting “source” appears twice"),
      (#""path": "/dev/i2c-1""#, #""path": "i2c-1""#, "is not an absolute path"),
      (#""access": "write""#, #""access": "own""#, "unknown word “own”"),
      (#""network": true"#, #""network": "yes""#, "expected true or false"),
      (#""network": true"#, #""netork": true"#, "did you mean “network”?"),
      (String(repeating: "0a", count: 32), "0a0a", "a SHA-256 has 64 digits"),
      (String(repeating: "0a", count: 32), String(repeating: "0A", count: 32), "a SHA-256 has 64 digits"),
    ])
  func mistakes(right: String, wrong: String, sentence: String) {
    let parts = Self.whole.split(separator: right, maxSplits: 1, omittingEmptySubsequences: false)
    #expect(parts.count == 2)
    let found = problems(parts.joined(separator: wrong))
    #expect(found.contains { $0.contains(sentence) }, "\(found)")
  }

  private func site(_ entry: String) throws(Problem) -> Site {
    let form = PluginForm(
      name: "thermometer", meaning: "warmth", settings: [PluginSettingForm("source", .text, "where")])
    return try SiteReader.site(
      of: Array(#"{"stint_site": 1, "plugins": [\#(entry)]}"#.utf8), source: "site.json", plugins: [],
      requests: .all
    ) { $0 == "t/plugin.json" ? form : nil }
  }

  @Test("the manifests of a process with several devices are read in their order")
  func severalManifests() throws {
    let text = Self.whole.replacing(#""manifest": "m.json""#, with: #""manifests": ["t.py", "m.json"]"#)
    let descriptor = try PluginDescriptorReader.descriptor(of: Array(text.utf8), source: "plugin.json")
    #expect(descriptor.manifests == ["t.py", "m.json"])
  }

  @Test("a site file refers to a plugin in a process by the path of its descriptor")
  func aSiteNamesAPluginByItsDescriptor() throws {
    let plugin = try site(
      #"{"process": "t/plugin.json", "sha256": "\#(Self.hash)", "with": {"source": "/x"}, "allow": ["/dev/i2c-1"]}"#
    ).plugins[0]
    #expect(plugin.name == "thermometer" && plugin.descriptor == "t/plugin.json")
    #expect(plugin.hash == Self.hash && plugin.allowed == ["/dev/i2c-1"])
    #expect(plugin.required == [])
    #expect(plugin.settings == ["source": .text("/x")])
  }

  @Test("a site file specifies the containment that a plugin requires")
  func requirements() throws {
    let plugin = try site(
      #"{"process": "t/plugin.json", "contain": {"require": ["seccomp", "pid-namespace", "cgroup"]}}"#
    ).plugins[0]
    #expect(plugin.required == [.callFilter, .processNamespace, .cgroup])
  }

  @Test(
    "a site file is rejected when the entry of a plugin has a mistake",
    arguments: [
      (#"{"process": "u/plugin.json"}"#, "“u/plugin.json” is not a plugin descriptor"),
      (#"{"process": "t/plugin.json", "sha": "x"}"#, "no key is named “sha” here"),
      (#"{"process": "t/plugin.json", "plugin": "gpsd"}"#, "no key is named “plugin” here"),
      (#"{"process": "t/plugin.json", "sha256": "x"}"#, "a SHA-256 has 64 digits"),
      (#"{"process": "t/plugin.json", "with": {"sourc": "x"}}"#, "did you mean “source”?"),
      (#"{"process": 7}"#, "expected a string"),
      (#"{"process": "t/plugin.json", "allow": "all"}"#, "expected an array"),
      (#"{"process": "t/plugin.json", "contain": {"require": ["landlok"]}}"#, "did you mean “landlock”?"),
      (#"{"process": "t/plugin.json", "contain": {"requires": []}}"#, "did you mean “require”?"),
      (#"{"proces": "t/plugin.json"}"#, "did you mean “process”?"),
    ])
  func wrongEntries(entry: String, sentence: String) {
    let error = #expect(throws: Problem.self) { try site(entry) }
    let found = error?.all.map(\.description) ?? []
    #expect(found.contains { $0.contains(sentence) }, "\(found)")
  }
}
