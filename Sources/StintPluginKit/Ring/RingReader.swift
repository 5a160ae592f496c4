import Synchronization

/// The reading end of a ring, for one thread at a time. It never reads outside the memory, whatever the
/// writer writes, and throws a fault for invalid contents.
public struct RingReader: ~Copyable, Sendable {
  private let memory: RingMemory
  private var position: RingPosition

  /// - Precondition: this is the only reader of the memory.
  init(_ memory: RingMemory) throws(RingFault) {
    guard memory.isRing else { throw .notARing }
    self.memory = memory
    position = RingPosition(.reader, capacity: memory.capacity)
  }

  /// The descriptor to poll: readable when the writer has woken a sleeping reader.
  public var event: Int32 { memory.event.wait }

  /// Replaces the contents of an array by the payload of the next frame. The caller can pass the same array
  /// for each frame. Returns false when there is no frame.
  ///
  /// The payload is a copy, so later writes to the shared memory do not change it.
  package mutating func read(into payload: inout [UInt8]) throws(RingFault) -> Bool {
    if position.available == 0 {
      try position.see(memory.written.pointee.load(ordering: .acquiring))
      guard position.available > 0 else { return false }
    }
    guard position.available >= RingFrame.alignment else { throw .frameTooLong(0) }
    let length = memory.length(at: position.span(RingFrame.headBytes))
    let bytes = try RingFrame.bytes(announced: length, available: position.available)
    let count = Int(length)
    let span = position.span(count, skipping: RingFrame.headBytes)
    if payload.count != count { payload = [UInt8](repeating: 0, count: count) }
    payload.withUnsafeMutableBytes { memory.copy(span, to: $0) }
    position.advance(bytes)
    memory.read.pointee.store(position.own, ordering: .sequentiallyConsistent)
    if memory.writerSleeps.pointee.load(ordering: .sequentiallyConsistent) != 0 { wakeWriter() }
    return true
  }

  /// Announces that this end is about to wait until `event` is readable.
  ///
  /// - Returns: false when data has arrived meanwhile; the caller must then read instead of waiting.
  package mutating func prepareToSleep() throws(RingFault) -> Bool {
    RingCalls.drain(memory.event)
    memory.readerSleeps.pointee.store(1, ordering: .sequentiallyConsistent)
    try position.see(memory.written.pointee.load(ordering: .sequentiallyConsistent))
    guard position.available > 0 else { return true }
    memory.readerSleeps.pointee.store(0, ordering: .relaxed)
    return false
  }

  /// Wakes the sleeping writer if at least half of the ring is free. So the writer is not woken for
  /// each frame.
  private func wakeWriter() {
    guard position.available <= memory.capacity / 2 else { return }
    memory.writerSleeps.pointee.store(0, ordering: .relaxed)
    RingCalls.raise(memory.room)
  }
}
