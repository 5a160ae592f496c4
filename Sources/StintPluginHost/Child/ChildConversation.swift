public import StintModel
public import StintPluginKit
public import StintUnits

/// The host's side of the protocol with one process of a plugin: encodes requests and validates answers.
///
/// Answers are checked against the protocol, the manifests and the clock. The type is a pure state machine.
public struct ChildConversation: Sendable {
  private enum Phase {
    case greeting, describing, opening, serving, closing, closed
  }

  /// The maximum time by which a plugin's clock may be ahead of the host's clock.
  private static let tolerance = TimeSpan.seconds(1)

  /// Receives a line for each frame in both directions; nil without a listener.
  var trace: (@Sendable (String) -> Void)?
  /// The conversations about the devices, in the order of the plugin's manifests.
  private(set) var devices: [DeviceConversation]
  /// The plugin's own names of its devices, by their names in the site.
  private let ownNames: [DeviceID: DeviceID]
  private var merge = FrameMerge()
  /// The rate limit for the wake-ups that the plugin causes in the host.
  private var wakes: RateBudget
  /// The rate limit for the faults that the plugin reports.
  private(set) var faults: FaultBudget
  private var phase = Phase.greeting
  private var nextSequence: UInt64 = 0
  private var minor: UInt16 = 0
  /// The number of devices that the plugin has described.
  private var described = 0
  private var offersRing = false
  /// The latest instant that a frame contained; the start of the conversation before the first frame.
  private var latest: Instant

  /// Begins a conversation with the first process of a plugin with one device.
  ///
  /// - Parameter firstSample: the sequence number of the first sample.
  public init(_ manifest: Manifest, firstSample: UInt64, at now: Instant) {
    self.init([ProgramDevice(manifest)], firstSamples: [firstSample], faults: FaultBudget(at: now), at: now)
  }

  /// Begins a conversation with a process of a plugin.
  ///
  /// - Parameters:
  ///   - devices: at least one device.
  ///   - firstSamples: the sequence number of the first sample of each device.
  ///   - faults: the rate limit for faults, which already counts the faults of the earlier processes.
  init(_ devices: [ProgramDevice], firstSamples: [UInt64], faults: FaultBudget, at now: Instant) {
    self.devices = zip(devices, firstSamples).map { DeviceConversation($0, firstSample: $1, at: now) }
    ownNames = Dictionary(
      devices.map { ($0.manifest.device, $0.ownManifest.device) }, uniquingKeysWith: { first, _ in first })
    latest = now
    wakes = FrameBudget.wakes(of: devices.map(\.manifest), at: now)
    self.faults = faults
  }

  /// The expected sequence number of the next sample of the first device.
  var nextSample: UInt64 { devices[0].nextSample }
  /// The number of lost samples of the first device, counted from gaps in the sequence numbers.
  var lostSamples: UInt64 { devices[0].lostSamples }
  /// True while a drain of the first device is unanswered.
  var isDraining: Bool { devices[0].isDraining }

  /// Returns an estimate of the number of samples that a device has measured and not delivered. The host
  /// counts these samples as lost when the process has ended. The next call does not count them again.
  mutating func takeHeld(of device: Int = 0, at now: Instant) -> Int {
    phase == .closed ? 0 : devices[device].takeHeld(at: now)
  }

  /// True when a device counts as absent after the plugin has reported it as unavailable.
  var supportsAbsence: Bool { minor >= FrameLayout.minorWithAbsence }

  /// Returns whether the device at this index is present. An absent device gets no requests.
  func isPresent(_ device: Int) -> Bool { devices[device].isPresent }

  /// The number of requests that the plugin has not answered.
  var unansweredCount: Int { devices.reduce(0) { $0 + $1.unansweredCount } }

  /// The earliest instant since which the host waits for the next answer of a device. Nil when no request is
  /// unanswered.
  var waitingSince: Instant? { devices.compactMap(\.waitingSince).min() }

  // MARK: Messages to the plugin

  /// Encodes the first message. `steady` is the time of CLOCK_BOOTTIME, in nanoseconds, at the start of
  /// the conversation.
  public mutating func hello(steady: Int64) -> [UInt8] {
    encode(.hello(major: FrameLayout.major, minor: FrameLayout.minor, now: latest, steady: steady))
  }

  /// True when the plugin's protocol version supports rings.
  var supportsRing: Bool { minor >= FrameLayout.minorWithRing }

  /// Encodes an offer of a ring of `capacity` bytes for batches. Must be called before `open`.
  public mutating func offerRing(_ capacity: Int, at now: Instant) -> [UInt8] {
    offersRing = true
    return encode(.ring(capacity: capacity, at: now))
  }

  /// Encodes the request to open the devices with these settings of the plugin.
  public mutating func open(_ settings: [PluginSettingEntry], at now: Instant) -> [UInt8] {
    phase = .opening
    return encode(.open(settings, at: now))
  }

