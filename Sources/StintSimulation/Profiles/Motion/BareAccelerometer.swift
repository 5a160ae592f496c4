import StintFormats
import StintModel

/// An LIS2DH12 with its own FIFO of 32 levels (data sheet; seen), and no hub.
enum BareAccelerometer {
  static let part = SensorParts.accelerometer(fifo: 32)
}
