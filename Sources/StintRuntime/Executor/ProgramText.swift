#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The program's own code in memory.
public enum ProgramText {
  /// Gives back the pages of code that only starting needed; those that are needed again come from the file.
  ///
  /// Reading, checking and compiling policies touches most of the program once, and an idle daemon none of it. Does
  /// nothing where the system does not say where the code lies.
  public static func release() {
    #if os(Linux)
      let maps: [UInt8]
      do { maps = try FileText.read("/proc/self/maps") } catch { return }
      for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: " ")
        guard fields.count == 6, fields[1] == "r-xp", fields[5].hasSuffix("/stint") else { continue }
        let ends = fields[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
        guard ends.count == 2, let start = UnsafeMutableRawPointer(bitPattern: ends[0]) else { continue }
        _ = madvise(start, Int(ends[1] - ends[0]), MADV_DONTNEED)
      }
    #endif
  }
}
