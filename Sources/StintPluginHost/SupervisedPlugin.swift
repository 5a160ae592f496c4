public import StintPluginKit

/// A plugin that is not linked in and that the host therefore supervises.
public protocol SupervisedPlugin: DevicePlugin {
  /// The current state of the plugin. May be read from any thread.
  nonisolated var status: ChildStatus { get }
}
