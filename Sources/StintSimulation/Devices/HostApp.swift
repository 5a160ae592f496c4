public import StintModel
public import StintPluginKit
public import StintUnits

/// The app and the screen: whether the app is in the foreground, and whether the screen is on.
///
/// The scenario sets these facts, and a simulation publishes them. In the bus of an app, this device
/// publishes `screen.on` of the scenario; the app itself sets `app.state`.
public actor HostApp: DevicePlugin {
  public nonisolated let manifest: Manifest
  private var facts: ScenarioFacts
  private var port: DevicePort?

  init(_ setup: DeviceSetup, _ facts: ScenarioFacts) {
    manifest = setup.manifest
    self.facts = facts
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    self.port = port
    publish(at: instant)
  }

  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {}

  public func wake(at instant: Instant, horizon: Instant) { publish(at: instant) }

  public func close(at instant: Instant) { port?.setAlarm(at: nil) }

  private func publish(at instant: Instant) {
    guard let port else { return }
    facts.publish(to: port, at: instant)
    port.setAlarm(at: facts.next)
  }
}

/// The facts of one device that the scenario sets, for a device that publishes them itself.
struct ScenarioFacts: Sendable {
  private var steps: ArraySlice<(at: Instant, path: String, value: FactValue)>

  /// - Parameter changes: the changes of the scenario; empty when the simulation publishes them.
  init(_ manifest: Manifest, start: Instant, changes: [FactChange]) {
    var steps: [(at: Instant, path: String, value: FactValue)] = []
    for change in changes {
      for assignment in change.values {
        guard let schema = manifest.facts.first(where: { $0.path == assignment.path }),
          let value = schema.value(from: assignment.text)
        else { continue }
        steps.append((start + change.at, schema.path, value))
      }
    }
    self.steps = steps.sorted { $0.at < $1.at }[...]
  }

  /// The instant of the next change; nil after the last one.
  var next: Instant? { steps.first?.at }

  /// Publishes all changes until an instant that were not published yet, in order.
  mutating func publish(to port: DevicePort, at instant: Instant) {
    while let step = steps.first, step.at <= instant {
      steps.removeFirst()
      port.publish(step.path, step.value, at: instant)
    }
  }
}
