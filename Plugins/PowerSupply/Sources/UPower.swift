/// The combined values of all power supplies, from UPower over D-Bus.
struct UPower {
  private static let service = DBusObject(
    service: "org.freedesktop.UPower", path: "/org/freedesktop/UPower", interface: "org.freedesktop.UPower")
  /// UPower's display device, which combines all batteries.
  private static let display = DBusObject(
    service: "org.freedesktop.UPower", path: "/org/freedesktop/UPower/devices/DisplayDevice",
    interface: "org.freedesktop.UPower.Device")

  private let connection: DBusConnection

  /// Connects and subscribes to changes.
  init(_ address: String?) throws(BusError) {
    connection = try DBusConnection(address)
    for object in [Self.service, Self.display] {
      try connection.listen(
        "type='signal',sender='\(object.service)',path='\(object.path)',"
          + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'")
    }
  }

  /// The descriptor is readable when `processMessages` has work.
  var descriptor: Int32 { connection.descriptor }

  /// Processes the waiting messages. Returns true when a value has changed.
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
  /// Makes the reading of a machine without a battery.
  init(isOnBattery: Bool) {
    self.init([])
    isExternal = !isOnBattery
  }

  /// Makes a reading from UPower's values.
  ///
  /// Type 2 is a battery, and type 3 an uninterruptible power supply. The states are, from 0: unknown,
  /// charging, discharging, empty, full, pending charge, pending discharge.
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
