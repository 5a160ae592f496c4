public import StintUnits

/// A ring in memory that two processes share. Frames go one way, from one writer to one reader, and only
/// sleeping and waking need the kernel.
///
/// The side that makes it hands its descriptors to the other, which adopts them. Linux only; elsewhere making one
/// throws, and a pipe has to do.
public struct SharedRing: Sendable {
  let memory: RingMemory

  /// Makes a ring of `capacity` bytes; its size is sealed.
  ///
  /// - Precondition: the capacity is a power of two, at least 4096.
  public init(capacity: Int) throws(Problem) { memory = try RingMemory(capacity: capacity) }

  /// Maps a ring that the other process has made, with the descriptors for this end. They are closed with the
  /// ring, and when this fails.
  ///
  /// - Precondition: the capacity is a power of two, at least 4096.
  public init(
    adopting descriptor: Int32, event: Int32, room: Int32, capacity: Int
  ) throws(Problem) {
    precondition(capacity >= 4096 && capacity & (capacity - 1) == 0, "a ring's capacity is a power of two")
    memory = try RingMemory(
      adopting: descriptor, event: RingWake(wait: event, raise: event),
      room: RingWake(wait: room, raise: room), capacity: capacity)
  }

  /// What to hand to a process that writes: the memory, what wakes the reader, and what wakes the writer. They stay the
  /// ring's.
  public var writersDescriptors: (memory: Int32, event: Int32, room: Int32) {
    (memory.descriptor, memory.event.raise, memory.room.wait)
  }

  /// What to hand to a process that reads.
  public var readersDescriptors: (memory: Int32, event: Int32, room: Int32) {
    (memory.descriptor, memory.event.wait, memory.room.raise)
  }

  /// The end that writes; there must be one in the world, made before anything was written.
  public func writer() -> RingWriter { RingWriter(memory) }

  /// The end that reads; there must be one in the world, made before anything was read.
  ///
  /// Throws when the memory is no ring of this size.
  public func reader() throws(RingFault) -> RingReader { try RingReader(memory) }
}
