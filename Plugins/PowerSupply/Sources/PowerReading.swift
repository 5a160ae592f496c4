import StintPluginKit
import StintUnits

/// What all supplies together say.
struct PowerReading: Sendable {
  /// 0 to 1; nil without a battery that says it.
  var level: Double?
  /// Whether a battery is being filled; nil without a battery.
  var isCharging: Bool?
  /// Watts into or out of the batteries; nil when none of them says it.
  var power: Double?
  /// Nil when nothing tells.
  var isExternal: Bool?
  /// What cannot be read, as sentences.
  var complaints: [String] = []

  /// Reads all that power the machine; or the one that is wanted.
  static func read(_ settings: PowerSupplySettings) -> PowerReading {
    let base = AttributeFolder(settings.sys + "/class/power_supply")
    var supplies: [Supply] = []
    var complaints: [String] = []
    var names = base.names
    if let wanted = settings.supply {
      if !names.contains(wanted) {
        let list = names.isEmpty ? "nothing" : names.joined(separator: ", ")
        complaints.append("\(base.path) has no “\(wanted)” but \(list)")
      }
      names = names.filter { $0 == wanted }
    }
    for name in names {
      do throws(Problem) {
        if let supply = try Supply(base.folder(name), name: name) {
          complaints += supply.nonsense
          supplies.append(supply)
        }
      } catch {
        // One that went away while it was read is no complaint.
        if error.code != .absent { complaints.append(error.description) }
      }
    }
    var reading = PowerReading(supplies)
    reading.complaints = complaints
    return reading
  }

  init(_ supplies: [Supply]) {
    let batteries = supplies.filter { $0.kind == .battery }
    level = Self.level(of: batteries)
    let powers = batteries.compactMap(\.power)
    power = powers.isEmpty ? nil : min(powers.reduce(0, +), 10_000)
    let known = batteries.filter { $0.status != "Unknown" }
    if !known.isEmpty { isCharging = known.contains { $0.status == "Charging" } }
    let feeds = supplies.filter { $0.kind == .feed }.compactMap(\.isOnline)
    if feeds.contains(true) {
      isExternal = true
    } else if known.contains(where: { $0.status == "Discharging" }) || !feeds.isEmpty {
      isExternal = false
    } else if !known.isEmpty {
      // Full, filling or resting, and nothing that says what from.
      isExternal = true
    }
  }

  /// By what is in them, where all say so in the same way; else the mean.
  private static func level(of batteries: [Supply]) -> Double? {
    let levels = batteries.compactMap(\.level)
    guard !levels.isEmpty else { return nil }
    let contents = batteries.compactMap(\.content)
    guard batteries.count > 1, contents.count == batteries.count else {
      return levels.reduce(0, +) / Double(levels.count)
    }
    let full = contents.reduce(0) { $0 + $1.full }
    return min(contents.reduce(0) { $0 + $1.now } / full, 1)
  }
}
