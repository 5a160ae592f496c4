/// What UPower says of all that powers the machine, over D-Bus.
struct UPower {
  private static let service = BusObject(
    service: "org.freedesktop.UPower", path: "/org/freedesktop/UPower", interface: "org.freedesktop.UPower")
  /// All batteries together, as a desktop shows them.
  private static let display = BusObject(
    service: "org.freedesktop.UPower", path: "/org/freedesktop/UPower/devices/DisplayDevice",
    interface: "org.freedesktop.UPower.Device")

  private let connection: BusConnection

  /// Connects, and hears of changes.
  init(_ address: String?) throws(BusError) {
    connection = try BusConnection(address)
    for object in [Self.service, Self.display] {
      try connection.listen(
        "type='signal',sender='\(object.service)',path='\(object.path)',"
          + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'")
    }
  }

  /// Readable when `processMessages` has something to do.
  var descriptor: Int32 { connection.descriptor }

  /// Takes what has come; whether anything changed.
  func processMessages() throws(BusError) -> Bool { try connection.processMessages() }

  func reading() throws(BusError) -> PowerReading {
    let isOnBattery = try connection.flag("OnBattery", of: Self.service)
    guard try connection.flag("IsPresent", of: Self.display) else {
      return PowerReading(isOnBattery: isOnBattery)
    }
    return PowerReading(
      isOnBattery: isOnBattery, type: try connection.count("Type", of: Self.display),
      state: try connection.count("State", of: Self.display),
      percentage: try connection.number("Percentage", of: Self.display),
      watts: try connection.number("EnergyRate", of: Self.display))
  }
}

extension PowerReading {
  /// Of a machine without a battery.
  init(isOnBattery: Bool) {
    self.init([])
    isExternal = !isOnBattery
  }

  /// As UPower has it: types 2 and 3 are batteries; states are unknown, charging, discharging, empty, full, and waiting
  /// for one or the other.
  init(isOnBattery: Bool, type: UInt32, state: UInt32, percentage: Double, watts: Double) {
    self.init(isOnBattery: isOnBattery)
    guard type == 2 || type == 3 else { return }
    if (0...100).contains(percentage) {
      level = percentage / 100
    } else {
      complaints.append("UPower: a charge of \(percentage) %")
    }
    if (1...6).contains(state) { isCharging = state == 1 }
    if watts.isFinite {
      power = min(abs(watts), 10_000)
    } else {
      complaints.append("UPower: a rate of \(watts) W")
    }
  }
}
