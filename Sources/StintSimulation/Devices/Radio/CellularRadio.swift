import StintFormats
public import StintModel
public import StintPluginKit
public import StintUnits

/// The cellular radio, which is always in range. Its change from idle to active (promotion) is slow. After
/// the last transfer, the radio stays in a state of higher power for a long time (tail).
///
/// The radio is active only while it has transfers. A setting changes nothing; after each setting, the radio
/// reports its current state.
public actor CellularRadio: RadioPlugin, TransferCarrier {
  public nonisolated let manifest: Manifest
  private var link: RadioLink
  private var port: DevicePort?

  init(_ setup: DeviceSetup) {
    manifest = setup.manifest
    link = RadioLink(setup)
  }

  /// Makes the radio of the reference phone over a link of varying rate.
  package init(over rates: LinkRates, in view: any WorldView, from start: Instant) throws(Problem) {
    let manifest = try BuiltInFiles.manifest("radio.cellular")
    self.init(
      DeviceSetup(
        manifest: manifest, view: view, noise: Noise(seed: 1, device: manifest.device),
        dropout: DropoutFault([], device: manifest.device, start: start), rates: rates))
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) { self.port = port }

  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    link.report(port, at: instant)
  }

  public func handle(_ order: TransferOrder, at instant: Instant) {
    SimulatedServer.answer(order, through: port, at: instant)
  }

  public func startTransfers(_ transfers: [AssignedTransfer], at instant: Instant) {
    link.carry(transfers, to: port, at: instant)
  }

  public func cancelTransfer(_ demand: DemandID, at instant: Instant) -> Int64? {
    guard let bytes = link.cancelTransfer(demand, port, at: instant) else { return nil }
    return bytes
  }

  public func wake(at instant: Instant, horizon: Instant) { link.wake(port, at: instant) }

  public func close(at instant: Instant) { link.cut(port, at: instant) }
}

/// The Wi-Fi radio, which is fast and cheap. It is available where a known network can be joined.
///
/// The radio publishes its availability and the fact `net.kind`. The fact is `wifi` while a network can be
/// joined, and `cellular` at other times, because the simulated phone always has cell coverage. When the
/// network disappears, the current transfers continue to their end unless the host cancels them.
public actor WiFiRadio: RadioPlugin {
  public nonisolated let manifest: Manifest
  private var link: RadioLink
  private var view: any WorldView
  private var port: DevicePort?
  private var lastHasWiFi: Bool?
  private var coverageEnds: Instant?

  init(_ setup: DeviceSetup) {
    manifest = setup.manifest
    view = setup.view
    link = RadioLink(setup)
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    self.port = port
    updateCoverage(at: instant)
    setAlarm()
  }

  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    link.report(port, at: instant)
  }

  public func startTransfers(_ transfers: [AssignedTransfer], at instant: Instant) {
    link.carry(transfers, to: port, at: instant)
    setAlarm()
  }

  public func cancelTransfer(_ demand: DemandID, at instant: Instant) -> Int64? {
    guard let bytes = link.cancelTransfer(demand, port, at: instant) else { return nil }
    setAlarm()
    return bytes
  }

  public func wake(at instant: Instant, horizon: Instant) {
    link.wake(port, at: instant)
    if let coverageEnds, instant >= coverageEnds { updateCoverage(at: instant) }
    setAlarm()
  }

  public func close(at instant: Instant) {
    coverageEnds = nil
    link.cut(port, at: instant)
  }

  private func updateCoverage(at instant: Instant) {
    let hasWiFi = view.state(at: instant).hasWiFi
    coverageEnds = view.nextCoverageChange(after: instant)
    guard hasWiFi != lastHasWiFi else { return }
    lastHasWiFi = hasWiFi
    port?.available(hasWiFi, at: instant)
    port?.publish("net.kind", .symbol(hasWiFi ? 2 : 1), at: instant)
  }

  private func setAlarm() {
    switch (link.alarm, coverageEnds) {
    case (let work?, let change?): port?.setAlarm(at: min(work, change))
    case (let work, let change): port?.setAlarm(at: work ?? change)
    }
  }
}
