import StintFormats
import StintModel

/// An accelerometer behind a sensor hub that keeps 3000 samples (Android compatibility definition 7.3.9; seen).
enum PhoneHub {
  static let part = SensorParts.accelerometer(fifo: 3000)
}
