import Synchronization

/// The writing end of a ring, for one thread at a time.
public struct RingWriter: ~Copyable, Sendable {
  private let memory: RingMemory
  private var position: RingPosition

  /// - Precondition: this is the only writer of the memory.
  init(_ memory: RingMemory) {
    self.memory = memory
    position = RingPosition(.writer, capacity: memory.capacity)
  }

  /// The length of the longest payload in bytes.
  public var longest: Int { RingFrame.longest(capacity: memory.capacity) }

  /// Writes a frame without blocking. Returns false when the ring has too little free space.
  ///
  /// - Precondition: the payload is no longer than `longest`.
  package mutating func write(_ payload: UnsafeRawBufferPointer) throws(RingFault) -> Bool {
    precondition(payload.count <= longest, "a frame is longer than its ring")
    let bytes = RingFrame.bytes(payload: payload.count)
    if position.available < bytes {
      try position.see(memory.read.pointee.load(ordering: .acquiring))
      guard position.available >= bytes else { return false }
    }
    // A length field never wraps around the end: positions are multiples of eight.
    memory.store(UInt32(payload.count), at: position.span(RingFrame.headBytes))
    memory.copy(payload, to: position.span(payload.count, skipping: RingFrame.headBytes))
    position.advance(bytes)
    memory.written.pointee.store(position.own, ordering: .sequentiallyConsistent)
    if memory.readerSleeps.pointee.load(ordering: .sequentiallyConsistent) != 0 { wakeReader() }
    return true
  }

  /// The descriptor to poll: readable when the reader has freed space for a sleeping writer.
  public var room: Int32 { memory.room.wait }

  /// Announces that this end is about to wait until `room` is readable, and then to write `payload` bytes.
  ///
  /// - Returns: false when there is enough free space now; the caller must then write instead of waiting.
  package mutating func prepareToSleep(before payload: Int) throws(RingFault) -> Bool {
    RingCalls.drain(memory.room)
    memory.writerSleeps.pointee.store(1, ordering: .sequentiallyConsistent)
    try position.see(memory.read.pointee.load(ordering: .sequentiallyConsistent))
    guard position.available >= RingFrame.bytes(payload: payload) else { return true }
    memory.writerSleeps.pointee.store(0, ordering: .relaxed)
    return false
  }

  private func wakeReader() {
    memory.readerSleeps.pointee.store(0, ordering: .relaxed)
    RingCalls.raise(memory.event)
  }
}
