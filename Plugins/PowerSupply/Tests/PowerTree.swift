import StintPluginKit

/// A simulated sysfs tree of a machine with a battery and mains power.
struct PowerTree {
  let tree: AttributeTree

  init() throws {
    tree = try AttributeTree()
    try battery("BAT0", capacity: "42", status: "Discharging")
    try mains("AC", isOnline: false)
  }

  func battery(_ name: String, capacity: String, status: String, more: [String] = []) throws {
    let words = ["TYPE=Battery", "STATUS=\(status)", "CAPACITY=\(capacity)"] + more
    try uevent(name, words)
  }

  func mains(_ name: String, isOnline: Bool) throws {
    try uevent(name, ["TYPE=Mains", "ONLINE=\(isOnline ? 1 : 0)"])
  }

  func uevent(_ name: String, _ words: [String]) throws {
    let lines = ["POWER_SUPPLY_NAME=\(name)"] + words.map { "POWER_SUPPLY_" + $0 }
    try tree.set("sys/class/power_supply/\(name)/uevent", lines.joined(separator: "\n"))
  }

  func thermalZone(_ number: Int, _ type: String, _ milli: String, limits: [(String, String)] = []) throws {
    let folder = "sys/class/thermal/thermal_zone\(number)/"
    try tree.set(folder + "type", type)
    try tree.set(folder + "temp", milli)
    for (place, limit) in limits.enumerated() {
      try tree.set(folder + "trip_point_\(place)_type", limit.0)
      try tree.set(folder + "trip_point_\(place)_temp", limit.1)
    }
  }
}
