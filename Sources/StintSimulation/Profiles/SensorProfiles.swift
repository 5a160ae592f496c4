import StintFormats
import StintModel

/// An LIS2DH12 with its own FIFO for 32 samples (from the data sheet), without a sensor hub.
enum BareAccelerometer {
  static let part = SensorParts.accelerometer(fifo: 32)
}

/// An accelerometer on a sensor hub that stores 3000 samples (from the Android compatibility definition
/// 7.3.9).
enum PhoneHub {
  static let part = SensorParts.accelerometer(fifo: 3000)
}

/// Figures of motion sensors.
enum SensorParts {
  /// The power of LIS2DH and LIS3DH in normal mode at 1.8 V: 2, 4, 6, 11, 20, 38 and 73 µA at these rates
  /// (from the data sheets, tables 11 and 12).
  static let powers: [(hertz: Int, power: String)] = [
    (1, "3.6 uW"), (10, "7.2 uW"), (25, "10.8 uW"), (50, "19.8 uW"), (100, "36 uW"), (200, "68.4 uW"),
    (400, "131.4 uW"),
  ]
  /// The energy to read one sample from the FIFO (assumed).
  static let drain = "1 uJ"
  /// The time between two samples at the highest rate.
  static let shortestPeriod: JSONValue = "2500 us"

  /// Returns the figures of an accelerometer that supports only the rates in `powers`.
  static func accelerometer(fifo: Int) -> DevicePart {
    let names = powers.map { "sampling_\($0.hertz)" }
    let all = ["off"] + names
    let moves = all.flatMap { from in all.filter { $0 != from }.map { JSONValue.move(from, $0) } }
    return DevicePart(
      "motion.accelerometer",
      [
        ("vendor", "published figures"),
        (
          "states",
          JSONValue(
            [.powerState("off", "0 W", on: false)]
              + powers.map { .powerState("sampling_\($0.hertz)", $0.power, on: true) })
        ),
        ("transitions", JSONValue(moves)),
        ("events", [.event("drain", drain)]),
        ("fifo", JSONValue(fifo)),
        ("attributes", [["name": "rate", "unit": "Hz", "range": ["1 Hz", "400 Hz"], "default": "1 Hz"]]),
      ],
      figures: [("shortest_period", shortestPeriod)])
  }
}
