public import StintPluginKit

/// A plugin in a process or a shared library, which the host supervises.
public protocol SupervisedPlugin: DevicePlugin {
  /// The current state of the plugin. May be read from any thread.
  nonisolated var status: ChildStatus { get }
  /// True while a drain is unanswered. When it becomes false, the batches of the drain are already in the
  /// port. May be read from any thread.
  nonisolated var isDraining: Bool { get }
}
