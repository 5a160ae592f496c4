import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

/// Makes a cellular radio for the reference phone. The radio publishes the rate of its link, which varies.
enum VariableRateRadio {
  static func radio(_ rates: LinkRates) throws -> any DevicePlugin {
    let origin = try #require(Coordinate(latitude: 47, longitude: 8))
    let scenario = Scenario(
      name: "link", start: Phone.start, duration: .hours(2000), origin: origin, legs: [])
    return try CellularRadio(
      over: rates, in: LegWorld(scenario, seed: 1).makeView(), from: Phone.start)
  }
}
