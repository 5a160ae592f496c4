public import StintModel
public import StintPluginKit
public import StintUnits

/// What every simulated device is made from: its manifest, its own view of the world, its chance, its faults.
struct DeviceSetup {
  let manifest: Manifest
  let view: any WorldView
  let noise: Noise
  let dropout: DropoutFault
  /// What a radio carries; what the manifest says when nil.
  var rates: LinkRates?
  /// What the accelerometer measures; what the world suggests when nil.
  var recorded: RecordedMotion?

  /// A figure of the manifest as a span of time; zero when it is not there.
  func span(_ figure: String) -> TimeSpan { manifest.figures[figure]?.timeSpan ?? .zero }

  /// The index of a power state.
  ///
  /// - Precondition: the manifest has it; the shipped ones do, and a test says so.
  func state(_ name: String) -> Int {
    guard let index = manifest.state(named: name) else {
      preconditionFailure("\(manifest.device) has no state “\(name)”")
    }
    return index
  }

  /// The index of a priced event.
  ///
  /// - Precondition: the manifest has it.
  func event(_ name: String) -> Int {
    guard let index = manifest.event(named: name) else {
      preconditionFailure("\(manifest.device) has no event “\(name)”")
    }
    return index
  }
}

/// The samples that a device holds by itself, and the number of the next one.
struct SampleLog {
  private let device: DeviceID
  /// How many it can hold.
  private let capacity: Int
  private var held: [Sample] = []
  /// Whether a full log forgets its oldest sample for a new one.
  var keepsNewest = false
  private(set) var sequence: UInt64 = 0

  init(_ manifest: Manifest) {
    device = manifest.device
    capacity = manifest.fifo
  }

  var isEmpty: Bool { held.isEmpty }
  var count: Int { keepsNewest ? min(held.count, capacity) : held.count }
  var isFull: Bool { !keepsNewest && held.count >= capacity }

  mutating func append(
    at instant: Instant, _ first: Double, _ second: Double, _ third: Double, _ fourth: Double
  ) {
    held.append(Sample(instant: instant, sequence: sequence, first, second, third, fourth))
    sequence += 1
    // Twice as many are kept, so that forgetting costs little.
    if keepsNewest, held.count >= 2 * max(capacity, 1) { held.removeFirst(held.count - capacity) }
  }

  /// Makes room for this many more, or for as many as it can hold for long.
  mutating func reserve(_ count: Int) {
    let wanted = min(held.count + count, max(capacity, 4096))
    // Reserving exactly what is wanted would copy all that is held each time.
    if wanted > held.capacity { held.reserveCapacity(max(wanted, 2 * held.capacity)) }
  }

  /// Hands over what is held; nothing when there is nothing.
  mutating func deliver(to port: DevicePort?, at instant: Instant, reason: DeliveryReason) {
    guard !held.isEmpty else { return }
    let surplus = held.count - count
    if surplus > 0 { held.removeFirst(surplus) }
    let samples = held
    held = []
    port?.deliver(Batch(device: device, samples: samples, reason: reason), at: instant)
  }
}

/// What the host knows about its user: whether the app is in front, whether the screen is on. The scenario
/// sets these facts; the device itself says nothing.
public actor HostApp: DevicePlugin {
  public nonisolated let manifest: Manifest

  init(_ setup: DeviceSetup) { manifest = setup.manifest }

  public func open(_ port: DevicePort, at instant: Instant) throws(PluginError) {}
  public func apply(_ setting: Setting, at instant: Instant) throws(PluginError) {}
  public func wake(at instant: Instant, horizon: Instant) {}
  public func close(at instant: Instant) {}
}

/// The host's processor: suspended until a setting keeps it awake, or a request wakes it for a moment.
public actor Processor: ProcessorPlugin {
  public nonisolated let manifest: Manifest
  private let suspended: Int
  private let awake: Int
  private let wakeEvent: Int
  private var port: DevicePort?
  private var isAwake = false

  init(_ setup: DeviceSetup) {
    manifest = setup.manifest
    suspended = setup.state("suspended")
    awake = setup.state("awake")
    wakeEvent = setup.event("wake")
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(PluginError) { self.port = port }

  public func apply(_ setting: Setting, at instant: Instant) throws(PluginError) {
    isAwake = setting.isOn
    port?.report(.state(isAwake ? awake : suspended, period: nil), at: instant)
  }

  public func wakeProcessor(at instant: Instant) {
    if !isAwake { port?.report(.event(wakeEvent, count: 1), at: instant) }
  }

  public func wake(at instant: Instant, horizon: Instant) {}

  public func close(at instant: Instant) {
    isAwake = false
    port?.report(.state(suspended, period: nil), at: instant)
  }
}
