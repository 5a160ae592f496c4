public import StintPluginKit

/// A plugin that is not linked in, and watched for that.
public protocol SupervisedPlugin: DevicePlugin {
  /// How it is doing. May be asked from any thread.
  nonisolated var status: ChildStatus { get }
}
