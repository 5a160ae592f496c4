import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintIIO

@Suite("iio: conformance")
struct IIOConformanceTests {
  private func report(_ tree: AttributeTree, _ kind: IIOSensorKind) async throws -> ConformanceReport {
    var settings = IIOSettings()
    settings.timeout = .seconds(60)
    settings.kind = kind
    settings.sys = tree.root + "/sys"
    settings.dev = tree.root + "/dev"
    let clock = ManualClock()
    let plugin = try IIOPlugin(settings) { clock.now }
    return await PluginConformance.check(plugin, at: clock.now)
  }

  @Test("F11: a sensor with a buffer passes the conformance check", arguments: [true, false])
  func buffered(hasRelease: Bool) async throws {
    let chip = try SensorTree()
    if hasRelease { try chip.tree.set("sys/bus/iio/devices/power/autosuspend_delay_ms", "3000") }
    let report = try await report(chip.tree, .accelerometer)
    #expect(report.passed, "\(report)")
    #expect(chip.text("buffer/enable") == "0")
  }

  @Test("F11: a sensor with single reads passes the conformance check")
  func single() async throws {
    let chip = try SensorTree()
    chip.remove("buffer")
    let report = try await report(chip.tree, .accelerometer)
    #expect(report.passed, "\(report)")
  }

  @Test(
    "the device in messages of each kind is the device of its manifest", arguments: IIOSensorKind.allCases)
  func device(kind: IIOSensorKind) throws {
    var settings = IIOSettings()
    settings.kind = kind
    #expect(try IIOPlugin(settings) { .epoch }.manifest.device == kind.device)
  }

  @Test("F11: a missing sensor violates only one conformance rule: that a setting turns the device on")
  func absent() async throws {
    let report = try await report(try AttributeTree(), .gyroscope)
    #expect(report.failed == [.turnsOn])
  }
}
