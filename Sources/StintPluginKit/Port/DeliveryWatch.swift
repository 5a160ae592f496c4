public import StintModel
public import StintUnits

/// A check that the samples of a sensor agree with the power state that the sensor reports. It also checks
/// their sequence numbers.
///
/// A sensor that is off measures nothing. Samples that it measured before may arrive later, at most as many
/// as its FIFO and one batch can contain.
public struct DeliveryWatch: Hashable, Sendable {
  /// The longest accepted time from the report of an off-state to the instant of a sample. It is above zero
  /// because the clocks of devices are inexact.
  static let grace = TimeSpan.seconds(1)

  private let states: [PowerState]
  private let maxHeld: Int
  /// The on-state with the highest power. Nil for a device that is not a sensor or has no on-state; such a
  /// device is not checked.
  private let costliest: Int?
  private var state: Int
  private var lastOn: Int?
  private var offSince: Instant?
  private var deliveredSinceOff = 0
  private var lastNumber: UInt64?

  /// Makes a watch for a device in the initial state of its manifest.
  public init(_ manifest: Manifest) {
    states = manifest.states
    maxHeld = manifest.fifo + FrameLayout.maxSamples
    state = manifest.initial
    let states = manifest.states
    let on = states.indices.filter { states[$0].isOn }
    costliest = manifest.kind == .sensor ? on.max { states[$0].power < states[$1].power } : nil
  }

  private var isOff: Bool { states.indices.contains(state) && !states[state].isOn }

  /// The power state that counts when a device delivers samples while it reports off: its last on-state.
  /// Before its first on-state, this is the on-state with the highest power.
  public var accountedState: Int? { lastOn ?? costliest }

  /// Records a power state that the device reported.
  public mutating func enter(_ state: Int, at instant: Instant) {
    let wasOff = isOff
    self.state = state
    guard isOff else {
      if states.indices.contains(state) { lastOn = state }
      return
    }
    guard !wasOff || offSince == nil else { return }
    offSince = instant
    deliveredSinceOff = 0
  }

  /// Returns the contradiction between these samples and the reported off-state of the device, as a sentence
  /// without its subject.
  ///
  /// - Returns: nil when the samples agree with the reported state.
  public mutating func stateFault(in samples: [Sample]) -> String? {
    guard costliest != nil, isOff, let first = samples.first, let last = samples.last else { return nil }
    let since = offSince ?? first.instant
    offSince = since
    deliveredSinceOff = deliveredSinceOff.addingSaturated(samples.count)
    let name = states[state].name
    if last.instant - since > Self.grace {
      return "delivers samples dated \(last.instant - since) after it reported “\(name)”"
    }
    return deliveredSinceOff > maxHeld
      ? "delivers more samples than it can hold after it reported “\(name)”" : nil
  }

  /// Returns the first fault in the sequence numbers of samples, as a sentence without its subject.
  ///
  /// - Returns: nil when the numbers ascend and no gap is larger than `InputBounds.sampleGap` lost samples.
  public mutating func sequenceFault(in samples: [Sample]) -> String? {
    var fault: String?
    for sample in samples {
      if let last = lastNumber, fault == nil {
        if sample.sequence <= last {
          fault = "numbered a sample \(sample.sequence) after sample \(last)"
        } else if sample.sequence - last > InputBounds.sampleGap + 1 {
          fault = "numbered a sample \(sample.sequence) after sample \(last): the gap is too large"
        }
      }
      lastNumber = sample.sequence
    }
    return fault
  }
}
