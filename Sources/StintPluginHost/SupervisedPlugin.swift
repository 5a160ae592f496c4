package import StintPluginKit

/// A plugin in a process or a shared library, which the host supervises.
package protocol SupervisedPlugin: DevicePlugin {
  /// The current state of the plugin. May be read from any thread.
  nonisolated var status: ChildStatus { get }
  /// The SHA-256 of the program or library, in hexadecimal; nil without an approved hash.
  nonisolated var programHash: String? { get }
  /// Sets the port of the device. A set of plugins calls this function for all its plugins before it opens
  /// the first plugin, because one process may serve several plugins.
  nonisolated func attach(_ port: DevicePort)
  /// True while the plugin has not answered a `drain`, the request for its stored samples. When the value
  /// becomes false, the port has already received these samples. May be read from any thread.
  nonisolated var isDraining: Bool { get }
  /// True after the process has reported that the device is gone, until it reports that the device is back.
  nonisolated var isAbsent: Bool { get }
  /// Ends the process because of a failure that the host has detected at this device. The supervision
  /// restarts the process as after any failure, and reports the failure.
  ///
  /// - Returns: false when there is no process to restart; the host then reports the failure.
  nonisolated func fail(_ failure: ChildFailure) -> Bool
  /// Sets the function that receives each line that the process prints, on the thread of the loop. The
  /// function must not call the plugin. Has no effect for the devices after the first device of a process.
  nonisolated func listen(_ listener: @escaping @Sendable (String) -> Void)
}

extension SupervisedPlugin {
  /// Does nothing: by default, a plugin receives its port when it is opened.
  package nonisolated func attach(_ port: DevicePort) {}
  /// Returns false: by default, a plugin does not report that its device is gone.
  package nonisolated var isAbsent: Bool { false }
  /// Returns nil: by default, a plugin has no file with an approved hash.
  package nonisolated var programHash: String? { nil }
  /// Does nothing: a library prints to the output of the daemon.
  package nonisolated func listen(_ listener: @escaping @Sendable (String) -> Void) {}
  /// Returns false: a plugin without a process of its own cannot be restarted.
  package nonisolated func fail(_ failure: ChildFailure) -> Bool { false }
}
