#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The machine code of this program in memory.
public enum ProgramText {
  /// Releases all memory pages of the program's code. The system reloads a page when it is needed again.
  ///
  /// Loading policies executes most of the code once; an idle daemon needs little of the code. Does nothing
  /// when the system does not report the location of the code.
  public static func release() {
    #if os(Linux)
      let maps: [UInt8]
      do { maps = try FileText.read("/proc/self/maps") } catch { return }
      guard let program = Folder.target(ofLink: "/proc/self/exe") else { return }
      for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, fields[1] == "r-xp", line.hasSuffix(" " + program) else { continue }
        let ends = fields[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
        guard ends.count == 2, let start = UnsafeMutableRawPointer(bitPattern: ends[0]) else { continue }
        _ = madvise(start, Int(ends[1] - ends[0]), MADV_DONTNEED)
      }
    #endif
  }
}
