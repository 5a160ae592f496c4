import StintModel
import StintSystem
import StintUnits
import Synchronization

/// The ring into which a plugin's process writes its batches.
final class PluginRing: Sendable {
  private let ring: SharedRing
  private let writer: Mutex<RingWriter>

  /// Maps the ring and owns the descriptors.
  ///
  /// - Returns: nil when the ring cannot be mapped; the descriptors are then closed.
  init?(_ descriptors: RingDescriptors, capacity: Int) {
    do throws(Problem) {
      ring = try SharedRing(
        adopting: descriptors.memory, event: descriptors.event, room: descriptors.room, capacity: capacity)
    } catch {
      return nil
    }
    writer = Mutex(ring.writer())
  }

  /// Writes a frame; blocks while the ring has too little free space.
  func write(_ bytes: [UInt8]) throws(RingFault) {
    try writer.withLock { writer throws(RingFault) in
      var isWritten = false
      while !isWritten {
        isWritten = try bytes.withUnsafeBytes { Self.write($0, &writer) }.get()
        if !isWritten, try writer.prepareToSleep(before: bytes.count) { Self.wait(for: writer.room) }
      }
    }
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, _ writer: inout RingWriter
  ) -> Result<Bool, RingFault> {
    do throws(RingFault) { return .success(try writer.write(bytes)) } catch { return .failure(error) }
  }

  /// Waits without a timeout: when the host ends, the system ends this process too.
  private static func wait(for descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, -1) < 0 && errno == EINTR {}
  }
}
