#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Information about this process and the machine.
enum SystemUsage {
  /// Returns the peak memory use of this process in bytes; 0 when the system does not report it.
  static func peakMemory() -> Int64 {
    var usage = rusage()
    #if os(Linux) && !canImport(Musl)
      let result = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      let unit: Int64 = 1024
    #else
      let result = getrusage(RUSAGE_SELF, &usage)
      let unit: Int64 = 1
    #endif
    return result == 0 ? Int64(usage.ru_maxrss) * unit : 0
  }

  /// Returns a description of the machine: system and processors.
  static func machine() -> String {
    var name = utsname()
    guard uname(&name) == 0 else { return "unknown machine" }
    let count = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return "\(text(of: name.sysname)) \(text(of: name.machine)), processors: \(count)"
  }

  private static func text<Bytes>(of bytes: Bytes) -> String {
    withUnsafeBytes(of: bytes) { raw in String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
