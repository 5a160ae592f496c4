import StintPluginKit
import Synchronization

/// The host's end of the ring of one life of a plugin's process.
final class ChildRing: Sendable {
  /// Four of the longest frames.
  static let capacity = 1 << 18

  private let ring: SharedRing
  // Only used within the lock of the link, so no thread ever waits for this one.
  private let reader: Mutex<RingReader>
  /// Readable when the plugin has written something that the host has not read.
  let event: Int32

  /// Nil where the system gives no memory or descriptors: batches then come through the channel.
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

  /// What the process is given: the memory, what wakes the host, and what wakes the process.
  var descriptors: (memory: Int32, event: Int32, room: Int32) { ring.writersDescriptors }

  /// The next frame; false when there is none.
  func read(into payload: inout [UInt8]) throws(ChildFailure) -> Bool {
    do throws(RingFault) {
      return try reader.withLock { reader throws(RingFault) in try reader.read(into: &payload) }
    } catch {
      throw ChildFailure(.lie, "\(error)")
    }
  }

  /// Has the loop wake the host with the next frame; false when one has come meanwhile.
  func sleep() throws(ChildFailure) -> Bool {
    do throws(RingFault) {
      return try reader.withLock { reader throws(RingFault) in try reader.prepareToSleep() }
    } catch {
      throw ChildFailure(.lie, "\(error)")
    }
  }
}
