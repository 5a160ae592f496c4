import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

/// A cellular radio of the reference phone over a link that is not always as fast, and that says how fast it is.
enum LinkPhone {
  static func radio(_ rates: LinkRates) throws -> any DevicePlugin {
    let origin = try #require(Coordinate(latitude: 47, longitude: 8))
    let scenario = Scenario(
      name: "link", start: Phone.start, duration: .hours(2000), origin: origin, legs: [])
    return try CellularRadio(
      over: rates, in: LegWorld(scenario, seed: 1).makeView(), from: Phone.start)
  }
}
