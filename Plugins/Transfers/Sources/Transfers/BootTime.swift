#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Identifies a boot of the machine by the time of the boot.
///
/// A contained process cannot read the identity of the boot (`boot_id`), so two clocks identify the boot.
/// When the wall clock was set after a record was written, the present boot counts as a different boot. A
/// download then repeats some bytes.
struct BootTime: Codable, Hashable, Sendable {
  /// The wall clock's time of the boot, in seconds since 1970.
  var start: Int64
  /// The time from the boot until this value was made, in seconds.
  var elapsed: Int64

  /// The boot of this process; nil when the wall clock was not set since the machine was switched on.
  static var current: BootTime? {
    var (wall, steady) = (timespec(), timespec())
    clock_gettime(CLOCK_REALTIME, &wall)
    clock_gettime(CLOCK_BOOTTIME, &steady)
    // A machine without a battery for its clock starts each boot at the same old date, 2020 at the latest.
    guard wall.tv_sec >= 1_600_000_000 else { return nil }
    let difference = (wall.tv_sec - steady.tv_sec) * 1000 + (wall.tv_nsec - steady.tv_nsec) / 1_000_000
    return BootTime(start: Int64((difference + 500) / 1000), elapsed: Int64(steady.tv_sec))
  }

  /// Returns whether `later` belongs to the same boot as this earlier value.
  func isSameBoot(as later: BootTime) -> Bool {
    let (difference, isOver) = later.start.subtractingReportingOverflow(start)
    return !isOver && (-1...1).contains(difference) && later.elapsed >= elapsed
  }
}
