import StintModel
import StintPluginKit
import StintUnits

/// Rate limits for a plugin's frames, samples and events, and for the wake-ups that it causes in the host.
/// Samples are limited to twice the highest rate of the manifest. A burst may contain the samples of two
/// seconds at this limit, the samples that the device can store, and the samples of one full frame. Frames
/// and wake-ups have the same limit per second, but at least 1,000.
struct FrameBudget: Hashable, Sendable {
  /// The sample rate, per second, for manifests that declare no rate.
  private static let defaultRate = 1_000.0
  private static let minFramesPerSecond = 1_000.0

  private var frames: RateBudget
  private var wakes: RateBudget
  private var samples: RateBudget
  private var events: RateBudget

  init(_ manifest: Manifest, at now: Instant) {
    let rate = manifest.attribute(named: "rate")?.range?.upperBound ?? Self.defaultRate
    // The bound keeps `perSecond` convertible to `Int` for messages, even if the manifest were invalid.
    let perSecond = 2 * min(max(rate, 1), InputBounds.rate)
    let framesPerSecond = max(Self.minFramesPerSecond, perSecond)
    frames = RateBudget(perSecond: framesPerSecond, most: 2 * framesPerSecond, at: now)
    wakes = frames
    let heldSamples = Double(manifest.fifo) + Double(FrameLayout.maxSamples)
    samples = RateBudget(perSecond: perSecond, most: 2 * perSecond + heldSamples, at: now)
    events = RateBudget.events(of: manifest, at: now)
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

  /// Charges one wake-up of the host, even when the ring is empty.
  mutating func wake(at now: Instant) throws(FrameFault) {
    guard wakes.spend(1, at: now) else {
      throw FrameFault(.flood, "woke the host more than \(Int(wakes.perSecond)) times a second")
    }
  }
}
