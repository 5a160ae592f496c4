import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintIIO

@Suite("iio: invalid input and failures")
struct IIOWrongInputTests {
  private let fast = Setting(isOn: true, period: .milliseconds(50))

  /// Opens a plugin on a tree on which it cannot work, and returns its fault.
  private func refusal(
    _ tree: AttributeTree, _ change: (inout IIOSettings) -> Void = { _ in }
  ) async throws -> String {
    let stage = try await IIOStage(tree, change)
    let events = stage.heard()
    #expect(events.contains(where: IIOStage.isGone))
    try await stage.apply(fast)
    #expect(stage.states(stage.heard()) == ["off"], "nothing turns on")
    await stage.close()
    let faults = stage.faults(events)
    #expect(faults.count == 1)
    return faults.first ?? ""
  }

  @Test("a missing folder is a fault; a missing device is a fault with a list of the existing devices")
  func absent() async throws {
    let tree = try AttributeTree()
    #expect(try await refusal(tree).contains("there is no device in \(tree.root)/sys/bus/iio/devices"))
    let chip = try SensorTree()
    #expect(
      try await refusal(chip.tree) { $0.device = "bmg160" }
        .contains("no device in \(chip.tree.root)/sys/bus/iio/devices is “bmg160”: iio:device0 (chip_accel)"))
    #expect(
      try await refusal(chip.tree) { $0.kind = .gyroscope }.contains(
        "is a gyroscope: iio:device0 (chip_accel)"))
  }

  @Test("the fault names a folder that is not a sensor of the requested kind, and its missing files")
  func notThatKind() async throws {
    let chip = try SensorTree()
    try chip.tree.set("sys/bus/iio/devices/trigger0/name", "timer")
    #expect(
      try await refusal(chip.tree) { $0.device = "trigger0" }.contains(
        "trigger0 (timer) is not an accelerometer: it has no in_accel_x_raw and no scan_elements/in_accel_x_en"
      ))
  }

  @Test(
    "an invalid or missing scale is a fault", arguments: ["nan", "inf", "one", "", "0x1p3"])
  func badScale(text: String) async throws {
    let chip = try SensorTree()
    try chip.set("in_accel_scale", text)
    #expect(try await refusal(chip.tree).contains("in_accel_scale: expected a number, found “\(text)”"))
    chip.remove("in_accel_scale")
    #expect(try await refusal(chip.tree).contains("in_accel_scale: No such file"))
  }

  @Test("five invalid values are skipped, and the first, second and fourth of them are reported")
  func badReadings() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree)
    for text in ["nan", "12a", "", "\u{1}\u{2}", "1e999"] {
      try chip.set("in_accel_y_raw", text)
      if text == "nan" {
        try await stage.apply(Setting(isOn: true, period: .seconds(10)))
      } else {
        try await stage.wake()
      }
    }
    let events = stage.heard()
    #expect(stage.samples(events).isEmpty)
    #expect(stage.faults(events).count == 3)
    #expect(
      stage.faults(events).last?.contains("found “??”; skipped (4 such readings)") == true)
    try chip.set("in_accel_y_raw", "5")
    try await stage.wake()
    #expect(stage.samples(stage.heard()).count == 1)
    await stage.close()
  }

  @Test("without a watermark file, the buffer is used and each scan wakes the plugin")
  func noWatermark() async throws {
    let chip = try SensorTree(hasWatermark: false)
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(fast)
    #expect(stage.faults(stage.heard()).isEmpty)
    #expect(chip.text("buffer/enable") == "1")
    try chip.push([0x10, 0, 0x20, 0, 0x30, 0, 0, 0] + [UInt8](repeating: 0, count: 8))
    #expect(stage.samples(try stage.listener.receive(until: IIOStage.isBatch)).map(\.first) == [0.01])
    await stage.close()
  }

  @Test("big-endian numbers of 12 bits in 16 are decoded")
  func bigEndian() async throws {
    let chip = try SensorTree(type: "be:s12/16>>4")
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(fast)
    try chip.push([0x7F, 0xF0, 0x80, 0x00, 0xFF, 0xF0, 0, 0] + [UInt8](repeating: 0, count: 8))
    let sample = try #require(stage.samples(try stage.listener.receive(until: IIOStage.isBatch)).first)
    #expect([sample.first, sample.second, sample.third].map { ($0 * 100).rounded() } == [2047, -2048, -1])
    await stage.close()
  }

  @Test("with an unsupported scan format, samples are read one by one and the reason is reported once")
  func badType() async throws {
    let chip = try SensorTree(type: "le:s16/16X4>>0")
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(fast)
    try await stage.apply(Setting(isOn: true, period: .milliseconds(200)))
    let events = stage.heard()
    #expect(stage.states(events) == ["single 100 ms", "single 200 ms"])
    #expect(stage.faults(events).count == 1)
    #expect(stage.faults(events)[0].contains("in_accel_x_type: “le:s16/16X4>>0” has an unsupported repeat"))
    #expect(chip.text("buffer/enable") == "0")
    await stage.close()
  }

  @Test("without a device node the samples are read one by one")
  func noNode() async throws {
    let chip = try SensorTree()
    chip.tree.remove("dev")
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(fast)
    let events = stage.heard()
    #expect(stage.faults(events).contains { $0.contains("/dev/iio:device0: No such file or directory") })
    #expect(stage.states(events) == ["single 100 ms"])
    #expect(stage.samples(events).count == 1)
    await stage.close()
  }

  #if os(Linux)
    @Test("a rejected rate is a fault, and the reported period is that of the current rate")
    func refusedRate() async throws {
      let chip = try SensorTree()
      chip.remove("sampling_frequency_available")
      chip.remove("sampling_frequency")
      // A kernel file that accepts only integers. A write of any other text does not change its value.
      try chip.tree.link(SensorTree.folder + "/sampling_frequency", to: "/proc/self/timerslack_ns")
      let slack = Double(chip.text("sampling_frequency")) ?? 0
      let stage = try await IIOStage(chip.tree)
      try await stage.apply(Setting(isOn: true, period: .milliseconds(16)))
      let events = stage.heard()
      #expect(stage.faults(events).first?.contains("refuses 62.5 Hz: Invalid argument; it stays at") == true)
      #expect(stage.states(events) == ["sampling \(TimeSpan(nanoseconds: Int64(1e9 / slack)))"])
      await stage.close()
    }

    @Test("when a device does not store the written rate, the plugin reports the stored rate")
    func roundedRate() async throws {
      let chip = try SensorTree()
      chip.remove("sampling_frequency_available")
      chip.remove("sampling_frequency")
      // A kernel file that accepts 20 and reads back 14, because it uses hexadecimal numbers.
      try chip.tree.link(SensorTree.folder + "/sampling_frequency", to: "/proc/self/coredump_filter")
      let before = chip.text("sampling_frequency")
      let stage = try await IIOStage(chip.tree)
      try await stage.apply(fast)
      let events = stage.heard()
      #expect(stage.faults(events).isEmpty)
      #expect(stage.states(events) == ["sampling \(TimeSpan(nanoseconds: 71_428_571))"])
      await stage.close()
      try AttributeFolder("/proc/self").write("0x" + before, to: "coredump_filter")
    }
  #endif

  @Test("a rate that is not a number above zero is rejected", arguments: ["nan", "0", "-10", "fast"])
  func badRate(text: String) async throws {
    let chip = try SensorTree()
    chip.remove("sampling_frequency_available")
    chip.remove("sampling_frequency")
    // The test reads the rate directly, because turning on would first write a valid rate.
    try chip.set("sampling_frequency", text)
    let device = try IIODevice.find(settings(chip.tree))
    #expect(throws: IIOFault.self) { try device.rate() }
  }

  private func settings(_ tree: AttributeTree) -> IIOSettings {
    var settings = IIOSettings()
    settings.timeout = .seconds(60)
    settings.sys = tree.root + "/sys"
    settings.dev = tree.root + "/dev"
    return settings
  }

  @Test("a buffer that cannot be turned off is not reported as off, and turning it off is retried")
  func stuck() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(fast)
    _ = stage.heard()
    chip.remove("buffer/enable")
    // A folder in place of the file exists but cannot be written to.
    try chip.set("buffer/enable/in", "the way")
    try await stage.apply(.off)
    let events = stage.heard()
    #expect(stage.faults(events).first?.contains("it cannot be turned off: ") == true)
    #expect(stage.states(events) == ["sampling"])
    chip.remove("buffer/enable")
    try chip.set("buffer/enable", "1")
    try await stage.wake()
    #expect(stage.states(stage.heard()) == ["off"])
    #expect(chip.text("buffer/enable") == "0")
    await stage.close()
  }

  @Test("a buffer that another program left on is turned off at the start and reported")
  func leftOn() async throws {
    let chip = try SensorTree()
    try chip.set("buffer/enable", "1")
    let stage = try await IIOStage(chip.tree)
    #expect(stage.faults(stage.heard()).first?.contains("left on by another program") == true)
    #expect(chip.text("buffer/enable") == "0")
    await stage.close()
  }

  @Test(
    "invalid settings are rejected, and the message names the correction",
    arguments: [
      ("sensor", "thermometer", "accelerometer, gyroscope, magnetometer"), ("sys", "sys", "such as /sys"),
      ("dev", "", "such as /dev"), ("device", "../../etc", "as ls /sys/bus/iio/devices shows it"),
      ("device", "", "as ls"), ("trigger", "a b", "as ls"),
    ])
  func settings(key: String, text: String, step: String) {
    do throws(Problem) {
      _ = try IIOSettings([key: .text(text)])
      Issue.record("“\(text)” is accepted for \(key)")
    } catch {
      #expect(error.remedy.contains(step))
    }
  }
}
