import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintIIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of recordings that umockdev-record has made of the kernel's drivers.
private let recordings = AttributeFolder(getenv("STINT_SENSOR_RECORDINGS").map { String(cString: $0) } ?? "")

@Suite(
  "iio: recorded devices",
  .enabled(
    if: recordings.has("bmc150_accel.umockdev"), "STINT_SENSOR_RECORDINGS names no folder of recordings"))
struct IIORecordingTests {

  private func tree(_ name: String) throws -> AttributeTree {
    let tree = try AttributeTree()
    try tree.load(recording: try recordings.text(name + ".umockdev"))
    return tree
  }

  @Test("a chip is found by its name, with its rates and the autosuspend delay of its parent")
  func chip() async throws {
    let tree = try tree("bmc150_accel")
    try tree.makePipe("dev/iio:device3")
    let stage = try await IIOStage(tree) { $0.device = "bmc150_accel" }
    try await stage.apply(Setting(isOn: true, period: .milliseconds(100)))
    #expect(stage.states(stage.heard()) == ["sampling \(TimeSpan(nanoseconds: 64_020_487))"])
    let folder = "sys/bus/iio/devices/iio:device3/"
    #expect(tree.text(folder + "in_accel_sampling_frequency") == "15.620000")
    #expect(tree.text(folder + "buffer/watermark") == "15")
    try await stage.apply(.off)
    #expect(stage.states(stage.heard()) == ["released"])
    let alarm = try #require(stage.listener.port.alarm)
    #expect((alarm - stage.clock.now).seconds.rounded() == 2)
    await stage.close()
  }

  @Test(
    "the values of three sensors of one hub are converted to the units of the manifests",
    arguments: [
      (IIOSensorKind.accelerometer, [0.0980665, 0.196133, 9.80665]),
      (.gyroscope, [0.19999894, 0.39999788, 9.99994703]), (.magnetometer, [0.003, 0.006, 0.1]),
    ] as [(IIOSensorKind, [Double])])
  func hub(kind: IIOSensorKind, values: [Double]) async throws {
    let tree = try tree("hid-sensor-hub-9axis")
    let stage = try await IIOStage(tree) { $0.kind = kind }
    try await stage.apply(Setting(isOn: true, period: .seconds(10)))
    let sample = try #require(stage.samples(stage.heard()).first)
    for (seen, wanted) in zip([sample.first, sample.second, sample.third], values) {
      #expect(abs(seen - wanted) < 1e-6, "\(seen) for \(wanted)")
    }
    await stage.close()
  }
}
