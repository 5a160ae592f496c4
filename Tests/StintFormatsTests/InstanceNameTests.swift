import StintModel
import StintServices
import StintUnits
import Testing

@testable import StintFormats

@Suite("Names of devices that a site gives")
struct InstanceNameTests {
  private func site(_ entry: String) throws(Problem) -> Site {
    try SiteReader.site(
      of: Array("{\"stint_site\": 1, \"plugins\": [\(entry)]}".utf8), source: "s.json", plugins: [],
      requests: .all
    ) { _ in PluginForm(name: "imu", meaning: "") }
  }

  @Test("a string names the only device, and an object names devices by the names of their manifests")
  func names() throws {
    #expect(try site("{\"process\": \"p\", \"as\": \"a.b\"}").plugins[0].names == .single("a.b"))
    #expect(
      try site("{\"library\": \"p\", \"as\": {\"m.x\": \"a.b\", \"m.y\": \"c\"}}").plugins[0].names
        == .each(["m.x": "a.b", "m.y": "c"]))
    #expect(try site("{\"process\": \"p\"}").plugins[0].names == .own)
  }

  @Test(
    "a malformed name, a repeated name, and a value of another JSON type are reported with locations",
    arguments: [
      ("\"a..b\"", "s.json:1:54: plugins[0].as: “a..b” is not a name of words joined by dots"),
      ("\"beacon.a-b\"", "s.json:1:54: plugins[0].as: “beacon.a-b” is not a name of words joined by dots"),
      ("\"beacon.1\"", "s.json:1:54: plugins[0].as: “beacon.1” is not a name of words joined by dots"),
      ("{\"x\": \"a\", \"y\": \"a\"}", "s.json:1:70: plugins[0].as.y: two devices have the name “a”"),
      ("7", "s.json:1:54: plugins[0].as: expected a string or an object, found a number"),
    ])
  func problems(names: String, sentence: String) {
    let problem = #expect(throws: Problem.self) { try site("{\"process\": \"p\", \"as\": \(names)}") }
    #expect(problem?.description.hasPrefix(sentence) ?? false, "\(String(describing: problem))")
  }

  private let text = """
    {"stint_manifest": 2, "device": "motion.gyro", "kind": "sensor", "title": "gyro",
     "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "1 mW", "on": true}],
     "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
     "inputs": ["motion.gyro.raw", "location.gnss"], "channels": [{"name": "x", "unit": "1"}],
     "facts": [{"name": "turning", "boolean": true}, {"name": "motion.gyro.heat", "unit": "C"},
               {"name": "motion.gyro.raw.noise", "unit": "1"}, {"name": "motion.gyros", "unit": "1"}]}
    """

  @Test("a renamed manifest has new names in its facts and inputs; its roles and other parts are unchanged")
  func renamed() throws {
    let manifest = try ManifestReader.manifest(of: Array(text.utf8), source: "m.json")
    let copy = try ManifestNames.text(
      of: Array(text.utf8), source: "m.json", manifest: manifest,
      names: ["motion.gyro": "hand", "motion.gyro.raw": "hand.raw"])
    var expected = manifest
    expected.device = "hand"
    expected.inputs = ["hand.raw", "location.gnss"]
    expected.statedRoles = [.rotation]
    for (index, path) in ["hand.turning", "hand.heat", "hand.raw.noise", "motion.gyros"].enumerated() {
      expected.facts[index].path = path
      expected.facts[index].device = "hand"
    }
    #expect(try ManifestReader.manifest(of: Array(copy.utf8), source: "m.json") == expected)
  }

  @Test("every shipped manifest can be renamed, and then differs only in its names")
  func shipped() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    for path in [
      "Plugins/Thermometer/manifest.json", "Plugins/Gpsd/manifest.json", "Plugins/PowerSupply/manifest.json",
      "Plugins/IIO/Manifests/accelerometer.json",
    ] {
      let manifest = try ManifestReader.manifest(path: root + "/" + path)
      let bytes = try WholeFile.bytes(of: root + "/" + path)
      let text = try ManifestNames.text(
        of: bytes, source: path, manifest: manifest, names: [manifest.device: "second.one"])
      let copy = try ManifestReader.manifest(of: Array(text.utf8), source: path)
      #expect(copy.device == "second.one" && copy.provides == manifest.provides)
      #expect(copy.facts.map(\.type) == manifest.facts.map(\.type) && copy.figures == manifest.figures)
      let own = manifest.facts.count { $0.path.hasPrefix(manifest.device.path + ".") }
      #expect(copy.facts.count { $0.path.hasPrefix("second.one.") } == own)
    }
  }
}
