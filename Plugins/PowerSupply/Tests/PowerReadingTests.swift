import StintPluginKit
import Testing

@testable import StintPowerSupply

@Suite("power supply: the files")
struct PowerReadingTests {
  private func settings(_ power: PowerTree) -> PowerSupplySettings {
    var settings = PowerSupplySettings()
    settings.sys = power.tree.root + "/sys"
    return settings
  }

  @Test("with a discharging battery and disconnected mains, there is no external power")
  func discharging() throws {
    let power = try PowerTree()
    let reading = PowerReading.read(settings(power))
    #expect(reading.level == 0.42)
    #expect(reading.isCharging == false)
    #expect(reading.isExternal == false)
    #expect(reading.power == nil)
    #expect(reading.complaints.isEmpty)
  }

  @Test(
    "with connected mains, there is external power in every state of the battery",
    arguments: ["Charging", "Full", "Discharging"])
  func external(status: String) throws {
    let power = try PowerTree()
    try power.battery("BAT0", capacity: "80", status: status)
    try power.mains("AC", isOnline: true)
    let reading = PowerReading.read(settings(power))
    #expect(reading.isExternal == true)
    #expect(reading.isCharging == (status == "Charging"))
  }

  @Test("without a mains supply, every known battery status except discharging implies external power")
  func inferred() throws {
    let power = try PowerTree()
    power.tree.remove("sys/class/power_supply/AC")
    for (status, isExternal) in [
      ("Discharging", false), ("Charging", true), ("Not charging", true), ("Full", true),
    ] {
      try power.battery("BAT0", capacity: "80", status: status)
      #expect(PowerReading.read(settings(power)).isExternal == isExternal)
    }
    try power.battery("BAT0", capacity: "80", status: "Unknown")
    #expect(PowerReading.read(settings(power)).isExternal == nil)
    #expect(PowerReading.read(settings(power)).isCharging == nil)
  }

  @Test("the levels of several batteries are weighted by capacity, and the battery of a mouse is ignored")
  func several() throws {
    let power = try PowerTree()
    try power.battery(
      "BAT0", capacity: "50", status: "Discharging", more: ["ENERGY_NOW=10000000", "ENERGY_FULL=20000000"])
    try power.battery(
      "BAT1", capacity: "100", status: "Unknown", more: ["ENERGY_NOW=60000000", "ENERGY_FULL=60000000"])
    try power.battery("mouse", capacity: "3", status: "Discharging", more: ["SCOPE=Device"])
    try power.battery("BAT2", capacity: "0", status: "Unknown", more: ["PRESENT=0"])
    #expect(PowerReading.read(settings(power)).level == 0.875)
    var one = settings(power)
    one.supply = "BAT0"
    #expect(PowerReading.read(one).level == 0.5)
    try power.battery("BAT1", capacity: "100", status: "Unknown")
    #expect(PowerReading.read(settings(power)).level == 0.75, "one capacity is unknown, so all weights are 1")
    try power.battery(
      "BAT1", capacity: "100", status: "Unknown", more: ["CHARGE_NOW=5000000", "CHARGE_FULL=5000000"])
    #expect(PowerReading.read(settings(power)).level == 0.75, "the units differ, so all weights are 1")
  }

  @Test("a missing level is computed from the charge, and the power is never negative")
  func derived() throws {
    let power = try PowerTree()
    try power.uevent(
      "BAT0",
      [
        "TYPE=Battery", "STATUS=Discharging", "CHARGE_NOW=2100000", "CHARGE_FULL=5000000",
        "CURRENT_NOW=-500000",
        "VOLTAGE_NOW=12000000",
      ])
    #expect(PowerReading.read(settings(power)).level == 0.42)
    #expect(PowerReading.read(settings(power)).power == 6)
    try power.uevent("BAT0", ["TYPE=Battery", "STATUS=Full", "POWER_NOW=-1500000"])
    #expect(PowerReading.read(settings(power)).power == 1.5)
  }

