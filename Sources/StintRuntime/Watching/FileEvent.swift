#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// One record that the kernel wrote about a watched folder.
  struct FileEvent: Hashable {
    /// What is asked about a folder in which something is of interest.
    static let children =
      UInt32(
        bitPattern: IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB) | itself
    /// What is asked about a folder on the way: nothing in it wakes the daemon.
    static let itself = UInt32(bitPattern: IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    var watch: Int32
    var mask: UInt32
    /// Empty when it is about the folder itself.
    var name: String

    func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }

    /// The records in what was read: 16 bytes of numbers each, then a name padded with zeros.
    static func parse(_ bytes: [UInt8]) -> [FileEvent] {
      var events: [FileEvent] = []
      var start = 0
      while start + 16 <= bytes.count {
        let length = Int(number(bytes, at: start + 12))
        let end = start + 16 + length
        guard end <= bytes.count else { break }
        let name = bytes[(start + 16)..<end].prefix { $0 != 0 }
        events.append(
          FileEvent(
            watch: Int32(bitPattern: number(bytes, at: start)), mask: number(bytes, at: start + 4),
            name: String(decoding: name, as: UTF8.self)))
        start = end
      }
      return events
    }

    /// In the byte order of the machine, as the kernel writes it.
    private static func number(_ bytes: [UInt8], at index: Int) -> UInt32 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: UInt32.self) }
    }
  }
#endif
