import StintModel
import StintUnits
import Testing

@testable import StintTools

@Suite("Orders that `stint plugin run` reads") struct PluginOrderTests {
  private let manifest: Manifest = {
    var manifest = Manifest(device: "test.probe", kind: .sensor, title: "")
    manifest.attributes = [
      AttributeSchema(name: "rate", type: .quantity(.rate)),
      AttributeSchema(name: "accuracy", type: .quantity(.length)),
      AttributeSchema(name: "gain", type: .symbol(["low", "high"])),
    ]
    return manifest
  }()

  @Test("an order is read with its attributes")
  func orders() throws {
    var setting = Setting(isOn: true, accuracy: 10, period: .milliseconds(200), isHolding: true)
    setting.attributes = ["gain": .word("high")]
    #expect(
      try PluginOrder.read("on rate 5 Hz, accuracy 10 m, gain high, hold", for: manifest) == .apply(setting))
    #expect(try PluginOrder.read("on", for: manifest) == .apply(Setting(isOn: true)))
    #expect(try PluginOrder.read("  off ", for: manifest) == .apply(.off))
    #expect(try PluginOrder.read("drain", for: manifest) == .drain)
    #expect(try PluginOrder.read("wait 1.5 s", for: manifest) == .wait(.milliseconds(1500)))
    #expect(try PluginOrder.read("end", for: manifest) == .end)
    var source = Manifest(device: "test.source", kind: .source, title: "")
    source.facts = [
      FactSchema(path: "test.source.a", type: .quantity(.none), reading: FactReading(every: .seconds(1)))
    ]
    #expect(try PluginOrder.read("read", for: source) == .read)
    #expect(try PluginOrder.read("   ", for: manifest) == nil)
  }

  @Test(
    "an unknown order, attribute or value is refused with a remedy",
    arguments: [
      "start", "off now", "on speed 3 m/s", "on rate", "on rate x", "on rate 0 Hz", "wait", "wait 3 m",
      "wait 1e300 s", "on accuracy", "read",
    ])
  func mistakes(line: String) throws {
    let error = #expect(throws: Problem.self) { try PluginOrder.read(line, for: manifest) }
    #expect(error?.remedy.isEmpty == false)
  }
}
