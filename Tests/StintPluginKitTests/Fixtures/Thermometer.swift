import StintModel
import StintPluginKit
import StintUnits

/// A sensor for tests that takes one sample per period and has an optional defect.
actor Thermometer: SensorPlugin {
  enum Flaw {
    case none, warmsUpInOpen, skipsTransition, deliversAfterOff, repeatsSequence, extraChannel
    case unknownFact, ignoresHolding, staysOnAtClose
  }

  nonisolated let manifest: Manifest
  private let flaw: Flaw
  private var port: DevicePort?
  private var setting = Setting.off
  private var next: Instant?
  private var sequence: UInt64 = 0
  private var held: [Sample] = []

  init(flaw: Flaw = .none, as device: DeviceID = "test.thermometer") {
    self.flaw = flaw
    manifest = Self.manifest(of: device)
  }

  /// Returns the manifest of a thermometer with this name.
  static func manifest(of device: DeviceID) -> Manifest {
    var copy = manifest
    copy.device = device
    copy.facts[0].path = "\(device).value"
    return copy
  }

  static let manifest = Manifest(
    device: "test.thermometer", kind: .sensor, title: "Thermometer",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "warming", power: Power(nanowatts: 2_000_000), isOn: true),
      PowerState(name: "reading", power: Power(nanowatts: 1_000_000), isOn: true),
    ],
    transitions: [(0, 1), (1, 2), (2, 0), (1, 0)].map { Transition(from: $0.0, to: $0.1) },
    fifo: 20, channels: [Channel(name: "temperature", unit: "C")],
    facts: [FactSchema(path: "test.thermometer.value", type: .quantity(.temperature), range: -40...85)])

  func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    self.port = port
    if flaw == .warmsUpInOpen { port.report(.state(1, period: nil), at: instant) }
  }

  func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    if self.setting.isOn, !setting.isOn || !setting.isHolding { deliverHeld(at: instant, reason: .ended) }
    let wasOn = self.setting.isOn
    self.setting = setting
    guard setting.isOn else {
      port?.report(.state(0, period: nil), at: instant)
      if flaw != .deliversAfterOff { next = nil }
      port?.setAlarm(at: next)
      return
    }
    if !wasOn && flaw != .skipsTransition { port?.report(.state(1, period: setting.period), at: instant) }
    port?.report(.state(2, period: setting.period), at: instant)
    next = instant + period
    port?.setAlarm(at: next)
  }

  func drain(at instant: Instant, reason: DeliveryReason) { deliverHeld(at: instant, reason: reason) }

  func wake(at instant: Instant, horizon: Instant) {
    let second = flaw == .extraChannel ? 1.0 : 0
    held.append(Sample(instant: instant, sequence: sequence, 20, second))
    if flaw != .repeatsSequence { sequence += 1 }
    port?.publish(flaw == .unknownFact ? "humidity" : "value", .number(20), at: instant)
    if !setting.isHolding || flaw == .ignoresHolding { deliverHeld(at: instant, reason: .immediate) }
    if held.count == manifest.fifo { deliverHeld(at: instant, reason: .full) }
    next = instant + period
    port?.setAlarm(at: next)
  }

  func close(at instant: Instant) {
    port?.setAlarm(at: nil)
    if flaw != .staysOnAtClose { port?.report(.state(0, period: nil), at: instant) }
  }

  private var period: TimeSpan { setting.period ?? .seconds(1) }

  private func deliverHeld(at instant: Instant, reason: DeliveryReason) {
    guard !held.isEmpty else { return }
    port?.deliver(Batch(device: manifest.device, samples: held, reason: reason), at: instant)
    held.removeAll()
  }
}
