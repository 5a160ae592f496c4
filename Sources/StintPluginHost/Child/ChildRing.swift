import StintPluginKit
import Synchronization

/// The host's end of the ring of one process of a plugin.
final class ChildRing: Sendable {
  /// The size of the ring in bytes: four frames of maximum size.
  static let capacity = 1 << 18

  private let ring: SharedRing
  // The reader is used only while the link's lock is held, so no thread ever waits for this mutex.
  private let reader: Mutex<RingReader>
  /// The descriptor that becomes readable when the plugin writes the first frame after a call of `sleep`.
  let event: Int32

  /// Makes a ring.
  ///
  /// - Returns: nil when the system has no memory or descriptors for a ring. All batches then arrive through
  ///   the channel.
  init?() {
    do {
      ring = try SharedRing(capacity: Self.capacity)
      let reader = try ring.reader()
      event = reader.event
      self.reader = Mutex(reader)
    } catch {
      return nil
    }
  }

  /// The descriptors that the process inherits. `memory` is the ring; a write to `event` wakes the host;
  /// `room` becomes readable when the ring has free space.
  var descriptors: (memory: Int32, event: Int32, room: Int32) { ring.writersDescriptors }

  /// Reads the next frame. Returns false when the ring is empty.
  func read(into payload: inout [UInt8]) throws(ChildFailure) -> Bool {
    do throws(RingFault) {
      return try reader.withLock { reader throws(RingFault) in try reader.read(into: &payload) }
    } catch {
      throw ChildFailure(.protocolViolation, "\(error)")
    }
  }

  /// Requests that `event` becomes readable at the next frame. Returns false when a frame is already in
  /// the ring.
  func sleep() throws(ChildFailure) -> Bool {
    do throws(RingFault) {
      return try reader.withLock { reader throws(RingFault) in try reader.prepareToSleep() }
    } catch {
      throw ChildFailure(.protocolViolation, "\(error)")
    }
  }
}
