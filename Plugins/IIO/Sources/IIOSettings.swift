import StintModel
import StintPluginKit
import StintUnits

/// The settings of a site file: which sensor to use, and how.
struct IIOSettings: Hashable, Sendable {
  var kind = IIOSensorKind.accelerometer
  /// The folder's name (`iio:device0`) or the contents of its `name` file (`bmc150_accel`); nil for the first
  /// suitable device.
  var device: String?
  /// The path of sysfs.
  var sys = "/sys"
  /// The path of the device nodes.
  var dev = "/dev"
  /// The shortest sample period at which values are read one by one, so that the sensor sleeps between them.
  /// Shorter periods use the buffer.
  var slow = TimeSpan.seconds(5)
  /// How long samples may wait in the kernel's buffer before the kernel wakes the plugin.
  var latency = TimeSpan.seconds(1)
  /// The value of `latency` while a policy holds samples back.
  var heldLatency = TimeSpan.seconds(10)
  /// The trigger of scans, written into `trigger/current_trigger`; nil to keep the current trigger.
  var trigger: String?
  /// The maximum delay between two searches for a missing device.
  var retry = TimeSpan.seconds(60)

  /// The maximum time that the host waits for a call. Site files cannot set it.
  var timeout = DeviceWorker.timeout

  /// The folder of the subsystem's devices.
  var devicesPath: String { sys + "/bus/iio/devices" }

  static let form = PluginForm(
    name: "iio", meaning: "an accelerometer, gyroscope or magnetometer of Linux IIO, as motion.…",
    settings: [
      PluginSettingForm("sensor", .text, "accelerometer, gyroscope or magnetometer (default: accelerometer)"),
      PluginSettingForm(
        "device", .text, "its folder or name, such as iio:device0 or bmc150_accel (default: any)"),
      PluginSettingForm("sys", .text, "the path of sysfs (default: /sys)"),
      PluginSettingForm("dev", .text, "the path of the device nodes (default: /dev)"),
      PluginSettingForm(
        "slow", .span(atLeast: .seconds(1)), "the shortest period of single reads (default: 5 s)"),
      PluginSettingForm(
        "latency", .span(atLeast: .zero), "how long samples may wait in the buffer (default: 1 s)"),
      PluginSettingForm(
        "held_latency", .span(atLeast: .zero), "the latency while samples are held back (default: 10 s)"),
      PluginSettingForm("trigger", .text, "the trigger of scans (default: the current one)"),
      PluginSettingForm(
        "retry", .span(atLeast: .seconds(1)), "the maximum delay between two attempts (default: 60 s)"),
    ])

  init() {}

  init(_ values: [String: PluginSettingValue]) throws(Problem) {
    if case .text(let text)? = values["sensor"] {
      guard let kind = IIOSensorKind(rawValue: text) else {
        throw Problem(
          .unsupported, device: "motion", cause: "“\(text)” is not a sensor of iio",
          remedy: "write one of \(IIOSensorKind.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      self.kind = kind
    }
    if case .text(let text)? = values["device"] { device = text }
    if case .text(let text)? = values["sys"] { sys = text }
    if case .text(let text)? = values["dev"] { dev = text }
    if case .text(let text)? = values["trigger"] { trigger = text }
    if case .span(let span)? = values["slow"] { slow = span }
    if case .span(let span)? = values["latency"] { latency = span }
    if case .span(let span)? = values["held_latency"] { heldLatency = span }
    if case .span(let span)? = values["retry"] { retry = span }
    for (key, text) in [("sys", sys), ("dev", dev)] where !text.hasPrefix("/") {
      throw Problem(
        .unsupported, device: kind.device, cause: "“\(key)” of iio is not an absolute path: “\(text)”",
        remedy: "write an absolute path, such as /\(key)")
    }
    for (key, text) in [("device", device), ("trigger", trigger)] {
      guard let text else { continue }
      guard !text.isEmpty, !text.contains("/"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw Problem(
          .unsupported, device: kind.device, cause: "“\(key)” of iio is not a name",
          remedy: "write it as ls \(devicesPath) shows it")
      }
    }
  }
}
