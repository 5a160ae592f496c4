import StintModel
import StintPluginKit
import StintUnits

/// Bounds how much a plugin may say: twice the fastest rate of its manifest, with room for what it may have held.
struct FrameBudget: Hashable, Sendable {
  /// Where a manifest names no rate.
  private static let usualRate = 1_000.0
  private static let leastFrames = 1_000.0

  private var frames: RateBudget
  private var wakes: RateBudget
  private var samples: RateBudget
  private var events: RateBudget

  init(_ manifest: Manifest, at now: Instant) {
    let rate = manifest.attribute(named: "rate")?.range?.upperBound ?? Self.usualRate
    // The manifest was checked when it was read; a bound here keeps its number printable all the same.
    let perSecond = 2 * min(max(rate, 1), InputBounds.rate)
    let framesPerSecond = max(Self.leastFrames, perSecond)
    frames = RateBudget(perSecond: framesPerSecond, most: 2 * framesPerSecond, at: now)
    wakes = frames
    let held = Double(manifest.fifo) + Double(FrameLayout.mostSamples)
    samples = RateBudget(perSecond: perSecond, most: 2 * perSecond + held, at: now)
    events = RateBudget.events(of: manifest, at: now)
  }

  /// Pays for a frame with this many samples, and an event that is counted this many times.
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

  /// Pays for waking the host, for something or for nothing.
  mutating func wake(at now: Instant) throws(FrameFault) {
    guard wakes.spend(1, at: now) else {
      throw FrameFault(.flood, "woke the host more than \(Int(wakes.perSecond)) times a second")
    }
  }
}
