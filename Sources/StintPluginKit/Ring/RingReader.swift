import Synchronization

/// The end of a ring that reads frames; one thread at a time. Whatever the writer does to the memory, this end reads
/// nothing outside it and says what was wrong.
public struct RingReader: ~Copyable, Sendable {
  private let memory: RingMemory
  private var position: RingPosition

  /// - Precondition: this is the only reader of the memory.
  init(_ memory: RingMemory) throws(RingFault) {
    guard memory.isRing else { throw .notARing }
    self.memory = memory
    position = RingPosition(.reader, capacity: memory.capacity)
  }

  /// Readable when the writer has something for a reader that sleeps.
  public var event: Int32 { memory.event.wait }

  /// Takes the next frame into a list that the caller reuses, in place of what was in it; false when there is none.
  ///
  /// The payload is a copy: what the writer does to the memory afterwards changes nothing in it.
  public mutating func read(into payload: inout [UInt8]) throws(RingFault) -> Bool {
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

  /// Says that this end is about to wait until `event` is readable; false when something has come meanwhile,
  /// and it must not.
  public mutating func prepareToSleep() throws(RingFault) -> Bool {
    RingCalls.drain(memory.event)
    memory.readerSleeps.pointee.store(1, ordering: .sequentiallyConsistent)
    try position.see(memory.written.pointee.load(ordering: .sequentiallyConsistent))
    guard position.available > 0 else { return true }
    memory.readerSleeps.pointee.store(0, ordering: .relaxed)
    return false
  }

  /// Not for each frame: a writer that is woken finds half of the ring free.
  private func wakeWriter() {
    guard position.available <= memory.capacity / 2 else { return }
    memory.writerSleeps.pointee.store(0, ordering: .relaxed)
    RingCalls.raise(memory.room)
  }
}
