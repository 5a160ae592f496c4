/// The kind of device that `stint plugin new` writes.
public enum PluginTemplateKind: String, Hashable, Sendable, CaseIterable {
  /// A sensor that reads a number of a file.
  case sensor
  /// A modem that is a radio and a carrier; available in Python.
  case radio
}
