import StintModel
import StintPluginKit
import StintUnits

/// Which sensor and where, as a site file says it.
struct IIOSettings: Hashable, Sendable {
  var kind = IIOSensorKind.accelerometer
  /// The folder's name (`iio:device0`) or what its `name` says (`bmc150_accel`); nil for the first that fits.
  var device: String?
  /// Where sysfs is.
  var sys = "/sys"
  /// Where device nodes are.
  var dev = "/dev"
  /// Samples that are further apart are read one by one, and the sensor sleeps between them.
  var slow = TimeSpan.seconds(5)
  /// How long samples may wait in the kernel's buffer before anybody is woken for them.
  var latency = TimeSpan.seconds(1)
  /// The same while a policy holds samples back.
  var heldLatency = TimeSpan.seconds(10)
  /// What starts each scan, written into `trigger/current_trigger`; nil to leave it as it is.
  var trigger: String?
  /// The longest wait between two looks for a device that is not there.
  var retry = TimeSpan.seconds(60)

  /// How long the host waits for what it asked; not for site files.
  var patience = DeviceWorker.patience

  /// Where the devices of the subsystem lie.
  var devicesPath: String { sys + "/bus/iio/devices" }

  static let form = PluginForm(
    name: "iio", meaning: "an accelerometer, gyroscope or magnetometer of Linux IIO, as motion.…",
    settings: [
      PluginSettingForm("sensor", .text, "accelerometer, gyroscope or magnetometer; the first when left out"),
      PluginSettingForm(
        "device", .text, "its folder or name, as in iio:device0 or bmc150_accel; any when left out"),
      PluginSettingForm("sys", .text, "where sysfs is; /sys when left out"),
      PluginSettingForm("dev", .text, "where device nodes are; /dev when left out"),
      PluginSettingForm(
        "slow", .span(atLeast: .seconds(1)), "samples so far apart are read one by one; 5 s when left out"),
      PluginSettingForm(
        "latency", .span(atLeast: .zero), "how long samples may wait in the buffer; 1 s when left out"),
      PluginSettingForm(
        "held_latency", .span(atLeast: .zero), "the same while samples are held back; 10 s when left out"),
      PluginSettingForm("trigger", .text, "what starts a scan; as it is when left out"),
      PluginSettingForm(
        "retry", .span(atLeast: .seconds(1)), "the longest wait between two tries; 60 s when left out"),
    ])

  init() {}

  init(_ values: [String: PluginSettingValue]) throws(PluginError) {
    if case .text(let text)? = values["sensor"] {
      guard let kind = IIOSensorKind(rawValue: text) else {
        throw PluginError(
          .unsupported, device: "motion", cause: "“\(text)” is no sensor of iio",
          nextStep: "write one of \(IIOSensorKind.allCases.map(\.rawValue).joined(separator: ", "))")
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
      throw PluginError(
        .unsupported, device: kind.device, cause: "“\(key)” of iio is no whole path: “\(text)”",
        nextStep: "write it from the root, as in /\(key)")
    }
    for (key, text) in [("device", device), ("trigger", trigger)] {
      guard let text else { continue }
      guard !text.isEmpty, !text.contains("/"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw PluginError(
          .unsupported, device: kind.device, cause: "“\(key)” of iio is no name",
          nextStep: "write it as ls \(devicesPath) shows it")
      }
    }
  }
}
