import StintRuntime

/// The memory that the process uses.
enum ResidentMemory {
  /// Returns the resident memory of the process in bytes, assuming pages of 4 KiB. The value is 0 when the
  /// system does not report it.
  static func bytes() -> Int {
    let page = 4096
    let text: [UInt8]
    do { text = try FileText.beginning(of: "/proc/self/statm", atMost: 200) } catch { return 0 }
    let words = String(decoding: text, as: UTF8.self).split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * page : 0
  }
}
