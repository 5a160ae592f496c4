import StintModel
import StintUnits

/// The part of a plugin's process that converts frames to calls of the plugin, and the plugin's events
/// to frames.
actor PluginServer {
  /// Makes the plugins of all devices, in the order of their manifests, with the clock of the host.
  typealias Make =
    @Sendable ([PluginSettingEntry], @escaping LinkedPlugin.Clock) throws(Problem) -> [any DevicePlugin]

  /// The end of a conversation with the host.
  enum Ending: Sendable {
    case closed
    case failed(String)
  }

  private var devices: [ProcessDevice]
  private let make: Make
  private let send: @Sendable ([UInt8]) -> Void
  /// The inherited descriptors of the ring that the host may offer.
  private let ringDescriptors: RingDescriptors
  private var ring: PluginRing?
  /// The latest instant that was passed to a plugin.
  private var latestInstant = Instant(nanoseconds: .min)
  /// A sentence about the host's last violation of the ring protocol; nil when there was no violation.
  private var failure: String?
  private var reader = FrameReader()
  private var sequence: UInt64 = 0
  /// The minor version of the protocol of the host. Kinds of frames that the host does not know are not sent.
  private var hostMinor: UInt16 = 0
  /// The latest instant of an event that was sent.
  private var latestSent = Instant(nanoseconds: .min)
  private let clock = Locked<ProcessClock?>(nil)

  init(
    _ devices: [ProcessDevice], ring ringDescriptors: RingDescriptors, make: @escaping Make,
    send: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.devices = devices
    self.make = make
    self.send = send
    self.ringDescriptors = ringDescriptors
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
        let (address, inner) = try frame.resolved(FrameLayout.hostAddressKind)
        guard address ?? 0 < devices.count, address == nil || devices.count > 1 else {
          throw FrameFault(.value, "addressed device \(address ?? 0), which the plugin does not have")
        }
        if try await answer(HostFrame(inner), address ?? 0) { return .closed }
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

  /// Wakes the plugins whose alarms have expired, and sends the plugins' events.
  func poll() async {
    for device in devices {
      guard let hostTime = now, let plugin = device.plugin else { return }
      let now = monotonic(hostTime)
      guard let alarm = device.port.alarm, alarm <= now else { continue }
      device.port.clearAlarm()
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

  /// Returns the instant of an answer. It is the later of the current instant and the last instant that was
  /// passed to a plugin.
  private func answerInstant(_ instant: Instant) -> Instant {
    sendingInstant(max(now ?? instant, latestInstant))
  }

  // MARK: Receiving

  /// Answers one frame, which is about the device at this index or about the whole process. Returns true when
  /// the frame was the last frame of the conversation.
  private func answer(_ frame: HostFrame, _ index: Int) async throws -> Bool {
    let plugin = devices[index].plugin
    switch frame {
    case .hello(let major, let minor, let now, let steady):
      guard major == FrameLayout.major else {
        throw FrameFault(
          .version, "uses protocol version \(major), but this plugin uses version \(FrameLayout.major)")
      }
      hostMinor = minor
      clock.withLock { $0 = ProcessClock(now: now, steady: steady) }
      send(.welcome(major: FrameLayout.major, minor: FrameLayout.minor))
      for (index, device) in devices.enumerated() {
        send(.manifest(FrameManifest(of: device.manifest)), of: index)
      }
    case .open(let settings, let instant):
      try await open(settings, at: instant)
      // The host accepts events only after the answer.
      send(.opened(at: answerInstant(instant)))
      sendEvents()
    case .apply(let token, let setting, let instant): await apply(token, setting, to: index, at: instant)
    case .drain(let token, let instant):
      await (plugin as? any SensorPlugin)?.drain(at: monotonic(instant), reason: .ended)
      sendEvents()
      send(.drained(token, at: answerInstant(instant)), of: index)
    case .read(let token, let instant):
      await (plugin as? any SourcePlugin)?.read(at: monotonic(instant))
      sendEvents()
      send(.published(token, at: answerInstant(instant)), of: index)
    case .ring(let capacity, let instant):
      // When the ring cannot be mapped, batches go through the channel.
      ring = PluginRing(ringDescriptors, capacity: capacity)
      if ring != nil { send(.mapped(at: answerInstant(instant))) }
    case .startTransfer(let transfer, let instant):
      devices[index].transfers.insert(transfer.demand)
      await (plugin as? any RadioPlugin)?.startTransfers([transfer], at: monotonic(instant))
      sendEvents()
    case .cancelTransfer(let demand, let instant):
      let bytes = await (plugin as? any RadioPlugin)?.cancelTransfer(demand, at: monotonic(instant))
      sendEvents()
      if devices[index].transfers.remove(demand) != nil {
        send(.abandoned(demand, bytes: max(bytes ?? 0, 0), at: answerInstant(instant)), of: index)
      }
    case .order(let order, let instant):
      await (plugin as? any TransferCarrier)?.handle(order, at: monotonic(instant))
      sendEvents()
    // The loop of the process wakes the devices itself.
    case .wake, .draft: break
    case .close(let instant):
      for device in devices { await device.plugin?.close(at: monotonic(instant)) }
      sendEvents()
      send(.closed(at: answerInstant(instant)))
      return true
    }
    return false
  }

  private func open(_ settings: [PluginSettingEntry], at instant: Instant) async throws(Problem) {
    let clock = clock.withLock { $0 }
    let plugins = try make(settings) { clock?.now ?? instant }
    guard plugins.count == devices.count else {
      throw Problem(
        .content, place: "the plugin",
        cause: "it has \(devices.count) manifests, but \(plugins.count) devices",
        remedy: "make one device for each manifest")
    }
    for (index, plugin) in plugins.enumerated() {
      devices[index].plugin = plugin
      try await plugin.open(devices[index].port, at: monotonic(instant))
    }
  }

  private func apply(_ token: UInt32, _ setting: Setting, to index: Int, at instant: Instant) async {
    var setting = setting
    setting.attributes = devices[index].manifest.withDimensions(setting.attributes)
    do throws(Problem) {
      try await devices[index].plugin?.apply(setting, at: monotonic(instant))
      // The answer is the final state; intermediate states are sent before it.
      sendEvents(withoutLastStateOf: index)
      let (state, period) = devices[index].state
      send(.applied(token, state: state, period: period, at: answerInstant(instant)), of: index)
    } catch {
      sendEvents()
      send(.refused(token, error.description, at: answerInstant(instant)), of: index)
    }
  }

  // MARK: Sending

  /// Sends a frame about the whole process.
  private func send(_ frame: PluginFrame) {
    send(frame.frame(sequence).bytes)
    sequence += 1
  }

  /// Sends a frame about the device at this index.
  private func send(_ frame: PluginFrame, of index: Int) {
    guard frame.sinceMinor <= hostMinor else { return }
    var sent = frame.frame(sequence)
    if devices.count > 1 { sent = sent.addressed(to: index, kind: FrameLayout.pluginAddressKind) }
    let bytes = sent.bytes
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

  /// Sends the events of all devices in the order of their instants.
  ///
  /// - Parameter quiet: the index of the device whose last power state is not sent, because an answer
  ///   contains it.
  private func sendEvents(withoutLastStateOf quiet: Int? = nil) {
    var all: [(device: Int, event: PortEvent, sendsState: Bool)] = []
    for (index, device) in devices.enumerated() {
      var events: [PortEvent] = []
      device.port.drainEvents(into: &events)
      let last =
        index == quiet
        ? events.lastIndex { if case .outcome(.state, _) = $0 { true } else { false } } : nil
      all += events.enumerated().map { (index, $0.element, $0.offset != last) }
    }
    // The events of one device are in order. The index keeps events of equal instants in order.
    if devices.count > 1 {
      all = all.enumerated().sorted {
        ($0.element.event.instant, $0.offset) < ($1.element.event.instant, $1.offset)
      }.map(\.element)
    }
    for (device, event, sendsState) in all { pass(event, of: device, sendsState: sendsState) }
  }

  /// Returns the instant with which an event is sent. The instants of a process must not decrease. The thread
  /// of a device may report an event late, when a later event or answer was already sent. Such an event gets
  /// the instant of the last sent frame.
  private func sendingInstant(_ instant: Instant) -> Instant {
    latestSent = max(latestSent, instant)
    return latestSent
  }

  private func pass(_ event: PortEvent, of device: Int, sendsState: Bool) {
    let instant = sendingInstant(event.instant)
    switch event {
    case .outcome(.state(let index, let period), _):
      devices[device].state = (index, period)
      if sendsState { send(.state(index, period: period, at: instant), of: device) }
    case .outcome(.event(let index, let count), _):
      send(.event(index, count: count, at: instant), of: device)
    case .outcome(.fault(let text), _): send(.fault(text, at: instant), of: device)
    case .fact(let fact, .number(let number), _):
      send(.fact(fact, .number(number / devices[device].scales[fact]), at: instant), of: device)
    case .fact(let fact, let value, _): send(.fact(fact, value, at: instant), of: device)
    case .keyed(let family, let key, .number(let number), _):
      let value = FactValue.number(number / devices[device].scales[family])
      send(.keyedFact(family, key: key, value, at: instant), of: device)
    case .keyed(let family, let key, let value, _):
      send(.keyedFact(family, key: key, value, at: instant), of: device)
    case .batch(let batch, _):
      let width = batch.wide?.width ?? 0
      let bytes = batch.wide?.bytes.map { $0.largestRow + $0.channels } ?? 0
      let most =
        devices.count > 1
        ? FrameLayout.maxAddressedSamples(width: width, bytes: bytes)
        : FrameLayout.maxSamples(width: width, bytes: bytes)
      var rest = batch.samples[...]
      while !rest.isEmpty {
        let part = Array(rest.prefix(most))
        if let wide = batch.wide {
          send(.wideBatch(part, wide, batch.reason, at: instant), of: device)
        } else {
          send(.batch(part, batch.reason, at: instant), of: device)
        }
        rest = rest.dropFirst(most)
      }
    // The host counts invalid batches that it receives; it receives none of these samples.
    case .rejectedBatch: break
    case .available(let isThere, _):
      if !isThere { devices[device].transfers = [] }
      send(.available(isThere, at: instant), of: device)
    case .transferred(let report, _): send(.report(report, at: instant), of: device)
    case .carried(let demand, _):
      if devices[device].transfers.remove(demand) != nil { send(.carried(demand, at: instant), of: device) }
    }
  }
}
