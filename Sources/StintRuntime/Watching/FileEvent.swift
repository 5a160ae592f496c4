#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// An inotify event of the kernel for a watched folder.
  struct FileEvent: Hashable {
    /// The event mask for a folder with watched files, links or missing components.
    static let children =
      UInt32(
        bitPattern: IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB) | itself
    /// The event mask for a folder that is only on the path to a watched folder. Changes of files in such a
    /// folder do not wake the daemon.
    static let itself = UInt32(bitPattern: IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    var watch: Int32
    var mask: UInt32
    /// The name of the file; empty when the event is about the folder itself.
    var name: String

    func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }

    /// Parses the bytes that were read from the kernel. Each event has 16 bytes of integers, then a name
    /// padded with zero bytes.
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

    /// Reads an integer in the byte order of the machine, which the kernel uses.
    private static func number(_ bytes: [UInt8], at index: Int) -> UInt32 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: UInt32.self) }
    }
  }
#endif
