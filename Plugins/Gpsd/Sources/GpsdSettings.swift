import StintModel
import StintPluginKit
import StintUnits

/// Where gpsd is and what it does, as a site file says it.
struct GpsdSettings: Hashable, Sendable {
  var host = "127.0.0.1"
  var port = 2947
  /// The receiver's path, as gpsd names it; nil for whichever gpsd has.
  var device: String?
  /// How long gpsd keeps the receiver on after its last watcher has left: 60 s, compiled in. Zero for a gpsd
  /// that is configured otherwise.
  var release = TimeSpan.seconds(60)
  /// The longest wait between two tries to reach gpsd.
  var retry = TimeSpan.seconds(60)
  /// How long gpsd may say nothing before it is asked whether it is still there.
  var silence = TimeSpan.seconds(30)

  var address: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  static let form = PluginForm(
    name: "gpsd", meaning: "a GNSS receiver behind gpsd, as location.gnss",
    settings: [
      PluginSettingForm("host", .text, "where gpsd listens; 127.0.0.1 when left out"),
      PluginSettingForm("port", .whole(1...65_535), "the TCP port; 2947 when left out"),
      PluginSettingForm("device", .text, "the receiver's path, as in /dev/ttyACM0; any when left out"),
      PluginSettingForm(
        "release", .span(atLeast: .zero), "how long gpsd keeps an unwatched receiver on; 60 s when left out"),
      PluginSettingForm(
        "retry", .span(atLeast: .seconds(1)), "the longest wait between two tries; 60 s when left out"),
      PluginSettingForm(
        "silence", .span(atLeast: .seconds(1)), "how long gpsd may be silent; 30 s when left out"),
    ])

  init() {}

  init(_ values: [String: PluginSettingValue]) throws(PluginError) {
    if case .text(let text)? = values["host"] { host = text }
    if case .whole(let number)? = values["port"] { port = number }
    if case .text(let text)? = values["device"] { device = text }
    if case .span(let span)? = values["release"] { release = span }
    if case .span(let span)? = values["retry"] { retry = span }
    if case .span(let span)? = values["silence"] { silence = span }
    for (key, text) in [("host", host), ("device", device ?? "/")] {
      // Both travel in requests or to the resolver, where a quote or a line end would mean something else.
      let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C && $0 != 0x3B }
      guard !text.isEmpty, isPlain, text.utf8.count <= 255 else {
        throw PluginError(
          .unsupported, device: GpsdPlugin.device, cause: "“\(key)” of gpsd is no name that can be sent",
          nextStep: "write it in plain letters, without spaces, quotes and semicolons")
      }
    }
  }
}
