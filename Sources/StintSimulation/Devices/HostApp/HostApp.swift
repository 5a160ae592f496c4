public import StintModel
public import StintPluginKit
public import StintUnits

/// What the host knows about its user: whether the app is in front, whether the screen is on. The scenario
/// sets these facts; the device itself says nothing.
public actor HostApp: DevicePlugin {
  public nonisolated let manifest: Manifest

  init(_ setup: DeviceSetup) { manifest = setup.manifest }

  public func open(_ port: DevicePort, at instant: Instant) throws(PluginError) {}
  public func apply(_ setting: Setting, at instant: Instant) throws(PluginError) {}
  public func wake(at instant: Instant, horizon: Instant) {}
  public func close(at instant: Instant) {}
}
