import StintRuntime

/// The memory that the process uses.
enum HeapUsage {
  /// Returns the bytes in memory; 0 when the system does not report them.
  static func bytes() -> Int {
    let page = 4096
    let text: [UInt8]
    do { text = try FileText.beginning(of: "/proc/self/statm", atMost: 200) } catch { return 0 }
    let words = String(decoding: text, as: UTF8.self).split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * page : 0
  }
}
