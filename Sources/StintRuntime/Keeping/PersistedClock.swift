import StintModel
public import StintUnits

/// The wall clock and the monotonic clock when a state was saved. From these clocks, the next run computes
/// the time between the two runs.
public struct PersistedClock: Hashable, Sendable {
  /// The span by which the wall clock was ahead of the run's time.
  public var ahead: TimeSpan
  /// The id of the boot of the machine; empty when the system does not report an id.
  public var boot: String
  /// The time of the monotonic clock at the instant of the state. The clock restarts at each boot.
  public var steady: MonotonicInstant

  /// Creates the clocks of a saved state.
  public init(ahead: TimeSpan, boot: String, steady: MonotonicInstant) {
    self.ahead = ahead
    self.boot = boot
    self.steady = steady
  }

  /// The clocks of a saved state that contains no clocks: the instants of that state count as
  /// wall-clock time.
  public static let unknown = PersistedClock(ahead: .zero, boot: "", steady: MonotonicInstant(nanoseconds: 0))

  /// Returns the time between an instant of the previous run and now; nil when the time cannot be determined.
  ///
  /// Within one boot, the time is the difference of the monotonic clock, even when the wall clock was set.
  /// After a reboot, the time is the difference of the wall clock. Nil when the wall clock then shows an
  /// earlier time than before, as on a machine without a real-time clock.
  public func pause(
    since instant: Instant, boot: String, wall: Instant, steady: MonotonicInstant
  ) -> TimeSpan? {
    if !boot.isEmpty, boot == self.boot, steady >= self.steady { return steady - self.steady }
    let savedWall = instant + ahead
    return wall >= savedWall ? wall - savedWall : nil
  }
}

/// The current boot of the machine.
public enum Boot {
  /// A unique id of the boot; empty when the system does not provide an id.
  public static let name: String = {
    do throws(Problem) {
      let bytes = try FileText.read("/proc/sys/kernel/random/boot_id")
      return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    } catch {
      return ""
    }
  }()
}
