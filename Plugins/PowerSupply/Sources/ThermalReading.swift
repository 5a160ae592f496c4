import StintPluginKit
import StintUnits

/// The combined values of the thermal zones.
struct ThermalReading: Sendable {
  /// The temperature of the warmest zone in degrees Celsius; nil when no zone reports a temperature.
  var temperature: Double?
  /// The thermal state; nil when no zone has a limit.
  var state: ThermalState?
  /// The problems of the read, such as a missing zone or an impossible value, as sentences.
  var complaints: [String] = []

  /// Reads all zones, or only the zones of the type in the settings.
  static func read(_ settings: PowerSupplySettings) -> ThermalReading {
    let base = AttributeFolder(settings.sys + "/class/thermal")
    var reading = ThermalReading()
    var types: [String] = []
    for name in base.names where name.hasPrefix("thermal_zone") {
      let zone = base.folder(name)
      do throws(Problem) {
        let type = zone.has("type") ? try zone.text("type") : ""
        types.append(type)
        guard settings.zone == nil || settings.zone == type else { continue }
        try reading.take(zone)
      } catch {
        // A disabled or removed zone returns an error; only invalid contents are a problem.
        if error.code == .content { reading.complaints.append(error.description) }
      }
    }
    if let wanted = settings.zone, !types.contains(wanted) {
      let list = types.isEmpty ? "none" : types.joined(separator: ", ")
      reading.complaints.append(
        "\(base.path) has no zone of type “\(AttributeFolder.excerpt(wanted))”: \(list)")
    }
    return reading
  }

  private mutating func take(_ zone: AttributeFolder) throws(Problem) {
    let celsius = try zone.number("temp") / 1000
    guard (-60...200).contains(celsius) else {
      throw Problem(.content, place: zone.path + "/temp", cause: "\(celsius) C is impossible")
    }
    temperature = max(temperature ?? celsius, celsius)
    var place = 0
    while zone.has("trip_point_\(place)_temp"), place < 64 {
      defer { place += 1 }
      let limit = try zone.number("trip_point_\(place)_temp") / 1000
      guard let beyond = ThermalState(limit: try zone.text("trip_point_\(place)_type")), limit > 0 else {
        continue
      }
      state = max(state ?? .nominal, celsius >= limit ? beyond : .nominal)
    }
  }
}
