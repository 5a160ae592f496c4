import StintModel
import StintPluginKit
import StintUnits

extension ChildLink {
  /// The size of the buffer for one read from the channel, in bytes.
  private static let portion = 64 << 10

  /// The maximum number of frames that are read from a ring before the loop handles other events.
  private static let framesPerTurn = 1024

  /// Reads the channel after it has become readable or its other end was closed.
  func listen() {
    core.withLock { core in
      guard let child = core.child, child.channel >= 0 else { return }
      var buffer = [UInt8](repeating: 0, count: Self.portion)
      read(child.channel, &buffer, &core)
    }
  }

  /// Reads the ring after the process has signalled new data.
  func drainRing() {
    core.withLock { core in
      guard let ring = core.ring, core.child.map({ $0.channel >= 0 }) ?? false else { return }
      enforceProtocol(&core) { core throws(ChildFailure) in
        try orFailure { () throws(FrameFault) in try core.conversation?.wake(at: clock()) }
        try processFrames(&core)
        // `processFrames` drops the ring when the process has failed or has ignored the offer.
        guard core.ring === ring else { return }
        if try !ring.sleep() { drainRingLater() }
      }
    }
  }

  /// Reads the ring again after the loop has handled other events. The loop itself causes this read: if the
  /// host wrote to the ring's own event instead, the process could make the write block.
  private func drainRingLater() {
    _ = loop.call(after: .zero) { [weak self] in self?.drainRing() }
  }

  /// Reads the channel once and processes the bytes. Returns false when the channel was empty or closed, or
  /// when the process violated the protocol.
  @discardableResult
  private func read(_ channel: Int32, _ buffer: inout [UInt8], _ core: inout Core) -> Bool {
    guard let bytes = SpawnedChild.receive(from: channel, into: &buffer) else { return false }
    guard !bytes.isEmpty else {
      // First handle the frames in the ring: the process wrote them before it closed the channel. Then wait
      // for the end of the process, at most for the time that an answer may take.
      guard enforceProtocol(&core, { core throws(ChildFailure) in try processFrames(&core) }) else {
        return false
      }
      closeChannel(&core)
      react(to: .asked, &core)
      return false
    }
    core.conversation?.receive(bytes)
    let isTrusted = enforceProtocol(&core) { core throws(ChildFailure) in try processFrames(&core) }
    return isTrusted && core.child?.channel == channel
  }

  /// Runs the body and ends the process when the body throws a failure.
  @discardableResult
  private func enforceProtocol(_ core: inout Core, _ body: (inout Core) throws(ChildFailure) -> Void) -> Bool
  {
    do throws(ChildFailure) {
      try body(&core)
      return true
    } catch {
      react(to: .broke(core.printed.mask.masked(error)), &core)
      return false
    }
  }

  /// Runs the body and converts its protocol fault to a failure of the process.
  private func orFailure<Value>(_ body: () throws(FrameFault) -> Value) throws(ChildFailure) -> Value {
    do throws(FrameFault) { return try body() } catch { throw ChildFailure(error) }
  }

  /// Processes all frames that have arrived, in the order of their sequence numbers.
  private func processFrames(_ core: inout Core) throws(ChildFailure) {
    var payload: [UInt8] = []
    var left = Self.framesPerTurn
    var hasRead = false
    while true {
      if left > 0, let ring = core.ring, core.conversation?.wantsFromRing ?? false,
        try ring.read(into: &payload)
      {
        left -= 1
        core.conversation?.receive(ring: payload)
      }
      if let (device, news) = try orFailure({ () throws(FrameFault) in try nextMessage(&core) }) {
        dispatch(news, of: device, &core)
        if case .opened = news { try listenToRing(&core) }
        continue
      }
      guard left > 0 else {
        drainRingLater()
        return
      }
      // A frame of the ring may wait for an earlier frame. The earlier frame must be in the channel, so read
      // the channel.
      guard core.conversation?.needsChannel ?? false, !hasRead else { break }
      hasRead = true
      readAll(&core)
    }
    guard core.child.map({ $0.channel >= 0 }) ?? false else { return }
    try orFailure { () throws(FrameFault) in try core.conversation?.missing() }
  }

  /// Begins to wait for frames in the ring. Drops the ring instead when the process has not accepted it.
  /// Called when the process has answered `open`.
  private func listenToRing(_ core: inout Core) throws(ChildFailure) {
    guard let ring = core.ring else { return }
    guard core.conversation?.hasRing ?? false else {
      dropRing(&core)
      return
    }
    if try !ring.sleep() { drainRingLater() }
  }