  /// Encodes a setting for a device.
  ///
  /// - Parameter device: the index of the device in the order of the plugin's manifests, as in the other
  ///   requests for one device.
  /// - Returns: nil when too many requests are unanswered.
  public mutating func apply(_ setting: Setting, to device: Int = 0, at now: Instant) -> [UInt8]? {
    devices[device].apply(setting, minor: minor, at: now).map { encode($0, for: device) }
  }

  /// Encodes the request to start a transfer.
  ///
  /// - Returns: nil when too many transfers are unanswered.
  public mutating func startTransfer(
    _ transfer: AssignedTransfer, on device: Int = 0, at now: Instant
  ) -> [UInt8]? {
    devices[device].startTransfer(transfer, at: now).map { encode($0, for: device) }
  }

  /// Encodes the request to stop a transfer; nil when the transfer is not in progress.
  public mutating func cancelTransfer(
    _ demand: DemandID, on device: Int = 0, at now: Instant
  ) -> [UInt8]? {
    devices[device].cancelTransfer(demand, at: now).map { encode($0, for: device) }
  }

  /// Encodes an order to a carrier. An order that names a radio of this plugin contains the plugin's own name
  /// of this radio.
  public mutating func handle(_ order: TransferOrder, by device: Int = 0, at now: Instant) -> [UInt8] {
    var order = order
    if case .start(let exchange, let radio) = order, let name = ownNames[radio] {
      order = .start(exchange, on: name)
    }
    return encode(.order(order, at: now), for: device)
  }

  /// Encodes a request to deliver the samples that a device has stored.
  ///
  /// - Returns: nil when too many requests are unanswered.
  public mutating func drain(_ reason: DeliveryReason, of device: Int = 0, at now: Instant) -> [UInt8]? {
    devices[device].drain(reason, at: now).map { encode($0, for: device) }
  }

  /// Encodes a request to read the facts of a source.
  ///
  /// - Returns: nil when too many requests are unanswered.
  public mutating func read(_ device: Int = 0, at now: Instant) -> [UInt8]? {
    devices[device].read(at: now).map { encode($0, for: device) }
  }

  /// Encodes the message that wakes a process on its request.
  mutating func wakeProcess(at now: Instant) -> [UInt8] { encode(.wake(at: now)) }

  /// Encodes the last message to a plugin.
  public mutating func close(at now: Instant) -> [UInt8] {
    phase = .closing
    return encode(.close(at: now))
  }

  private mutating func encode(_ frame: HostFrame) -> [UInt8] {
    defer { nextSequence += 1 }
    trace?(FrameTrace.line(frame, nextSequence, of: nil))
    return frame.frame(nextSequence).bytes
  }

  /// Encodes a message about one device. The messages to a plugin with one device contain no address.
  private mutating func encode(_ frame: HostFrame, for device: Int) -> [UInt8] {
    guard devices.count > 1 else { return encode(frame) }
    defer { nextSequence += 1 }
    trace?(FrameTrace.line(frame, nextSequence, of: devices[device].manifest.device))
    return frame.frame(nextSequence).addressed(to: device, kind: FrameLayout.hostAddressKind).bytes
  }

  // MARK: Messages from the plugin

  /// Appends bytes that arrived through the channel.
  public mutating func receive(_ bytes: ArraySlice<UInt8>) { merge.receive(bytes) }

  /// True when the ring is in use and its next frame can be passed to `receive(ring:)`.
  public var wantsFromRing: Bool { merge.wantsFromRing }

  var hasRing: Bool { merge.hasRing }

  /// True when a frame from the ring waits for an earlier frame. The earlier frame must be in the channel.
  var needsChannel: Bool { merge.needsChannel }

  /// Accepts a frame from the ring.
  ///
  /// - Precondition: `wantsFromRing` is true.
  public mutating func receive(ring bytes: [UInt8]) { merge.receive(ring: bytes) }

  /// Counts one wake-up of the host against the plugin's rate limit.
  mutating func wake(at now: Instant) throws(FrameFault) {
    guard wakes.spend(1, at: now) else {
      throw FrameFault(.flood, "woke the host more than \(Int(wakes.perSecond)) times a second")
    }
  }

  /// Checks for a missing frame. May be called only when the channel and the ring are empty.
  ///
  /// - Throws: a fault when a frame has arrived and an earlier frame is missing.
  package func missing() throws(FrameFault) { try merge.missing() }

  /// Decodes and validates the next complete frame of a plugin with one device; see `nextMessage(at:)`.
  package mutating func next(at now: Instant) throws(FrameFault) -> PluginMessage? {
    try nextMessage(at: now)?.message
  }

