import StintSystem
import StintUnits
import Synchronization

/// The memory that both sides of a ring map: two positions, two flags for sleeping sides, and the data.
///
/// The other side may write anything here at any time. Each word is read once, and checked against this
/// side's own state before it is used.
final class RingMemory: @unchecked Sendable {
  // The memory is mapped until `deinit`. Positions are atomic. Each side accesses only the part of the data
  // that its position allows.

  /// The first word of the memory of every ring.
  private static let magic: UInt64 = 0x315f_474e_4952_5453
  /// The offset of the data: one page, so that it is aligned.
  static let headBytes = 4096

  let descriptor: Int32
  /// Wakes the reader when the writer has written data.
  let event: RingWake
  /// Wakes the writer when the reader has freed space.
  let room: RingWake
  let capacity: Int
  private let base: UnsafeMutableRawPointer

  /// Makes new memory for a ring.
  ///
  /// - Precondition: the capacity is a power of two, at least a page.
  convenience init(capacity: Int) throws(Problem) {
    precondition(capacity >= 4096 && capacity & (capacity - 1) == 0, "a ring's capacity is a power of two")
    let event = try RingCalls.wake()
    var descriptors = event.descriptors
    let room: RingWake
    let memory: Int32
    do throws(Problem) {
      room = try RingCalls.wake()
      descriptors += room.descriptors
      memory = try RingCalls.sealedMemory(bytes: Self.headBytes + capacity)
    } catch {
      for descriptor in descriptors { close(descriptor) }
      throw error
    }
    try self.init(adopting: memory, event: event, room: room, capacity: capacity)
    base.storeBytes(of: Self.magic, as: UInt64.self)
    base.storeBytes(of: UInt64(capacity), toByteOffset: 8, as: UInt64.self)
  }

  /// Maps memory that this process or the process on the other side has made. The descriptors are closed on
  /// failure and by `deinit`.
  init(adopting descriptor: Int32, event: RingWake, room: RingWake, capacity: Int) throws(Problem) {
    do throws(Problem) {
      base = try Self.map(descriptor, bytes: Self.headBytes + capacity)
    } catch {
      for descriptor in [descriptor] + event.descriptors + room.descriptors { close(descriptor) }
      throw error
    }
    self.descriptor = descriptor
    self.event = event
    self.room = room
    self.capacity = capacity
  }

  private static func map(_ descriptor: Int32, bytes: Int) throws(Problem) -> UnsafeMutableRawPointer {
    var status = stat()
    // An access beyond the end of the file would kill the process, although the pages are mapped.
    guard fstat(descriptor, &status) == 0, Int(status.st_size) >= bytes else {
      throw Problem.system("fstat", EINVAL)
    }
    let address = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let address, address != MAP_FAILED else { throw Problem.lastCall("mmap") }
    return address
  }

  deinit {
    munmap(base, Self.headBytes + capacity)
    for descriptor in [descriptor] + event.descriptors + room.descriptors { close(descriptor) }
  }

  /// True when the header belongs to a ring of this size.
  var isRing: Bool {
    base.load(as: UInt64.self) == Self.magic
      && base.load(fromByteOffset: 8, as: UInt64.self) == UInt64(capacity)
  }

  // MARK: Words

  /// The writer's position.
  var written: UnsafeMutablePointer<Atomic<UInt64>> { word(64) }
  /// The reader's position.
  var read: UnsafeMutablePointer<Atomic<UInt64>> { word(128) }
  /// 1 while the reader sleeps and must be woken.
  var readerSleeps: UnsafeMutablePointer<Atomic<UInt64>> { word(192) }
  /// 1 while the writer sleeps and must be woken.
  var writerSleeps: UnsafeMutablePointer<Atomic<UInt64>> { word(256) }

  private func word(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  // MARK: Data

  func copy(_ bytes: UnsafeRawBufferPointer, to span: RingSpan) {
    guard let source = bytes.baseAddress else { return }
    let data = base + Self.headBytes
    memcpy(data + span.first.lowerBound, source, span.first.count)
    if !span.second.isEmpty { memcpy(data, source + span.first.count, span.second.count) }
  }

  func copy(_ span: RingSpan, to bytes: UnsafeMutableRawBufferPointer) {
    guard let target = bytes.baseAddress else { return }
    let data = base + Self.headBytes
    memcpy(target, data + span.first.lowerBound, span.first.count)
    if !span.second.isEmpty { memcpy(target + span.first.count, data, span.second.count) }
  }

  /// Reads a frame's length. Call this only once per frame, because the other side may change the bytes
  /// between two reads.
  func length(at span: RingSpan) -> UInt32 {
    (base + Self.headBytes + span.first.lowerBound).load(as: UInt32.self)
  }

  func store(_ length: UInt32, at span: RingSpan) {
    (base + Self.headBytes + span.first.lowerBound).storeBytes(of: length, as: UInt32.self)
  }
}
