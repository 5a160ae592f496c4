import StintPluginKit
import StintUnits

/// The combined values of all power supplies.
struct PowerReading: Sendable {
  /// The battery level, 0 to 1; nil when no battery reports it.
  var level: Double?
  /// True when a battery is charging; nil when no battery reports its status.
  var isCharging: Bool?
  /// The power into or out of the batteries in watts; nil when no battery reports it.
  var power: Double?
  /// True when external power is connected; nil when it is unknown.
  var isExternal: Bool?
  /// The problems of the read, such as a missing supply or an impossible value, as sentences.
  var complaints: [String] = []

  /// Reads all supplies of the machine, or only the supply in the settings.
  static func read(_ settings: PowerSupplySettings) -> PowerReading {
    let base = AttributeFolder(settings.sys + "/class/power_supply")
    var supplies: [Supply] = []
    var complaints: [String] = []
    var names = base.names
    if let wanted = settings.supply {
      if !names.contains(wanted) {
        let list = names.isEmpty ? "none" : names.joined(separator: ", ")
        complaints.append("\(base.path) has no “\(wanted)”; its supplies: \(list)")
      }
      names = names.filter { $0 == wanted }
    }
    for name in names {
      do throws(Problem) {
        if let supply = try Supply(base.folder(name), name: name) {
          complaints += supply.malformed
          supplies.append(supply)
        }
      } catch {
        // A supply that was removed during the read is not a problem.
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
      // A battery that is full, charging or idle needs an external source, even when no supply reports one.
      isExternal = true
    }
  }

  /// Returns the mean level of the batteries; nil when no battery reports a level. The mean is weighted by
  /// the full amount (`content`) if every battery reports this amount in the same unit.
  private static func level(of batteries: [Supply]) -> Double? {
    let levels = batteries.compactMap(\.level)
    guard !levels.isEmpty else { return nil }
    let contents = batteries.compactMap(\.content)
    guard batteries.count > 1, contents.count == batteries.count, Set(contents.map(\.unit)).count == 1 else {
      return levels.reduce(0, +) / Double(levels.count)
    }
    let full = contents.reduce(0) { $0 + $1.full }
    return min(contents.reduce(0) { $0 + $1.now } / full, 1)
  }
}
