import StintModel
import StintPluginKit
import StintUnits

/// The settings of a site file: the address of gpsd and its behaviour.
struct GpsdSettings: Hashable, Sendable {
  var host = "127.0.0.1"
  var port = 2947
  /// The receiver's path in messages of gpsd; nil for any receiver.
  var device: String?
  /// How long gpsd keeps a receiver without a watcher on: 60 s in gpsd's code. Zero when gpsd is configured
  /// to close the receiver at once.
  var release = TimeSpan.seconds(60)
  /// The maximum delay between two attempts to reach gpsd.
  var retry = TimeSpan.seconds(60)
  /// How long gpsd may be silent before the session sends a query to check that gpsd answers.
  var silence = TimeSpan.seconds(30)

  var address: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  static let form = PluginForm(
    name: "gpsd", meaning: "a GNSS receiver behind gpsd, as location.gnss",
    settings: [
      PluginSettingForm("host", .text, "the host of gpsd (default: 127.0.0.1)"),
      PluginSettingForm("port", .whole(1...65_535), "the TCP port (default: 2947)"),
      PluginSettingForm("device", .text, "the receiver's path, such as /dev/ttyACM0 (default: any)"),
      PluginSettingForm(
        "release", .span(atLeast: .zero), "how long gpsd keeps an unwatched receiver on (default: 60 s)"),
      PluginSettingForm(
        "retry", .span(atLeast: .seconds(1)), "the maximum delay between two attempts (default: 60 s)"),
      PluginSettingForm(
        "silence", .span(atLeast: .seconds(1)), "how long gpsd may be silent (default: 30 s)"),
    ])

  init() {}

  init(_ values: [String: PluginSettingValue]) throws(Problem) {
    if case .text(let text)? = values["host"] { host = text }
    if case .whole(let number)? = values["port"] { port = number }
    if case .text(let text)? = values["device"] { device = text }
    if case .span(let span)? = values["release"] { release = span }
    if case .span(let span)? = values["retry"] { retry = span }
    if case .span(let span)? = values["silence"] { silence = span }
    for (key, text) in [("host", host), ("device", device ?? "/")] {
      // `device` becomes part of a JSON request to gpsd. A quote, a backslash or a semicolon would change
      // this request. The same check applies to `host`.
      let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C && $0 != 0x3B }
      guard !text.isEmpty, isPlain, text.utf8.count <= 255 else {
        throw Problem(
          .unsupported, device: GpsdPlugin.device,
          cause: "“\(key)” of gpsd is empty, too long or has invalid characters",
          remedy: "write 1 to 255 ASCII characters, without spaces, quotes, backslashes and semicolons")
      }
    }
  }
}
