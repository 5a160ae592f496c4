public import StintModel
public import StintUnits

/// Compares what a sensor says of its state, and of its samples' numbers, with the samples that it delivers.
///
/// A sensor that is off takes no samples. What it took before it went off may come later, up to what it can hold.
public struct DeliveryWatch: Hashable, Sendable {
  /// How much later than the end of its last state a sample may be: clocks of devices are not exact.
  static let grace = TimeSpan.seconds(1)

  private let states: [PowerState]
  private let maxHeld: Int
  /// Nil for a device that is not judged: no sensor, or one that is never on.
  private let dearest: Int?
  private var state: Int
  private var lastOn: Int?
  private var offSince: Instant?
  private var deliveredSince = 0
  private var lastNumber: UInt64?

  /// Makes a watch over a device in the first state of its manifest.
  public init(_ manifest: Manifest) {
    states = manifest.states
    maxHeld = manifest.fifo + FrameLayout.mostSamples
    state = manifest.initial
    let states = manifest.states
    let on = states.indices.filter { states[$0].isOn }
    dearest = manifest.kind == .sensor ? on.max { states[$0].power < states[$1].power } : nil
  }

  private var isOff: Bool { states.indices.contains(state) && !states[state].isOn }

  /// The state to book a device in that delivers while it says that it is off: its last that was on, or its dearest.
  public var accountedState: Int? { lastOn ?? dearest }

  /// Notes a state that the device says it entered.
  public mutating func enter(_ state: Int, at instant: Instant) {
    let wasOff = isOff
    self.state = state
    guard isOff else {
      if states.indices.contains(state) { lastOn = state }
      return
    }
    guard !wasOff || offSince == nil else { return }
    offSince = instant
    deliveredSince = 0
  }

  /// Why the device cannot be off as it says, judged by samples that it delivers; nil where it can, or is on.
  public mutating func rejectionReason(for samples: [Sample]) -> String? {
    guard dearest != nil, isOff, let first = samples.first, let last = samples.last else { return nil }
    let since = offSince ?? first.instant
    offSince = since
    deliveredSince = deliveredSince.addingSaturated(samples.count)
    let name = states[state].name
    if last.instant - since > Self.grace {
      return "delivers samples of \(last.instant - since) after it said that it is in “\(name)”"
    }
    return deliveredSince > maxHeld
      ? "delivers more samples than it can hold after it said that it is in “\(name)”" : nil
  }

  /// What is wrong with the numbers of samples; nil where each is later than the one before, by a gap that losses
  /// explain.
  public mutating func numberObjection(to samples: [Sample]) -> String? {
    var rejectionReason: String?
    for sample in samples {
      if let last = lastNumber, rejectionReason == nil {
        if sample.sequence <= last {
          rejectionReason = "numbered a sample \(sample.sequence) after sample \(last)"
        } else if sample.sequence - last > InputBounds.sampleGap + 1 {
          rejectionReason = "numbered a sample \(sample.sequence) after sample \(last): no loss is so large"
        }
      }
      lastNumber = sample.sequence
    }
    return rejectionReason
  }
}
