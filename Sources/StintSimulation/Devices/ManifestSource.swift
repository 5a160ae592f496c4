import StintModel
import StintPluginKit
import StintUnits

/// A source, or another device without samples and transfers, with the behaviour that its manifest describes.
/// Facts with a `reading` are published when the host reads them. All other facts are published when the
/// device opens, and at each change in the scenario's `values`. The host itself sets the facts in the
/// scenario's `facts`.
actor ManifestSource: SourcePlugin, TransferCarrier {
  nonisolated let manifest: Manifest
  private let script: DeviceScript
  private var view: any WorldView
  private var port: DevicePort?

  init(_ setup: DeviceSetup, _ script: DeviceScript) {
    manifest = setup.manifest
    self.script = script
    view = setup.view
  }

  func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    self.port = port
    publishUnread(at: instant)
  }

  func apply(_ setting: Setting, at instant: Instant) throws(Problem) {}

  func handle(_ order: TransferOrder, at instant: Instant) {
    SimulatedServer.answer(order, through: port, at: instant)
  }

  func read(at instant: Instant) { publish(at: instant) { $0.reading != nil } }

  func wake(at instant: Instant, horizon: Instant) { publishUnread(at: instant) }

  func close(at instant: Instant) {}

  /// Publishes the facts without a `reading`, and sets an alarm for their next change.
  private func publishUnread(at instant: Instant) {
    publish(at: instant) { $0.reading == nil }
    port?.setAlarm(at: script.nextChange(of: script.facts.filter { $0.reading == nil }, after: instant))
  }

  private func publish(at instant: Instant, _ isWanted: (FactSchema) -> Bool) {
    let seen = view.state(at: instant)
    for schema in script.facts where isWanted(schema) {
      port?.publish(schema.path, script.value(of: schema.path, in: seen, at: instant), at: instant)
    }
  }
}
