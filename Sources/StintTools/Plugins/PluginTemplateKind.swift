/// The kind of device that `stint plugin new` writes.
public enum PluginTemplateKind: String, Hashable, Sendable, CaseIterable {
  /// A sensor that reads a number from a file.
  case sensor
  /// A chip with an accelerometer, a gyroscope and a magnetometer: three devices in one process.
  case chip
  /// A source of a fact that is read on request.
  case source
  /// A modem: a radio that is also the carrier, which moves the bytes of transfers.
  case radio
}
