import StintModel
import StintRuntime
import StintUnits

/// Shows the progress of long work on one line of the terminal.
///
/// Without a terminal on standard error, no line is shown. The line appears after a second, so short work
/// shows no line. It is drawn at most five times a second, and the console erases it before any other output.
package final class ProgressLine: Sendable {
  private static let delay = TimeSpan.seconds(1)
  private static let interval = TimeSpan.milliseconds(200)

  private let work: String
  private let console: Console
  private let clock: @Sendable () -> MonotonicInstant
  private let began: MonotonicInstant
  private let next: Locked<MonotonicInstant>

  init(
    _ work: String, on console: Console,
    clock: @escaping @Sendable () -> MonotonicInstant = { SystemClock.monotonic() }
  ) {
    self.work = work
    self.console = console
    self.clock = clock
    began = clock()
    next = Locked(began + Self.delay)
  }

  /// Redraws the line when enough time has passed. May be called from any thread.
  ///
  /// - Parameter share: the completed share of the work, from 0 to 1; nil when it is unknown.
  package func update(_ share: Double?, _ detail: String = "") {
    guard console.showsProgress else { return }
    let now = clock()
    let mustDraw = next.withLock { next in
      guard now >= next else { return false }
      next = now + Self.interval
      return true
    }
    if mustDraw { console.draw(text(share, detail, after: now - began)) }
  }

  /// Erases the line.
  package func end() { console.eraseProgress() }

  private func text(_ share: Double?, _ detail: String, after elapsed: TimeSpan) -> String {
    var parts = [detail].filter { !$0.isEmpty }
    let done = share.map { min(max($0, 0), 1) }
    if let done { parts.append("\(Int(done * 100)) %") }
    parts.append("\(Self.formatted(elapsed.seconds)) so far")
    if let done, done >= 0.01 {
      parts.append("about \(Self.formatted(elapsed.seconds * (1 - done) / done)) left")
    }
    return "\(work): " + parts.joined(separator: ", ")
  }

  /// Formats seconds as `45 s`, `12 min` or `3 h 5 min`.
  private static func formatted(_ seconds: Double) -> String {
    let seconds = Int(seconds.rounded())
    if seconds < 120 { return "\(seconds) s" }
    if seconds < 7200 { return "\(seconds / 60) min" }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }
}
