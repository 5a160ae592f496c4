public import StintPluginKit

/// A plugin in a process or a shared library, which the host supervises.
public protocol SupervisedPlugin: DevicePlugin {
  /// The current state of the plugin. May be read from any thread.
  nonisolated var status: ChildStatus { get }
  /// True while a drain is unanswered. The plugin's batches are in the port before this becomes false. May be
  /// read from any thread.
  nonisolated var isDraining: Bool { get }
}
