import StintPluginKit
import StintUnits

/// A battery or an external power source, as read from its folder in `/sys/class/power_supply`.
struct Supply: Sendable {
  enum Kind: Hashable, Sendable {
    /// A battery, or a UPS.
    case battery
    /// Mains, USB, wireless and all other supplies.
    case feed
  }

  let name: String
  /// The quantity that the driver reports as the stored amount. The raw value is the prefix of the driver's
  /// keys for this quantity, as in `ENERGY_NOW`.
  enum ContentUnit: String, CaseIterable {
    /// In microwatt-hours.
    case energy = "ENERGY"
    /// In microampere-hours.
    case charge = "CHARGE"
  }

  let kind: Kind
  /// The charge level, 0 to 1, as reported or computed from `content`; nil when both are missing.
  var level: Double?
  /// The stored energy or charge now and when full, and the unit of both numbers. Nil when the driver does
  /// not report them.
  var content: (now: Double, full: Double, unit: ContentUnit)?
  /// The status in the driver's words: `Charging`, `Discharging`, `Full`, `Not charging`, `Unknown`.
  var status: String
  /// For an external source: true when it is connected.
  var isOnline: Bool?
  /// The power in watts, without a sign, because drivers use different signs.
  var power: Double?
  /// The reported values that are impossible, as sentences for a fault.
  var malformed: [String] = []

  /// Reads a folder.
  ///
  /// - Returns: nil when the supply is absent or does not power the machine, such as the battery of a mouse.
  init?(_ folder: AttributeFolder, name: String) throws(Problem) {
    let words = try UeventValues(folder)
    guard words["SCOPE"] != "Device", words["PRESENT"] != "0" else { return nil }
    self.name = name
    switch words["TYPE"] {
    case "Battery", "UPS": kind = .battery
    case nil:
      throw Problem(.content, place: folder.path, cause: "it has no type")
    default: kind = .feed
    }
    status = words["STATUS"] ?? "Unknown"
    isOnline = words["ONLINE"].flatMap { AttributeFolder.number($0) }.map { $0 > 0 }
    guard kind == .battery else { return }
    readLevel(words, folder)
    readPower(words)
  }

  private mutating func readLevel(_ words: UeventValues, _ folder: AttributeFolder) {
    if let text = words["CAPACITY"] {
      if let percent = AttributeFolder.number(text), (0...100).contains(percent) {
        level = percent / 100
      } else {
        malformed.append("\(folder.path): capacity “\(AttributeFolder.excerpt(text))” % is impossible")
      }
    }
    for unit in ContentUnit.allCases where content == nil {
      guard let now = words.number(unit.rawValue + "_NOW"), let full = words.number(unit.rawValue + "_FULL"),
        now >= 0, full > 0
      else { continue }
      content = (now, full, unit)
      if level == nil { level = min(now / full, 1) }
    }
  }

  private mutating func readPower(_ words: UeventValues) {
    let micro = 1e-6
    if let power = words.number("POWER_NOW") {
      self.power = abs(power) * micro
    } else if let current = words.number("CURRENT_NOW"), let voltage = words.number("VOLTAGE_NOW") {
      power = abs(current * micro) * abs(voltage * micro)
    }
  }

  /// The values of a folder's `uevent` file. A value that is missing there is read from its own file.
  private struct UeventValues {
    private var values: [String: String] = [:]
    private let folder: AttributeFolder

    init(_ folder: AttributeFolder) throws(Problem) {
      self.folder = folder
      guard folder.has("uevent") else { return }
      for line in try folder.text("uevent").split(separator: "\n") {
        guard line.hasPrefix("POWER_SUPPLY_"), let sign = line.firstIndex(of: "=") else { continue }
        let key = line[..<sign].dropFirst("POWER_SUPPLY_".count)
        values[String(key)] = String(line[line.index(after: sign)...])
      }
    }

    subscript(key: String) -> String? {
      if let value = values[key] { return value }
      do throws(Problem) { return try folder.text(key.lowercased()) } catch { return nil }
    }

    func number(_ key: String) -> Double? { self[key].flatMap { AttributeFolder.number($0) } }
  }
}
