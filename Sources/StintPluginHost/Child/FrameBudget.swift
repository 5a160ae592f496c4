import StintModel
import StintPluginKit
import StintUnits

/// Rate limits for the frames, samples and events of a plugin's device.
///
/// Samples are limited to twice the highest rate of the manifest. A burst may contain the samples of two
/// seconds at this limit, the samples that the device can store, and the samples of one full frame. Frames
/// have the same limit per second, but at least 1,000. The limit for the wake-ups that a process causes in
/// the host is the sum of the frame limits of its devices.
struct FrameBudget: Hashable, Sendable {
  /// The sample rate, per second, for manifests that declare no rate.
  private static let defaultRate = 1_000.0
  private static let minFramesPerSecond = 1_000.0

  private var frames: RateBudget
  private var samples: RateBudget
  private var events: RateBudget

  init(_ manifest: Manifest, at now: Instant) {
    let perSecond = Self.samplesPerSecond(manifest)
    frames = Self.frames(perSecond: max(Self.minFramesPerSecond, perSecond), at: now)
    let heldSamples = Double(manifest.fifo) + Double(FrameLayout.maxSamples)
    samples = RateBudget(perSecond: perSecond, most: 2 * perSecond + heldSamples, at: now)
    events = RateBudget.events(of: manifest, at: now)
  }

  private static func samplesPerSecond(_ manifest: Manifest) -> Double {
    let rate = manifest.attribute(named: "rate")?.range?.upperBound ?? defaultRate
    // The bound keeps the result convertible to `Int` for messages, even if the manifest were invalid.
    return 2 * min(max(rate, 1), InputBounds.rate)
  }

  private static func frames(perSecond: Double, at now: Instant) -> RateBudget {
    RateBudget(perSecond: perSecond, most: 2 * perSecond, at: now)
  }

  /// Returns the rate limit for the wake-ups of a process with these devices.
  static func wakes(of manifests: [Manifest], at now: Instant) -> RateBudget {
    frames(
      perSecond: manifests.reduce(0) { $0 + max(minFramesPerSecond, samplesPerSecond($1)) }, at: now)
  }

  /// Charges a frame with `count` samples, or with an event that occurred `times` times.
  mutating func spend(samples count: Int, events times: Int = 0, at now: Instant) throws(FrameFault) {
    guard frames.spend(1, at: now) else {
      throw FrameFault(.flood, "sent more than \(Int(frames.perSecond)) frames a second")
    }
    guard samples.spend(count, at: now) else {
      throw FrameFault(.flood, "sent more than \(Int(samples.perSecond)) samples a second")
    }
    guard events.spend(times, at: now) else {
      throw FrameFault(.flood, "reported more than \(Int(events.perSecond)) events a second")
    }
  }
}