  /// Decodes and validates the next complete frame. Must not be called again after it has thrown a fault.
  ///
  /// - Returns: nil when no complete frame has arrived; for a complete frame, the message and the index of
  ///   its device. A message about the whole process has the index 0.
  mutating func nextMessage(at now: Instant) throws(FrameFault) -> (device: Int, message: PluginMessage)? {
    while let (raw, isFromRing) = try merge.next() {
      let (address, inner) = try raw.resolved(FrameLayout.pluginAddressKind)
      let device = try index(of: address)
      do throws(FrameFault) {
        let frame = try PluginFrame(inner)
        trace?(FrameTrace.line(frame, raw.sequence, of: address == nil ? nil : name(of: device)))
        if let message = try accept(frame, address, device, isFromRing, now) { return (device, message) }
      } catch {
        throw address == nil ? error : FrameFault(error.code, "for \(name(of: device)), \(error.sentence)")
      }
    }
    return nil
  }

  private func name(of device: Int) -> DeviceID { devices[device].manifest.device }

  /// Returns the index of the device with this address; 0 for a frame without an address.
  private func index(of address: Int?) throws(FrameFault) -> Int {
    guard let address else { return 0 }
    guard devices.count > 1 else { throw FrameFault(.form, "addressed a device, but it has only one") }
    guard address < devices.count else {
      throw FrameFault(.value, "addressed device \(address), but it has \(devices.count) devices")
    }
    return address
  }

  /// Validates a frame. Returns nil when the host need not handle the frame.
  private mutating func accept(
    _ frame: PluginFrame, _ address: Int?, _ device: Int, _ isFromRing: Bool, _ now: Instant
  ) throws(FrameFault) -> PluginMessage? {
    try check(frame, address)
    var (samples, events) = (0, 0)
    switch frame {
    case .batch(let batch, _, _), .wideBatch(let batch, _, _, _): samples = batch.count
    case .event(_, let count, _): events = count
    default: break
    }
    if isFromRing, samples == 0 {
      throw FrameFault(.order, "sent \(frame.name) through the ring; only batches are allowed")
    }
    try devices[device].spend(samples: samples, events: events, at: now)
    let instant = try hostInstant(frame.instant, now)
    switch (phase, frame) {
    case (.greeting, .welcome(let major, let minor)): try greet(major, minor)
    case (.describing, .manifest(let description)):
      guard device == described else {
        throw FrameFault(.order, "sent manifest where the manifest of \(name(of: described)) is expected")
      }
      try devices[device].describe(description)
      described += 1
      return described == devices.count ? .described : nil
    case (.opening, .mapped):
      guard offersRing, !merge.hasRing else {
        throw FrameFault(.order, "accepted a ring that was not offered")
      }
      merge.openRing()
    case (.opening, .opened):
      phase = .serving
      return .opened
    case (.describing, .draft), (.opening, .draft), (.serving, .draft), (.closing, .draft): break
    case (.serving, .wakeAt(let earliest, let latest, _)):
      return .wakeAt(earliest: earliest, latest: latest)
    case (.closing, .wakeAt): break
    case (.serving, .closed): throw FrameFault(.order, "closed without a request")
    case (.closing, .closed):
      phase = .closed
      return .closed
    case (.serving, _), (.closing, _):
      let message = try devices[device].serve(
        frame, at: instant, latest: latest, minor: minor, faults: &faults, now: now)
      guard let message else { throw FrameFault(.order, "sent \(frame.name) a second time") }
      return message
    default: throw FrameFault(.order, "sent \(frame.name) where \(expectedFrame) is expected")
    }
    return nil
  }

  /// Throws when a frame about the whole process has an address, or when a frame about one of several devices
  /// has no address.
  private func check(_ frame: PluginFrame, _ address: Int?) throws(FrameFault) {
    switch frame {
    case .draft: break
    case .welcome, .opened, .mapped, .closed, .wakeAt:
      if address != nil { throw FrameFault(.form, "sent \(frame.name), which is about the whole process") }
    default:
      guard devices.count == 1 || address != nil else {
        throw FrameFault(.form, "sent \(frame.name) without a device address")
      }
    }
  }

  private mutating func greet(_ major: UInt16, _ minor: UInt16) throws(FrameFault) {
    for device in devices {
      if let fault = device.manifest.versionFault(major, minor, devices: devices.count) { throw fault }
    }
    self.minor = minor
    phase = .describing
  }

  private var expectedFrame: String {
    switch phase {
    case .greeting: "welcome"
    case .describing: "manifest"
    case .opening: "opened"
    case .serving, .closing: "another message"
    case .closed: "nothing"
    }
  }

  /// Returns the instant of a frame in the host's time. Successive results never decrease and are never in
  /// the future. Throws when `instant` is before the previous instant, or more than `tolerance` in the
  /// future.
  private mutating func hostInstant(_ instant: Instant?, _ now: Instant) throws(FrameFault) -> Instant {
    guard let instant else { return now }
    guard instant <= now + Self.tolerance else {
      throw FrameFault(.time, "sent an instant \(Instant.span(from: now, to: instant)) in the future")
    }
    guard instant >= latest else {
      throw FrameFault(
        .time, "sent an instant \(Instant.span(from: instant, to: latest)) before the previous one")
    }
    latest = instant
    return min(instant, now)
  }
}
