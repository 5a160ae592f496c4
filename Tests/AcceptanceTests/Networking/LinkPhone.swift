import StintFormats
import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintSimulation

/// A cellular radio of the reference phone over a link that is not always as fast, and that says how fast it is.
enum LinkPhone {
  static func radio(_ rates: LinkRates) throws -> any DevicePlugin {
    var manifest = try BuiltInFiles.manifest("radio.cellular")
    manifest.facts.append(
      FactSchema(
        path: "net.throughput", type: .quantity(.throughput), device: "radio.cellular",
        meaning: "bytes a second of the transfer under way"))
    let origin = try #require(Coordinate(latitude: 47, longitude: 8))
    let scenario = Scenario(
      name: "link", start: Phone.start, duration: .hours(2000), origin: origin, legs: [])
    return CellularRadio(
      DeviceSetup(
        manifest: manifest, view: try LegWorld(scenario, seed: 1).makeView(),
        noise: Noise(seed: 1, device: manifest.device),
        dropout: DropoutFault([], device: manifest.device, start: Phone.start), rates: rates))
  }
}
