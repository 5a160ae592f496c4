public import StintModel
public import StintPluginKit
public import StintUnits

/// The host's processor: suspended until a setting keeps it awake, or a request wakes it for a moment.
public actor Processor: ProcessorPlugin {
  public nonisolated let manifest: Manifest
  private let suspended: Int
  private let awake: Int
  private let wakeEvent: Int
  private var port: DevicePort?
  private var isAwake = false

  init(_ setup: DeviceSetup) {
    manifest = setup.manifest
    suspended = setup.state("suspended")
    awake = setup.state("awake")
    wakeEvent = setup.event("wake")
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(PluginError) { self.port = port }

  public func apply(_ setting: Setting, at instant: Instant) throws(PluginError) {
    isAwake = setting.isOn
    port?.report(.state(isAwake ? awake : suspended, period: nil), at: instant)
  }

  public func rouse(at instant: Instant) {
    if !isAwake { port?.report(.event(wakeEvent, count: 1), at: instant) }
  }

  public func wake(at instant: Instant, horizon: Instant) {}

  public func close(at instant: Instant) {
    isAwake = false
    port?.report(.state(suspended, period: nil), at: instant)
  }
}
