import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The end of a ring that writes frames; one thread at a time.
public struct RingWriter: ~Copyable, Sendable {
  private let memory: RingMemory
  private var position: RingPosition

  /// - Precondition: nobody else writes to the memory as this end.
  init(_ memory: RingMemory) {
    self.memory = memory
    position = RingPosition(.writer, capacity: memory.capacity)
  }

  /// The longest payload of a frame.
  public var longest: Int { RingFrame.longest(capacity: memory.capacity) }

  /// Writes a frame, unless there is no room for it now; says whether it did. Never waits.
  ///
  /// - Precondition: the payload is no longer than `longest`.
  public mutating func write(_ payload: UnsafeRawBufferPointer) throws(RingFault) -> Bool {
    precondition(payload.count <= longest, "a frame is longer than its ring")
    let bytes = RingFrame.bytes(payload: payload.count)
    if position.available < bytes {
      try position.see(memory.read.pointee.load(ordering: .acquiring))
      guard position.available >= bytes else { return false }
    }
    // A head is never cut in two: positions are multiples of eight.
    memory.store(UInt32(payload.count), at: position.span(RingFrame.headBytes))
    memory.copy(payload, to: position.span(payload.count, skipping: RingFrame.headBytes))
    position.advance(bytes)
    memory.written.pointee.store(position.own, ordering: .sequentiallyConsistent)
    if memory.readerSleeps.pointee.load(ordering: .sequentiallyConsistent) != 0 { wakeReader() }
    return true
  }

  private func wakeReader() {
    memory.readerSleeps.pointee.store(0, ordering: .relaxed)
    var one: UInt64 = 1
    _ = Self.write(memory.event, &one, 8)
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes, count)
    #else
      Darwin.write(descriptor, bytes, count)
    #endif
  }
}
