import StintModel
import StintUnits
import Testing

@Suite struct SilenceLimitTests {
  /// A sensor at up to 100 Hz with one channel.
  private static func sensor(
    roles: Set<DeviceRole>? = nil, states: [String] = ["off", "on"], figures: [String: Quantity] = [:]
  ) -> Manifest {
    Manifest(
      device: "test.sensor", kind: .sensor, title: "",
      states: states.map { PowerState(name: $0, power: .zero, isOn: $0 != "off") },
      attributes: [AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.1...100)],
      channels: [Channel(name: "value", unit: "")], statedRoles: roles, figures: figures)
  }

  @Test("X07: a sensor counts as silent after ten periods, but not before 15 s")
  func periods() throws {
    let limit = try #require(SilenceLimit(Self.sensor()))
    #expect(limit.span(period: .milliseconds(100), isFirst: false) == .seconds(15))
    #expect(limit.span(period: .seconds(60), isFirst: true) == .seconds(600))
    #expect(limit.span(period: .unlimited, isFirst: true) == .unlimited)
    #expect(limit.span(period: nil, isFirst: false) == nil)
  }

  @Test("a manifest can specify the limit, or an additional time to the first sample after switching on")
  func figures() throws {
    let stated = try #require(SilenceLimit(Self.sensor(figures: ["silence": Quantity(90, .time)])))
    #expect(stated.span(period: nil, isFirst: true) == .seconds(90))
    #expect(stated.span(period: .hours(1), isFirst: false) == .seconds(90))
    for name in ["first_sample", "cold_fix"] {
      let slow = try #require(SilenceLimit(Self.sensor(figures: [name: Quantity(180, .time)])))
      #expect(slow.span(period: .seconds(1), isFirst: true) == .seconds(195))
      #expect(slow.span(period: .seconds(1), isFirst: false) == .seconds(15))
    }
    let invalid = try #require(SilenceLimit(Self.sensor(figures: ["silence": Quantity(-1, .time)])))
    #expect(invalid.span(period: .seconds(1), isFirst: false) == .seconds(15))
  }

  @Test(
    "only sensors with a rate and channels have a limit, except beacon receivers and one-state receivers"
  )
  func exempt() {
    var manifest = Self.sensor()
    manifest.attributes = []
    #expect(SilenceLimit(manifest) == nil)
    manifest = Self.sensor()
    manifest.channels = []
    #expect(SilenceLimit(manifest) == nil)
    for kind in [DeviceKind.source, .radio, .processor] {
      manifest = Self.sensor()
      manifest.kind = kind
      #expect(SilenceLimit(manifest) == nil)
    }
    #expect(SilenceLimit(Self.sensor(roles: [.beacons])) == nil)
    #expect(SilenceLimit(Self.sensor(roles: [.positioning])) == nil)
  }

  @Test(
    "without a limit in its manifest, a receiver with a search state has a limit only while it delivers")
  func receiver() throws {
    let manifest = Self.sensor(roles: [.positioning], states: ["off", "search", "track"])
    #expect(try #require(SilenceLimit(manifest)).isOnlyInDeliveringState)
    #expect(try !#require(SilenceLimit(Self.sensor())).isOnlyInDeliveringState)
    var stated = manifest
    stated.figures["silence"] = Quantity(1_800, .time)
    #expect(try !#require(SilenceLimit(stated)).isOnlyInDeliveringState)
  }
}
