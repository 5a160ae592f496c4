import StintModel
import StintPluginKit
import StintUnits

/// The settings of a site file. `plugin.json` describes each of them.
struct CarrierSettings: Hashable, Sendable {
  /// The interfaces over which the transfers of a radio may run.
  enum Binding: Hashable {
    case anyInterface
    case interface(String)
  }

  /// The folder for parts and downloaded files.
  var spool = "/var/spool/stint/transfers"
  /// The folder whose files may be sent.
  var uploads = "/var/spool/stint/uploads"
  /// True to send files with POST in place of PUT.
  var usesPost = false
  /// A file with certificates that are trusted in addition to those of the system; nil for no file.
  var caFile: String?
  /// A file in the format of netrc, with a user and a password for each host; nil for no file.
  var credentials: String?
  /// The address of a proxy; nil for direct connections.
  var proxy: String?
  /// A file with a line `user:password` for the proxy; nil for no file.
  var proxyCredentials: String?
  /// The binding of each radio. Empty when no radio is bound.
  var interfaces: [String: Binding] = [:]
  /// The largest number of transfers that run at the same time.
  var connections = 4
  /// The largest rate of all transfers together in bytes per second; 0 for no limit.
  var rate: Int64 = 0
  /// The rate in bytes per second below which a transfer fails.
  var slowRate: Int64 = 100
  /// The time for which a transfer may be slower than `slowRate`.
  var slowTime = TimeSpan.seconds(60)
  /// The time within which a connection must be ready, including the name resolution and TLS.
  var connectTime = TimeSpan.seconds(30)
  /// The largest number of redirects of one attempt.
  var redirects = 5
  /// The size in bytes above which a download fails.
  var largest: Int64 = 16 << 30
  /// The age after which an abandoned part is removed.
  var partAge = TimeSpan.seconds(14 * 86_400)

  init() {}

  /// Reads the settings, which the host has checked against `plugin.json`.
  ///
  /// - Throws: `unsupported` for a value that this plugin cannot use. The problem never repeats a value that
  ///   may contain a password.
  init(_ entries: [PluginSettingEntry]) throws(Problem) {
    for entry in entries {
      switch entry.value {
      case .text(let text): try set(entry.key, text)
      case .whole(let number): set(entry.key, Int64(number))
      case .span(let span): set(entry.key, span)
      case .flag(let flag): if entry.key == "post" { usesPost = flag }
      }
    }
    let share = rate / Int64(max(connections, 1))
    guard rate == 0 || share >= slowRate else {
      throw Self.problem(
        "“rate” gives each of \(connections) connections \(share) B/s, below “slow_rate”, \(slowRate) B/s",
        "write a larger rate, fewer connections or a smaller slow_rate")
    }
  }

  private mutating func set(_ key: String, _ text: String) throws(Problem) {
    switch key {
    case "spool": spool = try Self.path(key, text)
    case "uploads": uploads = try Self.path(key, text)
    case "ca_file": caFile = try Self.path(key, text)
    case "credentials": credentials = try Self.path(key, text)
    case "proxy_credentials": proxyCredentials = try Self.path(key, text)
    case "interfaces": interfaces = try Self.interfaces(text)
    case "proxy":
      let isKnown = ["http://", "https://", "socks5://", "socks5h://"].contains { text.hasPrefix($0) }
      guard isKnown, !text.contains("@") else {
        throw Self.problem(
          text.contains("@") ? "“proxy” contains credentials" : "“proxy” has an unsupported scheme",
          text.contains("@")
            ? "write the user and the password into a file, and its path into proxy_credentials"
            : "begin it with http://, https://, socks5:// or socks5h://")
      }
      proxy = text
    default: break
    }
  }

  private mutating func set(_ key: String, _ number: Int64) {
    switch key {
    case "connections": connections = Int(clamping: number)
    case "rate": rate = number
    case "slow_rate": slowRate = number
    case "redirects": redirects = Int(clamping: number)
    case "largest": largest = number
    default: break
    }
  }

  private mutating func set(_ key: String, _ span: TimeSpan) {
    switch key {
    case "slow_time": slowTime = span
    case "connect_time": connectTime = span
    case "part_age": partAge = span
    default: break
    }
  }

  private static func path(_ key: String, _ text: String) throws(Problem) -> String {
    let parts = text.split(separator: "/", omittingEmptySubsequences: true)
    guard text.hasPrefix("/"), !parts.isEmpty, !parts.contains("."), !parts.contains("..") else {
      throw problem("“\(key)” is not an absolute path", "begin it with /, and write it without . and ..")
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Reads a list such as `radio.cellular=wwan0 radio.lan=*`.
  private static func interfaces(_ text: String) throws(Problem) -> [String: Binding] {
    var result: [String: Binding] = [:]
    for entry in text.split(separator: " ", omittingEmptySubsequences: true) {
      let sides = entry.split(separator: "=", omittingEmptySubsequences: false)
      // The name of a Linux interface has at most 15 bytes.
      guard sides.count == 2, !sides[0].isEmpty, (1...15).contains(sides[1].utf8.count),
        !sides[1].contains("/"), sides[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else {
        throw problem(
          "“interfaces” contains the entry “\(entry.prefix(40))”",
          "write entries such as radio.cellular=wwan0, or radio.lan=* for any interface")
      }
      result[String(sides[0])] = sides[1] == "*" ? .anyInterface : .interface(String(sides[1]))
    }
    return result
  }

  private static func problem(_ cause: String, _ remedy: String) -> Problem {
    Problem(.unsupported, device: HTTPCarrier.device, cause: cause, remedy: remedy)
  }

  /// Returns the interface for a radio; nil for any interface.
  ///
  /// - Throws: a permanent fault when only other radios have an entry. Without this fault, the bytes of this
  ///   radio's transfers could leave over the interface of another radio.
  func interface(for radio: DeviceID) throws(CarrierFault) -> String? {
    guard !interfaces.isEmpty else { return nil }
    switch interfaces[radio.path] {
    case .anyInterface?: return nil
    case .interface(let name)?: return name
    case nil: throw .setup("the setting “interfaces” has no entry for \(radio)")
    }
  }
}
