/// The kind of device that `stint plugin new` writes.
public enum PluginTemplateKind: String, Hashable, Sendable, CaseIterable {
  /// A sensor that reads a number from a file.
  case sensor
  /// A modem that is a radio and a carrier; available only in Python.
  case radio
}
