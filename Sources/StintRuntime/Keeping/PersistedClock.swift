import StintModel
public import StintUnits

/// What the time of a run was when its state was kept, so that the next run knows for how long there was none.
public struct PersistedClock: Hashable, Sendable {
  /// How far the wall clock was ahead of the run's time.
  public var ahead: TimeSpan
  /// Which boot of the machine it was; empty where the system does not tell.
  public var boot: String
  /// What the steady clock showed at the instant of the state; it counts from the boot.
  public var steady: MonotonicInstant

  /// Makes an entry.
  public init(ahead: TimeSpan, boot: String, steady: MonotonicInstant) {
    self.ahead = ahead
    self.boot = boot
    self.steady = steady
  }

  /// A state that says nothing of its clock: its time was that of the wall clock.
  public static let unknown = PersistedClock(ahead: .zero, boot: "", steady: MonotonicInstant(nanoseconds: 0))

  /// For how long there was no run, since an instant of the run; nil where no clock can tell.
  ///
  /// Within one boot the steady clock tells, whatever was done to the wall clock. Over a boot the wall clock
  /// does, unless it shows an earlier time than it did: a machine without a clock of its own begins so.
  public func pause(
    since instant: Instant, boot: String, wall: Instant, steady: MonotonicInstant
  ) -> TimeSpan? {
    if !boot.isEmpty, boot == self.boot, steady >= self.steady { return steady - self.steady }
    let then = instant + ahead
    return wall >= then ? wall - then : nil
  }
}

/// The name of the machine's present boot.
public enum Boot {
  /// A name that no other boot has; empty where the system has none.
  public static let name: String = {
    do throws(Problem) {
      let bytes = try FileText.read("/proc/sys/kernel/random/boot_id")
      return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    } catch {
      return ""
    }
  }()
}
