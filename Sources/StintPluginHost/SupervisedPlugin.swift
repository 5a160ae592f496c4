public import StintPluginKit

/// A plugin that is not linked in and that the host therefore supervises.
public protocol SupervisedPlugin: DevicePlugin {
  /// The current state of the plugin. May be read from any thread.
  nonisolated var status: ChildStatus { get }
  /// True while a drain is unanswered. The batches of a drain are in the port before this becomes false. May
  /// be read from any thread.
  nonisolated var isDraining: Bool { get }
}
