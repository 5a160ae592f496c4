import StintModel
import StintPluginKit
import StintUnits

/// The requests of the host to one device of the process.
extension ChildLink {
  /// True while a process serves and the device is present. While the value is false, the setting and the
  /// reading of the device wait. The host later starts the transfers of the device again.
  private func isServed(_ device: Int, _ core: Core) -> Bool {
    core.supervision.state == .serving && core.conversation?.isPresent(device) ?? false
  }

  func apply(_ setting: Setting, to device: Int) {
    core.withLock { core in
      core.devices[device].setting = setting
      guard isServed(device, core) else { return }
      ask(core.conversation?.apply(setting, to: device, at: clock()), &core)
    }
  }

  /// Sends transfers. Does nothing while no process serves: the device is then unavailable, and the governor
  /// starts the transfers again later.
  func startTransfers(_ transfers: [AssignedTransfer], on device: Int) {
    core.withLock { core in
      for transfer in transfers where isServed(device, core) {
        guard let bytes = core.conversation?.startTransfer(transfer, on: device, at: clock()) else {
          react(to: .broke(ChildFailure(.hang, "leaves too many transfers unanswered")), &core)
          return
        }
        _ = send(bytes, &core)
      }
    }
  }

  /// Sends the request to stop a transfer.
  func cancelTransfer(_ demand: DemandID, on device: Int) {
    core.withLock { core in
      guard isServed(device, core) else { return }
      _ = send(core.conversation?.cancelTransfer(demand, on: device, at: clock()), &core)
    }
  }

  /// Sends an order to the process of a carrier. Does nothing while no process serves: the host has then
  /// reported the carrier's attempts as failed.
  func handle(_ order: TransferOrder, by device: Int) {
    core.withLock { core in
      guard isServed(device, core) else { return }
      _ = send(core.conversation?.handle(order, by: device, at: clock()), &core)
    }
  }

  /// True while the process has not answered a `drain`, the request for the stored samples of a device.
  func isDraining(_ device: Int) -> Bool {
    core.withLock { core in
      let canAnswer = core.supervision.state == .serving || core.supervision.state == .closing
      return canAnswer && core.conversation?.devices[device].isDraining ?? false
    }
  }

  func drain(_ reason: DeliveryReason, of device: Int) {
    core.withLock { core in
      guard isServed(device, core) else { return }
      core.devices[device].awaitsDrain = true
      ask(core.conversation?.drain(reason, of: device, at: clock()), &core)
    }
  }

  /// Requests the facts of a source. While no process serves, the next process gets the request.
  func read(_ device: Int) {
    core.withLock { core in
      core.devices[device].awaitsReading = true
      // A slow source answers one reading after the other, so a second request would only wait.
      guard isServed(device, core), core.conversation?.devices[device].isReading == false else { return }
      ask(core.conversation?.read(device, at: clock()), &core)
    }
  }

  /// True while the process serves other devices and this device is gone.
  func isAbsent(_ device: Int) -> Bool { core.withLock { $0.devices[device].isAbsent } }

  /// True while a reading of the device has no answer, also while no process serves.
  func isReading(_ device: Int) -> Bool { core.withLock { $0.devices[device].awaitsReading } }

  /// Ends the process because of a failure that the host has detected at a device. Returns false when no
  /// process serves.
  func fail(_ failure: ChildFailure, of device: Int) -> Bool {
    core.withLock { core in
      guard core.supervision.state == .serving else { return false }
      let failure = ports.count > 1 ? failure.of(program.devices[device].manifest.device) : failure
      react(to: .broke(failure), &core)
      return true
    }
  }

  /// Sends a request that needs an answer. Ends the process when `bytes` is nil, because the process has too
  /// many unanswered requests.
  func ask(_ bytes: [UInt8]?, _ core: inout Core) {
    guard let bytes else {
      react(to: .broke(ChildFailure(.hang, "leaves too many requests unanswered")), &core)
      return
    }
    if send(bytes, &core) {
      react(to: .asked, &core)
      if let wake = core.wake, wake.earliest <= clock() { sendWake(&core) }
    }
  }

  /// Records a requested wake-up. The wake-up takes place at the latest instant unless the host sends the
  /// process a request before.
  func plan(_ wake: (earliest: Instant, latest: Instant), _ core: inout Core) {
    core.cancelWake?()
    core.wake = wake
    core.cancelWake = loop.call(after: max(wake.latest - clock(), .zero)) { [weak self] in
      guard let self else { return }
      self.core.withLock { self.sendWake(&$0) }
    }
  }

  private func sendWake(_ core: inout Core) {
    forgetWake(&core)
    guard core.supervision.state == .serving else { return }
    _ = send(core.conversation?.wakeProcess(at: clock()), &core)
  }

  /// Cancels the requested wake-up.
  func forgetWake(_ core: inout Core) {
    core.cancelWake?()
    core.cancelWake = nil
    core.wake = nil
  }

  /// Sends bytes to the process. Returns false when there is no process or `bytes` is nil. When the
  /// process does not read the bytes, ends the process and returns false.
  func send(_ bytes: [UInt8]?, _ core: inout Core) -> Bool {
    guard let bytes, let child = core.child else { return false }
    if child.send(bytes) { return true }
    react(to: .broke(ChildFailure(.hang, "does not read its channel")), &core)
    return false
  }

  /// Sends the last setting and the unanswered reading of a device that a process serves from now on.
  func sendWaiting(_ device: Int, _ core: inout Core) {
    guard isServed(device, core) else { return }
    if let setting = core.devices[device].setting {
      ask(core.conversation?.apply(setting, to: device, at: clock()), &core)
    }
    guard core.devices[device].awaitsReading else { return }
    ask(core.conversation?.read(device, at: clock()), &core)
  }
}