  private func readAll(_ core: inout Core) {
    guard let channel = core.child?.channel, channel >= 0 else { return }
    var buffer = [UInt8](repeating: 0, count: Self.portion)
    while let bytes = SpawnedChild.receive(from: channel, into: &buffer), !bytes.isEmpty {
      core.conversation?.receive(bytes)
    }
  }

  private func nextMessage(
    _ core: inout Core
  ) throws(FrameFault) -> (device: Int, message: PluginMessage)? {
    guard core.child.map({ $0.channel >= 0 }) ?? false else { return nil }
    let unanswered = core.conversation?.unansweredCount ?? 0
    let news = try core.conversation?.nextMessage(at: clock())
    let left = core.conversation?.unansweredCount ?? 0
    if left < unanswered { react(to: .answered(waitingSince: core.conversation?.waitingSince), &core) }
    return news
  }

  private func dispatch(_ news: PluginMessage, of device: Int, _ core: inout Core) {
    let port = ports[device]
    switch news {
    case .described: sendOpen(&core)
    case .opened: react(to: .opened, &core)
    case .answered: wakeAfterDrain(of: device, &core)
    case .read(let facts):
      // The facts of a reading have one instant, so that one step of the host gets all of them.
      if let last = facts.map(\.instant).max() {
        let instant = moment(last, &core)
        for item in facts { port.publish(handles[device][item.fact], item.value, at: instant) }
      }
      // The facts of an absent device were ignored, so the device is read again when it is back.
      if core.conversation?.devices[device].isReading == false, !core.devices[device].isAbsent {
        core.devices[device].awaitsReading = false
      }
    case .closed: break
    case .outcome(let outcome, let instant):
      port.report(core.printed.mask.masked(outcome), at: moment(instant, &core))
    case .batch(let batch, let instant): port.deliver(batch, at: moment(instant, &core))
    case .fact(let fact, let value, let instant):
      port.publish(handles[device][fact], value, at: moment(instant, &core))
    case .keyed(let family, let key, let value, let instant):
      port.publish(handles[device][family], key: key, value, at: moment(instant, &core))
    case .available(let isThere, let instant):
      setPresence(of: device, isThere, at: moment(instant, &core), &core)
    case .carried(let demand, let instant): port.carried(demand, at: moment(instant, &core))
    case .transferred(let report, let instant):
      port.transferred(core.printed.mask.masked(report), at: moment(instant, &core))
    case .wakeAt(let earliest, let latest): plan((earliest, latest), &core)
    case .abandoned, .dropped, .ignored: break
    }
  }

  /// Handles the report that a device is available or not. When an absent device is back, it gets its last
  /// setting.
  private func setPresence(of device: Int, _ isThere: Bool, at now: Instant, _ core: inout Core) {
    guard core.conversation?.supportsAbsence ?? false else {
      // With an earlier version of the protocol, the plugin keeps the setting itself.
      ports[device].available(isThere, at: now)
      return
    }
    guard core.devices[device].isAbsent == isThere else { return }
    core.devices[device].isAbsent = !isThere
    guard isThere else {
      lose(device, at: now, &core)
      return
    }
    ports[device].available(true, at: now)
    sendWaiting(device, &core)
  }

  /// Makes a device unavailable when the device is gone and its process continues.
  private func lose(_ device: Int, at now: Instant, _ core: inout Core) {
    countHeld(of: device, &core)
    let loss = core.devices[device].unreportedLoss
    if loss > 0 { ports[device].report(.fault("the device is gone\(HeldEstimate.text(loss))"), at: now) }
    core.devices[device].unreportedLoss = 0
    forget(device, at: now)
  }

  /// Wakes the host after the answer to the last drain. The host then reads the port, so the drain ends even
  /// when no batch arrived.
  private func wakeAfterDrain(of device: Int, _ core: inout Core) {
    guard core.devices[device].awaitsDrain, core.conversation?.devices[device].isDraining == false else {
      return
    }
    core.devices[device].awaitsDrain = false
    ports[device].setAlarm(at: moment(clock(), &core))
  }

  /// Reads the output of the process. After too many bytes, the next read follows 100 ms later. Until then, a
  /// process that fills the pipe waits.
  func readOutput() {
    let lines = core.withLock { core -> [String] in
      guard let child = core.child, child.output >= 0 else { return [] }
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      guard let bytes = SpawnedChild.receive(from: child.output, into: &buffer) else { return [] }
      guard !bytes.isEmpty else {
        closeOutput(&core)
        return []
      }
      let lines = core.printed.receive(bytes)
      guard !core.outputBudget.spend(bytes.count, at: clock()) else { return lines }
      loop.unwatchReadable(child.output)
      core.cancelReading = loop.call(after: .milliseconds(100)) { [weak self] in self?.continueReading() }
      return lines
    }
    for line in lines { listener(line) }
  }

