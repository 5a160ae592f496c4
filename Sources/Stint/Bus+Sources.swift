public import StintPluginKit

extension Bus {
  /// The source of the devices.
  public enum PluginSource: Sendable {
    /// Plugins that are linked into the app.
    case linked([any DevicePlugin])
    /// The path of a folder with one subfolder per plugin. The bus reads only their manifests, to check
    /// policies. Their devices are unavailable because the code is not linked, so demands on them fail with
    /// that reason.
    case directory(String)
  }

  /// The time source of a bus.
  public enum Clock: Sendable {
    /// The clock of the operating system.
    case system
    /// Virtual time that starts at this time since 1970-01-01T00:00:00Z. Only `Bus.advance(by:)` advances it.
    case virtual(from: Duration)

    /// Virtual time that starts at 1970-01-01T00:00:00Z.
    public static let virtual = Clock.virtual(from: .zero)
  }
}
