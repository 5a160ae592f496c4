import StintUnits

/// The part of a journal file that is in memory: bytes that were read from the file and are not consumed yet.
///
/// Copies of a reader use the same memory until one of the copies reads more bytes.
struct JournalWindow {
  /// A block of memory that is freed with its last reference.
  private final class Memory {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ count: Int) { bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16) }

    deinit { bytes.deallocate() }
  }

  /// The minimum space, in bytes, that a new block of memory has for further bytes of the file.
  private static let readCapacity = 256 << 10

  private var memory: Memory
  /// The range of the bytes in memory that are not consumed yet.
  private(set) var start = 0
  private(set) var end = 0
  /// The offset in the file of the first byte in memory.
  private var base: Int64 = 0

  /// Creates an empty window at the start of a file.
  init() { memory = Memory(Self.readCapacity) }

  /// Creates a window that contains a complete journal.
  init(_ bytes: [UInt8]) {
    memory = Memory(max(bytes.count, 1))
    memory.bytes.copyBytes(from: bytes)
    end = bytes.count
  }

  /// The bytes that are not consumed yet.
  @inline(__always)
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory.bytes[start..<end]) }

  var count: Int { end - start }

  /// The offsets in the file of the next byte to consume and of the next byte to read.
  var offset: Int64 { base + Int64(start) }
  var endOffset: Int64 { base + Int64(end) }

  /// Consumes bytes.
  mutating func skip(_ count: Int) { start += count }

  /// Empties the window for the start of another file.
  mutating func reset() { (start, end, base) = (0, 0, 0) }

  /// Reads from the file until `wanted` bytes are available. Returns false when the file has fewer bytes, or
  /// when `file` is nil.
  mutating func fill(_ wanted: Int, from file: JournalFile?) throws(Problem) -> Bool {
    if count >= wanted { return true }
    guard let file else { return false }
    makeRoom(for: wanted)
    while count < wanted {
      let space = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[end...])
      let got = try file.read(into: space, at: endOffset)
      if got == 0 { return false }
      end += got
    }
    return true
  }

  /// Moves the unconsumed bytes to the start of the memory, and allocates more memory if necessary.
  private mutating func makeRoom(for wanted: Int) {
    let remaining = count
    if wanted > memory.bytes.count || !isKnownUniquelyReferenced(&memory) {
      let larger = Memory(max(Self.readCapacity, wanted + Self.readCapacity))
      larger.bytes.copyMemory(from: rest)
      memory = larger
    } else if start > 0, let front = memory.bytes.baseAddress {
      front.copyMemory(from: front + start, byteCount: remaining)
    }
    base += Int64(start)
    start = 0
    end = remaining
  }
}
