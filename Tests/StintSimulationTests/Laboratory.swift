import StintFormats
import StintModel
import StintPluginKit
import StintSimulation
import StintUnits

/// Creates a `PluginBench` for one device of the reference phone, in a world of a few sections (`Leg`).
struct Laboratory {
  static let start = Instant(nanoseconds: 1_778_918_400_000_000_000)
  static let origin = place(47.05, 8.31)

  var legs: [Leg] = []
  var faults: [InjectedFault] = []
  var changes: [FactChange] = []
  var seed: UInt64 = 1
  var meter = EnergyMeter()

  /// Returns the coordinate, which must be valid.
  static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
      preconditionFailure("\(latitude), \(longitude) is not a coordinate")
    }
    return place
  }

  var scenario: Scenario {
    Scenario(
      name: "laboratory", start: Self.start, duration: .hours(1000), origin: Self.origin, legs: legs,
      changes: changes, faults: faults)
  }

  func plugin(_ device: DeviceID) throws -> any DevicePlugin {
    var scenario = scenario
    scenario.devices = [device]
    let plugins = try ReferencePhone(scenario, seed: seed, meter: meter).plugins()
    return plugins[0]
  }

  /// Returns a bench with the device, opened at `start`.
  func bench(_ device: DeviceID) async throws -> PluginBench {
    var bench = PluginBench(try plugin(device), at: Self.start)
    try await bench.open()
    return bench
  }
}

extension Leg {
  static func moving(
    _ activity: Activity, _ duration: TimeSpan, speed: Double = 1.4, heading: Double = 40, sky: Sky = .open
  ) -> Leg {
    Leg(activity: activity, duration: duration, speed: speed, heading: heading, sky: sky)
  }

  static func resting(_ duration: TimeSpan, sky: Sky = .open, hasWiFi: Bool = false) -> Leg {
    Leg(activity: .still, duration: duration, speed: 0, heading: 0, sky: sky, hasWiFi: hasWiFi)
  }
}

extension PluginBench {
  /// The power states as `name seconds`, in seconds since `Laboratory.start`.
  var stateLog: [String] {
    states.map { "\($0.name) \(Quantity.number(($0.at - Laboratory.start).seconds))" }
  }

  /// The instants of the samples, in seconds since `Laboratory.start`.
  var sampleSeconds: [Double] { samples.map { ($0.instant - Laboratory.start).seconds } }
}
