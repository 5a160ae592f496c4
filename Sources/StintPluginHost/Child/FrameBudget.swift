import StintModel
import StintPluginKit
import StintUnits

/// How much a plugin may say: twice the fastest rate of its manifest, with room for what it may have held.
struct FrameBudget: Hashable, Sendable {
  /// Where a manifest names no rate.
  private static let usualRate = 1_000.0
  private static let leastFrames = 1_000.0

  private let framesPerSecond: Double
  private let samplesPerSecond: Double
  private let mostFrames: Double
  private let mostSamples: Double
  private var frames: Double
  private var wakes: Double
  private var samples: Double
  private var latest: Instant

  init(_ manifest: Manifest, at now: Instant) {
    let rate = manifest.attribute(named: "rate")?.range?.upperBound ?? Self.usualRate
    samplesPerSecond = 2 * max(rate, 1)
    framesPerSecond = max(Self.leastFrames, samplesPerSecond)
    mostFrames = 2 * framesPerSecond
    mostSamples = 2 * samplesPerSecond + Double(manifest.fifo) + Double(FrameLayout.mostSamples)
    frames = mostFrames
    wakes = mostFrames
    samples = mostSamples
    latest = now
  }

  mutating func spend(samples count: Int, at now: Instant) throws(FrameFault) {
    refill(now)
    frames -= 1
    samples -= Double(count)
    guard frames >= 0 else {
      throw FrameFault(.flood, "sent more than \(Int(framesPerSecond)) frames a second")
    }
    guard samples >= 0 else {
      throw FrameFault(.flood, "sent more than \(Int(samplesPerSecond)) samples a second")
    }
  }

  /// Somebody was woken by the plugin, for something or for nothing.
  mutating func wake(at now: Instant) throws(FrameFault) {
    refill(now)
    wakes -= 1
    guard wakes >= 0 else {
      throw FrameFault(.flood, "woke the host more than \(Int(framesPerSecond)) times a second")
    }
  }

  private mutating func refill(_ now: Instant) {
    guard now > latest else { return }
    let seconds = (now - latest).seconds
    frames = min(frames + seconds * framesPerSecond, mostFrames)
    wakes = min(wakes + seconds * framesPerSecond, mostFrames)
    samples = min(samples + seconds * samplesPerSecond, mostSamples)
    latest = now
  }
}
