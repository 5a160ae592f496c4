import StintModel
import StintUnits

/// The part of a plugin's process that converts frames to calls of the plugin, and the plugin's events
/// to frames.
actor PluginServer {
  typealias Make =
    @Sendable ([PluginSettingEntry], @escaping LinkedPlugin.Clock) throws(Problem) -> any DevicePlugin

  /// The end of a conversation with the host.
  enum Ending: Sendable {
    case closed
    case failed(String)
  }

  private let manifest: Manifest
  private let make: Make
  private let send: @Sendable ([UInt8]) -> Void
  /// The inherited descriptors of the ring that the host may offer.
  private let ringDescriptors: RingDescriptors
  private var ring: PluginRing?
  /// The latest instant that was passed to the plugin.
  private var latestInstant = Instant(nanoseconds: .min)
  /// A sentence about the host's last violation of the ring protocol; nil when there was no violation.
  private var failure: String?
  private let port: DevicePort
  /// For each fact of the manifest: the factor from the unit in the frames to the base unit.
  private let scales: [Double]
  private var plugin: (any DevicePlugin)?
  private var reader = FrameReader()
  private var sequence: UInt64 = 0
  /// The last reported power state and sample period.
  private var state: (index: Int, period: TimeSpan?)
  /// The transfers that the plugin has not answered.
  private var transfers: Set<DemandID> = []
  private let clock = Locked<ProcessClock?>(nil)

  init(
    _ manifest: Manifest, port: DevicePort, ring ringDescriptors: RingDescriptors, make: @escaping Make,
    send: @escaping @Sendable ([UInt8]) -> Void
  ) throws(FrameFault) {
    self.manifest = manifest
    self.make = make
    self.send = send
    self.port = port
    self.ringDescriptors = ringDescriptors
    scales = try FrameManifest(of: manifest).scales(for: manifest)
    state = (manifest.initial, nil)
  }

  /// The host's time; nil before `hello`.
  nonisolated var now: Instant? { clock.withLock { $0 }?.now }

  /// Processes bytes from the channel.
  ///
  /// - Returns: nil while the conversation continues.
  func handle(_ bytes: [UInt8]) async -> Ending? {
    reader.append(bytes)
    do {
      while let frame = try reader.next() {
        if try await answer(HostFrame(frame)) { return .closed }
      }
      return failure.map { .failed($0) }
    } catch let fault as FrameFault {
      return .failed("Stint \(fault)")
    } catch let error as Problem {
      return .failed(error.description)
    } catch {
      return .failed("\(error)")
    }
  }

  /// Wakes the plugin if its alarm has expired, and sends the plugin's events.
  func poll() async {
    guard let hostTime = now, let plugin else { return }
    let now = monotonic(hostTime)
    if let alarm = port.alarm, alarm <= now {
      port.clearAlarm()
      await plugin.wake(at: now, horizon: now + TimeSpan(nanoseconds: 1))
    }
    sendEvents()
  }

  /// Returns the instant to pass to the plugin. Successive results never decrease. A command may have an
  /// earlier instant than an alarm that expired before the command arrived.
  private func monotonic(_ instant: Instant) -> Instant {
    latestInstant = max(latestInstant, instant)
    return latestInstant
  }

  /// Returns the instant of an answer. It is the later one of the current instant and the last instant that
  /// was passed to the plugin.
  private func answerInstant(_ instant: Instant) -> Instant { max(now ?? instant, latestInstant) }

  // MARK: Receiving

  /// Answers one frame. Returns true when the frame was the last one of the conversation.
  private func answer(_ frame: HostFrame) async throws -> Bool {
    switch frame {
    case .hello(let major, _, let now, let steady):
      guard major == FrameLayout.major else {
        throw FrameFault(
          .version, "speaks version \(major), but this plugin speaks version \(FrameLayout.major)")
      }
      clock.withLock { $0 = ProcessClock(now: now, steady: steady) }
      send(.welcome(major: FrameLayout.major, minor: FrameLayout.minor))
      send(.manifest(FrameManifest(of: manifest)))
    case .open(let settings, let instant):
      let clock = clock.withLock { $0 }
      let plugin = try make(settings) { clock?.now ?? instant }
      self.plugin = plugin
      try await plugin.open(port, at: monotonic(instant))
      sendEvents()
      send(.opened(at: answerInstant(instant)))
    case .apply(let token, let setting, let instant): await apply(token, setting, at: instant)
    case .drain(let token, let instant):
      await (plugin as? any SensorPlugin)?.drain(at: monotonic(instant), reason: .ended)
      sendEvents()
      send(.drained(token, at: answerInstant(instant)))
    case .ring(let capacity, let instant):
      // When the ring cannot be mapped, batches go through the channel.
      ring = PluginRing(ringDescriptors, capacity: capacity)
      if ring != nil { send(.mapped(at: answerInstant(instant))) }
    case .startTransfer(let transfer, let instant):
      transfers.insert(transfer.demand)
      await (plugin as? any RadioPlugin)?.startTransfers([transfer], at: monotonic(instant))
      sendEvents()
    case .cancelTransfer(let demand, let instant):
      let bytes = await (plugin as? any RadioPlugin)?.cancelTransfer(demand, at: monotonic(instant))
      sendEvents()
      if transfers.remove(demand) != nil {
        send(.abandoned(demand, bytes: max(bytes ?? 0, 0), at: answerInstant(instant)))
      }
    case .order(let order, let instant):
      await (plugin as? any TransferCarrier)?.handle(order, at: monotonic(instant))
      sendEvents()
    case .draft: break
    case .close(let instant):
      await plugin?.close(at: monotonic(instant))
      sendEvents()
      send(.closed(at: answerInstant(instant)))
      return true
    }
    return false
  }

  private func apply(_ token: UInt32, _ setting: Setting, at instant: Instant) async {
    var setting = setting
    setting.attributes = manifest.withDimensions(setting.attributes)
    do throws(Problem) {
      try await plugin?.apply(setting, at: monotonic(instant))
      // The answer is the final state; intermediate states are sent before it.
      sendEvents(withLastState: false)
      send(.applied(token, state: state.index, period: state.period, at: answerInstant(instant)))
    } catch {
      sendEvents()
      send(.refused(token, error.description, at: answerInstant(instant)))
    }
  }

  // MARK: Sending

  private func send(_ frame: PluginFrame) {
    let bytes = frame.frame(sequence).bytes
    sequence += 1
    let isBatch =
      switch frame {
      case .batch, .wideBatch: true
      default: false
      }
    if isBatch, let ring {
      do throws(RingFault) { try ring.write(bytes) } catch { failure = "Stint \(error)" }
    } else {
      send(bytes)
    }
  }

  private func sendEvents(withLastState: Bool = true) {
    var events: [PortEvent] = []
    port.drainEvents(into: &events)
    let last = events.lastIndex { if case .outcome(.state, _) = $0 { true } else { false } }
    for (place, event) in events.enumerated() { pass(event, sendsState: place != last || withLastState) }
  }

  private func pass(_ event: PortEvent, sendsState: Bool) {
    switch event {
    case .outcome(.state(let index, let period), let instant):
      state = (index, period)
      if sendsState { send(.state(index, period: period, at: instant)) }
    case .outcome(.event(let index, let count), let instant): send(.event(index, count: count, at: instant))
    case .outcome(.fault(let text), let instant): send(.fault(text, at: instant))
    case .fact(let fact, .number(let number), let instant):
      send(.fact(fact, .number(number / scales[fact]), at: instant))
    case .fact(let fact, let value, let instant): send(.fact(fact, value, at: instant))
    case .batch(let batch, let instant):
      let most = FrameLayout.maxSamples(width: batch.wide?.width ?? 0)
      var rest = batch.samples[...]
      while !rest.isEmpty {
        let part = Array(rest.prefix(most))
        if let wide = batch.wide {
          send(.wideBatch(part, wide, batch.reason, at: instant))
        } else {
          send(.batch(part, batch.reason, at: instant))
        }
        rest = rest.dropFirst(most)
      }
    case .available(let isThere, let instant): send(.available(isThere, at: instant))
    case .transferred(let report, let instant): send(.report(report, at: instant))
    case .carried(let demand, let instant):
      if transfers.remove(demand) != nil { send(.carried(demand, at: instant)) }
    }
  }
}
