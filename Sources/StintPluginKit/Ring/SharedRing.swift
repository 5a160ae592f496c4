public import StintUnits

/// A ring buffer in memory that two processes share. One writer sends frames to one reader; only sleeping and
/// waking need the kernel.
///
/// The side that makes the ring passes its descriptors to the other side, which maps them. Linux only: on
/// other systems the initializers throw, and a pipe must be used instead.
public struct SharedRing: Sendable {
  let memory: RingMemory

  /// Makes a ring of `capacity` bytes with a sealed size. Throws when the system cannot make the memory or
  /// the descriptors.
  ///
  /// - Precondition: the capacity is a power of two, at least 4096.
  public init(capacity: Int) throws(Problem) { memory = try RingMemory(capacity: capacity) }

  /// Maps a ring that the other process has made, with the descriptors for this side. The descriptors are
  /// closed when the ring is released, and on failure. Throws when the memory cannot be mapped.
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

  /// The descriptors to pass to the writing process: the memory, the reader's wake-up and the writer's
  /// wake-up. The ring still owns them.
  public var writersDescriptors: (memory: Int32, event: Int32, room: Int32) {
    (memory.descriptor, memory.event.raise, memory.room.wait)
  }

  /// The descriptors to pass to the reading process. The ring still owns them.
  public var readersDescriptors: (memory: Int32, event: Int32, room: Int32) {
    (memory.descriptor, memory.event.wait, memory.room.raise)
  }

  /// Returns the writing end. Call it only once across both processes, before anything is written.
  public func writer() -> RingWriter { RingWriter(memory) }

  /// Returns the reading end. Call it only once across both processes, before anything is read.
  ///
  /// - Throws: `notARing` when the memory is not a ring of this size.
  package func reader() throws(RingFault) -> RingReader { try RingReader(memory) }
}
