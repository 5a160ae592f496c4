import StintModel
import StintPluginKit
import StintUnits

/// A source of one Boolean fact. If the source has a period, the value of the fact changes once per period.
actor TickingSource: DevicePlugin {
  static let device = DeviceID("power.meter")
  static let fact = FactSchema(path: "power.meter.low", type: .boolean, device: device)

  nonisolated let manifest = Manifest(device: device, kind: .source, title: "", facts: [fact])
  private let mark: PublishMark
  /// The period of the device's own publications; nil when other code publishes through the port.
  private let period: TimeSpan?
  private var port: DevicePort?
  private var handle: FactHandle?
  private var isLow = false

  init(_ mark: PublishMark, every period: TimeSpan?) {
    self.mark = mark
    self.period = period
  }

  func open(_ port: DevicePort, at instant: Instant) {
    self.port = port
    let low = port.handle("low")
    handle = low
    port.publish(low, .boolean(false), at: instant)
    if let period { port.setAlarm(at: instant + period) }
  }

  func wake(at instant: Instant, horizon: Instant) {
    guard let port, let handle, let period else { return }
    isLow.toggle()
    port.setAlarm(at: instant + period)
    mark.publish()
    port.publish(handle, .boolean(isLow), at: instant)
  }

  func apply(_ setting: Setting, at instant: Instant) {}
  func close(at instant: Instant) {}
}
