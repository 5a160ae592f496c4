import StintUnits

/// The part of a journal that is in memory while it is read: bytes that came last, and of them those not used yet.
///
/// A copy of a reader reads on by itself, so that memory is shared only until one of the two needs more.
struct JournalWindow {
  /// Memory that goes away with its last owner.
  private final class Memory {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ count: Int) { bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16) }

    deinit { bytes.deallocate() }
  }

  private static let room = 256 << 10

  private var memory: Memory
  /// Where the bytes that are not used yet begin and end.
  private(set) var start = 0
  private(set) var end = 0
  /// The offset in the file of the first byte of the memory.
  private var base: Int64 = 0

  /// A window through which nothing has been read.
  init() { memory = Memory(Self.room) }

  /// A window with all that there is.
  init(_ bytes: [UInt8]) {
    memory = Memory(max(bytes.count, 1))
    memory.bytes.copyBytes(from: bytes)
    end = bytes.count
  }

  /// The bytes that are not used yet.
  @inline(__always)
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory.bytes[start..<end]) }

  var count: Int { end - start }

  /// The offset in the file of the next byte, and of the first that has not been read.
  var offset: Int64 { base + Int64(start) }
  var endOffset: Int64 { base + Int64(end) }

  /// Steps over bytes.
  mutating func skip(_ count: Int) { start += count }

  /// Forgets everything, as at the beginning of a file.
  mutating func reset() { (start, end, base) = (0, 0, 0) }

  /// Reads on until this many bytes are there; false when the file ends before.
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

  /// Moves what is not used yet to the front, of a larger memory where it must be.
  private mutating func makeRoom(for wanted: Int) {
    let unused = count
    if wanted > memory.bytes.count || !isKnownUniquelyReferenced(&memory) {
      let larger = Memory(max(Self.room, wanted + Self.room))
      larger.bytes.copyMemory(from: rest)
      memory = larger
    } else if start > 0, let front = memory.bytes.baseAddress {
      front.copyMemory(from: front + start, byteCount: unused)
    }
    base += Int64(start)
    start = 0
    end = unused
  }
}