  @Test("values that the uevent file lacks are read from their own files")
  func files() throws {
    let tree = try AttributeTree()
    for (name, text) in [("type", "Battery"), ("capacity", "9"), ("status", "Charging")] {
      try tree.set("sys/class/power_supply/BAT0/\(name)", text)
    }
    var settings = PowerSupplySettings()
    settings.sys = tree.root + "/sys"
    #expect(PowerReading.read(settings).level == 0.09)
    #expect(PowerReading.read(settings).isCharging == true)
  }

  @Test("an invalid level is unknown and reported", arguments: ["nan", "-1", "101", "full", "1e9"])
  func garbage(text: String) throws {
    let power = try PowerTree()
    try power.battery("BAT0", capacity: text, status: "Discharging")
    let reading = PowerReading.read(settings(power))
    #expect(reading.level == nil)
    #expect(reading.complaints.count == 1)
    #expect(reading.complaints.first?.contains("BAT0: capacity “\(text)” %") == true)
  }

  @Test("a folder that is not a supply, and a missing supply, are reported")
  func others() throws {
    let power = try PowerTree()
    try power.tree.set("sys/class/power_supply/odd/uevent", "HELLO=1")
    #expect(PowerReading.read(settings(power)).complaints.first?.contains("odd: it has no type") == true)
    var wanted = settings(power)
    wanted.supply = "BAT7"
    let reading = PowerReading.read(wanted)
    #expect(reading.complaints.first?.hasSuffix("has no “BAT7”; its supplies: AC, BAT0, odd") == true)
    #expect(reading.level == nil)
    #expect(PowerReading.read(PowerSupplySettings()).complaints.isEmpty, "no folder, or valid supplies")
  }

  @Test("the temperature is that of the warmest zone, and the state follows from the limits of all zones")
  func heat() throws {
    let power = try PowerTree()
    let limits = [("active", "50000"), ("passive", "70000"), ("hot", "90000"), ("critical", "100000")]
    try power.thermalZone(0, "acpitz", "25100")
    try power.thermalZone(1, "cpu", "45000", limits: limits)
    #expect(ThermalReading.read(settings(power)).temperature == 45)
    for (milli, state) in [
      ("49999", ThermalState.nominal), ("50000", .warm), ("89000", .warm), ("90000", .hot),
      ("100500", .critical),
    ] {
      try power.thermalZone(1, "cpu", milli, limits: limits)
      #expect(ThermalReading.read(settings(power)).state == state)
    }
    var one = settings(power)
    one.zone = "acpitz"
    #expect(ThermalReading.read(one).temperature == 25.1)
    #expect(ThermalReading.read(one).state == nil, "a zone without limits has no thermal state")
    one.zone = "gpu"
    #expect(ThermalReading.read(one).complaints.first?.contains("no zone of type “gpu”: acpitz, cpu") == true)
  }

  @Test("an impossible temperature is ignored and reported; an unreadable temperature is ignored")
  func badHeat() throws {
    let power = try PowerTree()
    try power.thermalZone(0, "acpitz", "25100")
    try power.thermalZone(1, "cpu", "999999")
    try power.thermalZone(2, "gpu", "nan")
    power.tree.remove("sys/class/thermal/thermal_zone2/temp")
    try power.tree.set("sys/class/thermal/thermal_zone2/temp/in", "the way")
    let reading = ThermalReading.read(settings(power))
    #expect(reading.temperature == 25.1)
    #expect(reading.complaints.count == 1)
    #expect(reading.complaints.first?.contains("thermal_zone1/temp: 999.999 C is impossible") == true)
  }

  @Test("only messages of power_supply and thermal are relevant, in the format of the kernel or of udev")
  func messages() {
    let message = { (words: [String]) in Array(words.joined(separator: "\0").utf8)[...] }
    #expect(
      UeventSocket.matters(message(["change@/devices/BAT0", "ACTION=change", "SUBSYSTEM=power_supply"])))
    #expect(UeventSocket.matters(message(["libudev", "\u{1}\u{2}", "SUBSYSTEM=thermal", "X=1"])))
    #expect(!UeventSocket.matters(message(["add@/devices/usb", "SUBSYSTEM=usb", "X=SUBSYSTEM=thermal"])))
    #expect(!UeventSocket.matters([]))
  }
}
