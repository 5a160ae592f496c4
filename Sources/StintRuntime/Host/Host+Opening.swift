import StintGovernor
import StintModel
import StintPluginHost
public import StintUnits

extension Host {
  /// The time for which `open(on:now:)` waits for devices: 100 ms.
  private static let openingTime = TimeSpan.milliseconds(100)

  /// Opens all devices at the same time, on a loop in real time. Returns when all are open, or after 100 ms.
  ///
  /// A device that is not open by then is unavailable until it is open; then its port wakes the host. The
  /// indexes of the devices do not depend on the order in which they open.
  ///
  /// - Parameters:
  ///   - now: returns the current instant of the run.
  ///   - whenOpen: called on the loop's thread after the last device was opened or has failed.
  public func open(
    on loop: LoopExecutor, now: @escaping @Sendable () -> Instant,
    whenOpen: @escaping @Sendable () -> Void = {}
  ) async {
    let start = governor.now
    let areOpen = Promise<Bool>()
    if plugins.members.isEmpty { areOpen.fill(true) }
    Self.open(plugins, on: loop, at: start, now: now) {
      areOpen.fill(true)
      whenOpen()
    }
    let timer = loop.schedule(at: SystemClock.monotonic() + Self.openingTime) { areOpen.fill(false) }
    defer { loop.unschedule(timer) }
    _ = await areOpen.value()
    plugins.reportUnopened(at: max(now(), start))
    for device in bay.indices { collect(device) }
    await step(max(now(), start))
  }

  /// Opens each plugin in a task of its own. Calls `whenOpen` on the loop's thread after the last plugin was
  /// opened or has failed.
  private static func open(
    _ plugins: PluginSet, on loop: LoopExecutor, at start: Instant, now: @escaping @Sendable () -> Instant,
    whenOpen: @escaping @Sendable () -> Void
  ) {
    plugins.beginOpening()
    for place in plugins.members.indices {
      Spawner.start(on: loop) {
        await plugins.finishOpening(place, on: loop, at: start, now: now)
        if !plugins.isOpening { whenOpen() }
      }
    }
  }
}
