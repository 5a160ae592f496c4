import StintModel
import StintUnits

/// The wake coalescer joins all wake requests of a step into one wake-up of the processor.
///
/// It knows who asked, who asked for the last wake-up, and how long the processor stays awake after one, so that samples
/// which are delivered meanwhile need no wake-up of their own.
struct WakeCoalescer: Sendable {
  /// How long the processor stays awake once it was woken.
  private static let wakeLength = TimeSpan.seconds(1)

  /// The index of the processor; nil for a host without one, which is never woken.
  let processor: Int?
  /// The shortest sleep that pays: streams with a shorter period keep the processor awake.
  let breakEven: TimeSpan
  /// How often the processor was woken, and by which device's deliveries.
  private(set) var count = 0
  private(set) var countByDevice: [DeviceID: Int] = [:]
  /// Why the processor was woken last.
  private(set) var cause: Cause?
  /// The devices whose requests led to the last wake-up.
  private var sources: [Int] = []
  /// The demands that request a wake-up in this step, and the devices for which they do.
  private var requests: [Cause.Link] = []
  private var requesters: [Int] = []
  private var awakeSince = Instant(nanoseconds: .min)

  init(_ manifests: [Manifest]) {
    processor = manifests.firstIndex { $0.kind == .processor }
    breakEven = processor.map { Self.breakEven(manifests[$0]) } ?? .zero
  }

  /// The shortest gap over which sleeping and waking costs less than staying awake.
  private static func breakEven(_ manifest: Manifest) -> TimeSpan {
    guard let wake = manifest.event(named: "wake"),
      let awake = manifest.states.first(where: \.isOn),
      let asleep = manifest.states.first(where: { !$0.isOn }), awake.power > asleep.power
    else { return .zero }
    let saved = Int128(awake.power.nanowatts) - Int128(asleep.power.nanowatts)
    let price = manifest.events[wake].energy.nanojoules.multipliedSaturated(by: 1_000_000_000)
    return TimeSpan(nanoseconds: Int64(clamping: price / saved))
  }

  /// Requests a wake-up in this step for demands on a device.
  mutating func request(for links: [Cause.Link], device: Int) {
    guard processor != nil, !links.isEmpty else { return }
    for link in links where !requests.contains(where: { $0.demand == link.demand }) {
      requests.append(link)
    }
    if !requesters.contains(device) { requesters.append(device) }
  }

  /// Whether a wake-up is requested in this step for this device.
  func isRequested(by device: Int) -> Bool { requesters.contains(device) }

  /// Whether any wake-up is requested in this step.
  var hasRequests: Bool { !requests.isEmpty }

  /// Makes the requests of this step one wake-up, and returns its cause; the requests stand until `endStep`.
  mutating func wake(_ device: DeviceID) -> Cause {
    let cause = Cause(
      device: device, links: requests.sorted { $0.demand < $1.demand }, setting: Setting(isOn: true)
    )
    self.cause = cause
    sources = requesters
    return cause
  }

  /// Forgets the requests of this step.
  mutating func endStep() {
    requests.removeAll(keepingCapacity: true)
    requesters.removeAll(keepingCapacity: true)
  }

  /// Notes that the processor is awake from now on for `wakeLength`.
  mutating func isAwake(from now: Instant) { awakeSince = now }

  /// Whether the processor is still awake after its last wake-up.
  func isAwake(at now: Instant) -> Bool { now < awakeSince + Self.wakeLength }

  /// Counts wake-ups that the processor reported.
  mutating func counts(_ number: Int, in vocabulary: Vocabulary) {
    count = count.addingSaturated(number)
    for source in sources {
      let device = vocabulary.manifests[source].device
      countByDevice[device] = (countByDevice[device] ?? 0).addingSaturated(number)
    }
  }
}