  private func continueReading() {
    core.withLock { core in
      core.cancelReading = nil
      guard let child = core.child, child.output >= 0 else { return }
      loop.watchReadable(child.output) { [weak self] in self?.readOutput() }
    }
  }

  /// The maximum number of denied calls that are answered before the loop handles other events.
  private static let callsPerTurn = 64

  /// Answers the denied system calls for which the process waits, and counts them.
  func refuse() {
    core.withLock { core in
      _ = enforceProtocol(&core) { core throws(ChildFailure) in
        for _ in 0..<Self.callsPerTurn {
          guard let number = core.child?.nextAttempt() else { return }
          try core.attempts.note(number, at: clock())
        }
      }
    }
  }

  /// Handles the end of the process.
  func reap() {
    var lines: [String] = []
    core.withLock { core in
      guard let child = core.child else { return }
      // Kill the processes that the plugin has started, so that they send nothing more. Then read all data
      // that the plugin sent before its end.
      child.kill()
      var buffer = [UInt8](repeating: 0, count: Self.portion)
      while let channel = core.child?.channel, channel >= 0, read(channel, &buffer, &core) {}
      lines = readRemainingOutput(&core)
      guard let end = child.reap() else { return }
      stopListening(&core)
      loop.unwatchReadable(child.ending)
      core.child?.release()
      core.child = nil
      for (device, conversation) in (core.conversation?.devices ?? []).enumerated() {
        core.devices[device].nextSample = conversation.nextSample
        core.devices[device].lostSamples = core.devices[device].lostSamples.addingSaturated(
          conversation.lostSamples)
      }
      core.faults = core.conversation?.faults ?? core.faults
      countHeld(&core)
      core.conversation = nil
      let failure = failure(end, core.printed)
      react(to: .exited(failure), &core)
      // When the host has ended the process, the supervision reports no failure. So the loss is reported
      // here.
      for (device, port) in ports.enumerated() where core.devices[device].unreportedLoss > 0 {
        let sentence = "\(failure.sentence)\(HeldEstimate.text(core.devices[device].unreportedLoss))"
        port.report(.fault(sentence), at: moment(clock(), &core))
        core.devices[device].unreportedLoss = 0
      }
    }
    for line in lines { listener(line) }
  }

  /// Reads the remaining output of a process that has ended. Returns the complete lines.
  private func readRemainingOutput(_ core: inout Core) -> [String] {
    var lines: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4 << 10)
    // A pipe holds fewer bytes than 64 buffers, so the loop ends even while another process still writes.
    for _ in 0..<64 {
      guard let output = core.child?.output, output >= 0,
        let bytes = SpawnedChild.receive(from: output, into: &buffer), !bytes.isEmpty
      else { break }
      lines += core.printed.receive(bytes)
    }
    return lines
  }

  private func failure(_ end: (status: Int32, signal: Int32), _ printed: OutputLines) -> ChildFailure {
    let how = end.signal == 0 ? "ended with status \(end.status)" : "was ended by signal \(end.signal)"
    return ChildFailure(.crash, printed.last.map { "\(how), last output “\($0)”" } ?? how)
  }

  /// Stops watching a process for everything except its end.
  func stopListening(_ core: inout Core) {
    forgetWake(&core)
    dropRing(&core)
    closeChannel(&core)
    closeOutput(&core)
    guard let attempts = core.child?.attempts, attempts >= 0 else { return }
    loop.unwatchReadable(attempts)
    core.child?.closeAttempts()
  }

  private func closeChannel(_ core: inout Core) {
    guard let channel = core.child?.channel, channel >= 0 else { return }
    loop.unwatchReadable(channel)
    core.child?.closeChannel()
  }

  private func dropRing(_ core: inout Core) {
    guard let ring = core.ring else { return }
    if core.isRingWatched { loop.unwatchReadable(ring.event) }
    core.isRingWatched = false
    core.ring = nil
  }

  private func closeOutput(_ core: inout Core) {
    guard let output = core.child?.output, output >= 0 else { return }
    if let cancel = core.cancelReading.take() { cancel() } else { loop.unwatchReadable(output) }
    core.child?.closeOutput()
  }
}
