import StintModel
import StintUnits

/// Combines all wake requests of a step into one wake-up of the processor.
///
/// The coalescer records the devices of the present requests and of the last wake-up. It also records the
/// instant since which the processor is awake. Piggybacked samples that are delivered within `wakeLength`
/// after that instant need no further wake-up.
struct WakeCoalescer: Sendable {
  /// The time for which the processor stays awake after a wake-up.
  private static let wakeLength = TimeSpan.seconds(1)

  /// The index of the processor; nil for a host without a processor. Such a host has no wake-ups.
  let processor: Int?
  /// The shortest sleep that saves energy. A sensor with a shorter sampling period keeps the processor awake.
  let breakEven: TimeSpan
  /// The number of wake-ups, in total and by the device whose request caused them.
  private(set) var count = 0
  private(set) var countByDevice: [DeviceID: Int] = [:]
  /// The cause of the last wake-up; nil before the first wake-up.
  private(set) var cause: Cause?
  /// The devices whose requests caused the last wake-up.
  private var lastRequesters: [Int] = []
  /// The demands that request a wake-up in this step, and the devices for which they request it.
  private var requests: [Cause.Link] = []
  private var requesters: [Int] = []
  private var awakeSince = Instant(nanoseconds: .min)

  init(_ manifests: [Manifest]) {
    processor = manifests.firstIndex { $0.kind == .processor }
    breakEven = processor.map { Self.breakEven(manifests[$0]) } ?? .zero
  }

  /// Returns the shortest gap for which sleeping and waking costs less energy than staying awake.
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

  /// Returns whether this device requests a wake-up in this step.
  func isRequested(by device: Int) -> Bool { requesters.contains(device) }

  /// True when a wake-up is requested in this step.
  var hasRequests: Bool { !requests.isEmpty }

  /// Combines the requests of this step into one wake-up, and returns its cause. The requests remain until
  /// `endStep`.
  mutating func wake(_ device: DeviceID) -> Cause {
    let cause = Cause(
      device: device, links: requests.sorted { $0.demand < $1.demand }, setting: Setting(isOn: true)
    )
    self.cause = cause
    lastRequesters = requesters
    return cause
  }

  /// Removes the requests of this step. A device whose request caused a wake-up remains recorded until the
  /// next wake-up.
  mutating func endStep() {
    requests.removeAll(keepingCapacity: true)
    requesters.removeAll(keepingCapacity: true)
  }

  /// Records that the processor is awake from now on for `wakeLength`.
  mutating func isAwake(from now: Instant) { awakeSince = now }

  /// Returns whether the processor is still awake after its last wake-up.
  func isAwake(at now: Instant) -> Bool { now < awakeSince + Self.wakeLength }

  /// Increases the counts by a number of wake-ups that the processor reported.
  mutating func counts(_ number: Int, in vocabulary: Vocabulary) {
    count = count.addingSaturated(number)
    for requester in lastRequesters {
      let device = vocabulary.manifests[requester].device
      countByDevice[device] = (countByDevice[device] ?? 0).addingSaturated(number)
    }
  }
}
