public import StintModel
public import StintPluginKit
public import StintUnits

/// The inputs of every simulated device: its manifest, its view of the world, its noise, its faults.
struct DeviceSetup {
  let manifest: Manifest
  let view: any WorldView
  let noise: Noise
  let dropout: DropoutFault
  /// The transfer rates of a radio; nil for the rates of the manifest.
  var rates: LinkRates?
  /// The recording that the accelerometer measures; nil for synthesized motion.
  var recorded: RecordedMotion?

  /// Returns a figure of the manifest as a time span; zero when the manifest lacks the figure.
  func span(_ figure: String) -> TimeSpan { manifest.figures[figure]?.timeSpan ?? .zero }

  /// Returns the index of a power state.
  ///
  /// - Precondition: the manifest contains the state. A test checks this for the shipped manifests.
  func state(_ name: String) -> Int {
    guard let index = manifest.state(named: name) else {
      preconditionFailure("\(manifest.device) has no state “\(name)”")
    }
    return index
  }

  /// Returns the index of a priced event.
  ///
  /// - Precondition: the manifest contains the event.
  func event(_ name: String) -> Int {
    guard let index = manifest.event(named: name) else {
      preconditionFailure("\(manifest.device) has no event “\(name)”")
    }
    return index
  }
}

/// The samples that a device stores, and the sequence number of the next sample.
struct SampleLog {
  private let device: DeviceID
  /// The maximum number of stored samples.
  private let capacity: Int
  private var held: [Sample] = []
  /// The channel values that a `Sample` has no room for (from the fifth channel on), sample by sample.
  private var wideValues: [Double] = []
  private let width: Int
  /// The values of the channels of bytes, sample by sample; nil without such channels.
  private var bytes: SampleBytes?
  /// True when a full log drops its oldest sample for a new one.
  var keepsNewest = false
  private(set) var sequence: UInt64 = 0

  init(_ manifest: Manifest) {
    device = manifest.device
    capacity = manifest.fifo
    width = manifest.wideWidth
    let byteChannels = manifest.byteChannels.count
    bytes = byteChannels > 0 ? SampleBytes(channels: byteChannels) : nil
  }

  var isEmpty: Bool { held.isEmpty }
  var count: Int { keepsNewest ? min(held.count, capacity) : held.count }
  var isFull: Bool { !keepsNewest && held.count >= capacity }

  mutating func append(
    at instant: Instant, _ first: Double, _ second: Double, _ third: Double, _ fourth: Double,
    wideValues values: ArraySlice<Double> = [], bytes contents: [[UInt8]] = []
  ) {
    wideValues += values
    for content in contents { bytes?.append(content) }
    held.append(Sample(instant: instant, sequence: sequence, first, second, third, fourth))
    sequence += 1
    // Up to twice the capacity is stored, so that the cost of dropping samples is amortized.
    if keepsNewest, held.count >= 2 * max(capacity, 1) { removeFirst(held.count - capacity) }
  }

  /// Reserves memory for `count` more samples, up to a total of the capacity or 4,096 samples, whichever is
  /// larger.
  mutating func reserve(_ count: Int) {
    let wanted = min(held.count + count, max(capacity, 4096))
    // Reserving the exact size would copy all stored samples each time.
    if wanted > held.capacity { held.reserveCapacity(max(wanted, 2 * held.capacity)) }
  }

  /// Delivers the stored samples; does nothing when the log is empty.
  mutating func deliver(to port: DevicePort?, at instant: Instant, reason: DeliveryReason) {
    guard !held.isEmpty else { return }
    let surplus = held.count - count
    if surplus > 0 { removeFirst(surplus) }
    let samples = held
    let hasRows = width > 0 || bytes != nil
    let wide =
      hasRows ? WideValues(width: width, samples: samples, values: wideValues, bytes: bytes) : nil
    held = []
    wideValues = []
    bytes = bytes.map { SampleBytes(channels: $0.channels) }
    port?.deliver(Batch(device: device, samples: samples, reason: reason, wide: wide), at: instant)
  }

  private mutating func removeFirst(_ count: Int) {
    held.removeFirst(count)
    wideValues.removeFirst(count * width)
    bytes?.removeFirst(count)
  }
}

/// The host's processor. It is suspended unless a setting keeps it awake; `wakeProcessor` wakes it for a
/// moment.
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

  /// Returns whether the manifest has the states and the event of this processor.
  static func supports(_ manifest: Manifest) -> Bool {
    manifest.state(named: "suspended") != nil && manifest.state(named: "awake") != nil
      && manifest.event(named: "wake") != nil
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) { self.port = port }

  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
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
